// SPDX-License-Identifier: MIT
#pragma once

/// How the parts of a tokenizer work together. Bodies are in tokenizer_inl.hpp.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <trawl/config.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/models/detail/aligned_text.hpp>
#include <trawl/models/detail/bert_words.hpp>
#include <trawl/models/detail/spaced_words.hpp>
#include <trawl/models/detail/token_list.hpp>
#include <trawl/models/detail/tokenizer_parts.hpp>
#include <trawl/models/detail/unigram.hpp>
#include <trawl/models/detail/word_bytes.hpp>
#include <trawl/models/detail/word_splitter.hpp>
#include <trawl/models/token_encoding.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class tokenizer_engine {
public:
    explicit tokenizer_engine(tokenizer_parts parts);

    void encode(std::string_view text, encode_options options, token_encoding& out) const;
    void encode_pair(std::string_view first, std::string_view second, encode_options options,
        token_encoding& out) const;

    [[nodiscard]] std::size_t added_count(bool pair) const noexcept;
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::string_view token(std::uint32_t id) const noexcept;
    /// none if there is none.
    [[nodiscard]] std::uint32_t find(std::string_view token) const noexcept;
    [[nodiscard]] special_tokens const& special() const noexcept { return special_; }
    [[nodiscard]] std::uint64_t fingerprint() const noexcept { return fingerprint_; }

private:
    /// Memory to work in.
    struct workspace {
        aligned_text text = {};
        aligned_text spare = {};
        buffer<word_span> words = {};
        word_bytes word = {};
        std::string spaced = {};
        unigram::workspace grams = {};
    };

    /// Appends the tokens of a text; stops behind the word that exceeds `most`.
    void split(std::string_view text, std::size_t most, token_list& out) const;
    /// Of bytes in which none of the added tokens is that are looked for in the text itself.
    void split_between(std::string_view text, byte_span span, std::size_t most, workspace& work,
        token_list& out) const;
    void split_spaced(std::string_view text, byte_span span, std::size_t most, workspace& work,
        token_list& out) const;
    void normalise_and_split(std::string_view text, byte_span span, std::size_t most,
        workspace& work, token_list& out) const;
    void split_words(aligned_text& text, std::uint32_t begin, std::size_t most, workspace& work,
        token_list& out) const;
    void find_normalised(
        std::uint32_t begin, std::size_t most, workspace& work, token_list& out) const;
    void assemble(buffer<template_item> const& order, bool add_special, token_list const* texts,
        std::size_t const* sizes, token_encoding& out) const;
    void name_special();
    void make_fingerprint();

    tokenizer_parts parts_;
    bool fast_ = false; ///< by bert_words_
    bert_words bert_words_ = {};
    spaced_words spaced_words_ = {};
    std::size_t size_ = 0;
    special_tokens special_ = {};
    std::uint64_t fingerprint_ = 0;
};

} // namespace detail
TRAWL_END_NAMESPACE
