// SPDX-License-Identifier: MIT
#pragma once

/// Words as written: the base of analyzers that must not fold first.

#include <string_view>

#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE

/// The words of UAX #29 as Lucene's StandardTokenizer selects them: a stretch between two boundaries
/// that holds a letter, a digit, a Han or Hiragana character, or an emoji. A run of Thai, Lao, Khmer
/// or Burmese is one word. Terms are the text's own bytes; words of more than 255 UTF-16 units are
/// cut.
///
///     Don't x.y wait_a 漢字 👍    Don't | x.y | wait_a | 漢 | 字 | 👍
///
/// Stemmers that need accents are built on it:
///
///     composed_analyzer{word_analyzer{}, lower_case{}, snowball_stemmer{"french"}, folding{}}
///
/// Thread-safe; allocates nothing. O(n).
class word_analyzer {
public:
    /// Passes the tokens of a text to sink. The text is UTF-8; any bytes are allowed.
    /// @throws trawl::error (invalid_argument) if the text has 4 GiB or more.
    void analyze(std::string_view text, token_sink sink) const;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/text/detail/word_analyzer_inl.hpp>
#endif
