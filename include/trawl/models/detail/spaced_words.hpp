// SPDX-License-Identifier: MIT
#pragma once

/// XLM-R's normaliser, word splitter and Unigram in one pass over words of ASCII: the same tokens that
/// text_normaliser, word_splitter and unigram give one after the other.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <trawl/config.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/models/detail/aligned_text.hpp>
#include <trawl/models/detail/text_normaliser.hpp>
#include <trawl/models/detail/word_splitter.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Which words of a text may be split without normalising it.
class spaced_words {
public:
    spaced_words() = default;
    spaced_words(text_normaliser const& normaliser, word_splitter const& splitter);

    /// Whether there are any: the normaliser is a map or nothing, the splitter splits at white space and
    /// puts ▁ before each word.
    [[nodiscard]] explicit operator bool() const noexcept { return !blank_.empty(); }
    /// What is put before a word, in UTF-8.
    [[nodiscard]] std::string const& blank() const noexcept { return blank_; }

    /// The next part of bytes of a text, from span.first on, which becomes the place behind it: a word
    /// of characters that stay what they are, or (`plain` is false) a stretch that is to be normalised
    /// and split. False if there is none. A part may be empty.
    [[nodiscard]] bool next(
        std::string_view text, byte_span& span, byte_span& part, bool& plain) const noexcept;

private:
    enum class kind : unsigned char { other, letter, blank };

    std::string blank_ = {};
    kind kinds_[256] = {};
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/spaced_words_inl.hpp>
#endif
