// SPDX-License-Identifier: MIT
#pragma once

/// Splits texts into the tokens that a model was trained on, with the ids that Hugging Face's
/// tokenizers give: WordPiece (BERT, MiniLM, DistilBERT, …) and Unigram (XLM-RoBERTa, e5, bge-m3, …).

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

/// A tokenizer of a model. Copies share the vocabulary. Const members may run from any number of
/// threads at once.
///
/// A byte of a text that is not part of valid UTF-8 is read as one U+FFFD, which BERT's cleaning drops.
/// Offsets remain those of the text.
///
/// A token of the vocabulary that is marked as added, such as [SEP], is recognised where it stands in a
/// text, as by Hugging Face: remove such words from a text whose author is not to be trusted.
class tokenizer {
public:
    /// Opens the tokenizer of a model's folder: tokenizer.json, else vocab.txt with the
    /// settings of tokenizer_config.json. Truncation and padding of tokenizer.json are not used.
    /// @throws trawl::error (io) if neither file is there; (parse) naming the file, the place and what is
    /// not supported.
    [[nodiscard]] static tokenizer open(std::string const& folder);

    /// Reads the text of a tokenizer.json.
    /// @param name  The name of the file, for error messages.
    /// @throws trawl::error (parse).
    [[nodiscard]] static tokenizer from_json(std::string_view json, std::string_view name);

    /// Reads the text of a vocab.txt of BERT's: a token a line, its id the number of the line from 0.
    /// [UNK], [CLS], [SEP] and [PAD] must be there, [MASK] may be.
    /// @param name  The name of the file, for error messages.
    /// @throws trawl::error (parse).
    [[nodiscard]] static tokenizer from_vocabulary(
        std::string_view lines, std::string_view name, wordpiece_options options = {});

    /// Encodes a text.
    /// @throws trawl::error (invalid_argument) if max_tokens is less than what is added, or the text has
    /// 4 GiB or more; (model) if the model's normalizer would make a text more than 32 times as long.
    /// @par Complexity  O(n m) for n bytes and pieces of at most m bytes; O(n) for natural text.
    [[nodiscard]] token_encoding encode(std::string_view text, encode_options options = {}) const;

    /// The same, into an encoding whose memory is used again.
    void encode(std::string_view text, encode_options options, token_encoding& out) const;

    /// Encodes a pair, such as a query and a passage.
    /// @throws trawl::error (invalid_argument) as encode(), and if the text that options.cut names is
    /// too short for what must be left out. (If max_tokens has room for special tokens only, nothing of
    /// either text is left, whatever options.cut is.)
    [[nodiscard]] token_encoding encode_pair(
        std::string_view first, std::string_view second, encode_options options = {}) const;
    void encode_pair(std::string_view first, std::string_view second, encode_options options,
        token_encoding& out) const;

    /// How many tokens are added to a text, or to a pair.
    [[nodiscard]] std::size_t added_tokens(bool pair = false) const noexcept;

    /// One more than the largest id.
    [[nodiscard]] std::size_t size() const noexcept;

    /// The text of a token as the vocabulary has it; empty for an id that no token has.
    [[nodiscard]] std::string_view token(std::uint32_t id) const noexcept;

    /// The id of a token, by the text that the vocabulary has.
    [[nodiscard]] std::optional<std::uint32_t> find(std::string_view token) const noexcept;

    [[nodiscard]] special_tokens const& special() const noexcept;

    /// A checksum of everything that decides the encodings.
    [[nodiscard]] std::uint64_t fingerprint() const noexcept;

private:
    explicit tokenizer(std::shared_ptr<detail::tokenizer_engine const> engine) noexcept;

    std::shared_ptr<detail::tokenizer_engine const> engine_;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/tokenizer_inl.hpp>
#endif
