// SPDX-License-Identifier: MIT
#pragma once

/// How a tokenizer splits a normalised text into words, which its model splits further.

#include <cstddef>
#include <cstdint>
#include <string>

#include <trawl/config.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/models/detail/aligned_text.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The pre-tokenizers of Hugging Face's tokenizers that are supported.
enum class splitter_kind : unsigned char {
    white_space, ///< at white space, which is dropped
    punctuation, ///< before and behind each punctuation mark
    metaspace,   ///< blanks become ▁, and one is put before a word
};

enum class prepended : unsigned char { always, first, never };

struct splitter_step {
    splitter_kind kind = splitter_kind::white_space;
    char32_t blank = 0x2581;              ///< what stands for a blank
    prepended before = prepended::always; ///< where one is put before a word that has none
    bool splits = true;                   ///< each begins a word
};

/// Characters of an aligned_text, first to before last.
struct word_span {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
};

class word_splitter {
public:
    void add(splitter_step step) { steps_.push_back(step); }
    [[nodiscard]] buffer<splitter_step> const& steps() const noexcept { return steps_; }

    /// Splits a text, which it may change. No word is empty.
    /// @param begin  Where the text begins in the caller's: before what was dropped from it.
    void apply(aligned_text& text, std::uint32_t begin, buffer<word_span>& words,
        aligned_text& spare) const;

    /// Appends everything that decides the result.
    void describe(std::string& out) const;

private:
    buffer<splitter_step> steps_ = {};
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/word_splitter_inl.hpp>
#endif
