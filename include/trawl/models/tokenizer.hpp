// SPDX-License-Identifier: MIT
#pragma once

/// Turns texts into the token ids that a model expects, as Hugging Face's tokenizers does: WordPiece
/// (BERT, MiniLM, DistilBERT, …) and Unigram (XLM-RoBERTa, multilingual e5, bge-m3, …).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <trawl/config.hpp>
#include <trawl/models/token_encoding.hpp>

TRAWL_BEGIN_NAMESPACE

namespace detail {
class tokenizer_engine;
}

/// The tokenizer of a model. Copies share the vocabulary. Const members may run from any number of
/// threads at once.
///
/// *Equality.* The ids are those of Hugging Face's tokenizers 0.23.3, on all of Unicode. So are the
/// offsets, with two exceptions, where ours point to the characters that a token was made of and theirs
/// are shifted: combining marks that normalisation reorders, and texts that begin with characters that
/// SentencePiece's map removes.
///
/// *Invalid UTF-8.* Each byte that is not part of a valid character is read as one U+FFFD, which BERT's
/// normalizer removes. Offsets count the bytes of the text as it is.
///
/// *Special tokens in a text.* If the text itself contains an added token of the vocabulary, such as
/// [SEP], it gets that token's id. Remove such strings from texts that you do not trust.
///
/// *Supported* parts of a tokenizer.json: the models WordPiece and Unigram; the normalizers
/// BertNormalizer, Lowercase, NFD, Precompiled, Prepend, Replace (of strings, and of runs of blanks),
/// Sequence, Strip and StripAccents; the pre-tokenizers BertPreTokenizer, Metaspace, Punctuation
/// (isolated), Sequence and WhitespaceSplit; the post-processors BertProcessing, RobertaProcessing,
/// Sequence and TemplateProcessing. Anything else is an error that names it.
class tokenizer {
public:
    /// Opens the tokenizer in a model's folder: tokenizer.json, or else vocab.txt with the settings of
    /// tokenizer_config.json. The truncation and padding that a tokenizer.json sets are ignored.
    /// @throws trawl::error (io) if the folder has neither file; (parse) naming the file, the byte and
    /// what is wrong or not supported.
    /// @par Complexity  O(bytes of the file), of time and memory.
    [[nodiscard]] static tokenizer open(std::string const& folder);

    /// Parses a tokenizer.json.
    /// @param name  The file's name in error messages.
    /// @throws trawl::error (parse) as open().
    [[nodiscard]] static tokenizer from_json(std::string_view json, std::string_view name);

    /// Parses a BERT vocab.txt: one token per line; its id is the line number, from 0. It must contain
    /// [UNK], [CLS], [SEP] and [PAD].
    /// @param name  The file's name in error messages.
    /// @throws trawl::error (parse) naming the file and the line or the missing token.
    [[nodiscard]] static tokenizer from_vocabulary(
        std::string_view lines, std::string_view name, wordpiece_options options = {});

    /// Encodes a text.
    /// @throws trawl::error (invalid_argument) if max_tokens is less than added_tokens(), or the text has
    /// 4 GiB or more; (model) if the normalizer would make the text more than 32 times as long.
    /// @par Complexity  O(n m) for n bytes of text and pieces of at most m bytes. Tokens beyond max_tokens
    /// are not computed.
    [[nodiscard]] token_encoding encode(std::string_view text, encode_options options = {}) const;

    /// Encodes into an existing object, whose memory is reused.
    void encode(std::string_view text, encode_options options, token_encoding& out) const;

    /// Encodes a pair of texts, such as a query and a passage. If max_tokens leaves room for the special
    /// tokens only, both texts are cut off entirely.
    /// @throws trawl::error (invalid_argument) as encode(), and if options.cut names one text, and cutting
    /// off all of it would not be enough.
    [[nodiscard]] token_encoding encode_pair(
        std::string_view first, std::string_view second, encode_options options = {}) const;
    void encode_pair(std::string_view first, std::string_view second, encode_options options,
        token_encoding& out) const;

    /// The number of special tokens that encode() adds to a text, or encode_pair() to a pair.
    [[nodiscard]] std::size_t added_tokens(bool pair = false) const noexcept;

    /// The size of the vocabulary with its added tokens: one more than the largest id.
    [[nodiscard]] std::size_t size() const noexcept;

    /// A token as the vocabulary writes it, such as "##ing" or "▁the"; empty for an unused id.
    [[nodiscard]] std::string_view token(std::uint32_t id) const noexcept;

    /// The id of a token that is written this way in the vocabulary.
    [[nodiscard]] std::optional<std::uint32_t> find(std::string_view token) const noexcept;

    [[nodiscard]] special_tokens const& special() const noexcept;

    /// A checksum of everything that decides the encodings: vocabulary, steps, special tokens.
    [[nodiscard]] std::uint64_t fingerprint() const noexcept;

private:
    explicit tokenizer(std::shared_ptr<detail::tokenizer_engine const> engine) noexcept;

    std::shared_ptr<detail::tokenizer_engine const> engine_;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/tokenizer_inl.hpp>
#endif
