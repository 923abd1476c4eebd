// SPDX-License-Identifier: MIT
#pragma once

/// The terms of bm25s.tokenize(texts, stopwords="english").

#include <string_view>

#include <trawl/core/words.hpp>
#include <trawl/text/token_filter.hpp>

TRAWL_BEGIN_NAMESPACE

/// Python's lower case, its regular expression `\b\w\w+\b`, and the 33 English stop words: runs of two
/// or more letters, numbers and underscores. No stemming, no folding. Words of one character are
/// dropped (C++), and words of scripts that write vowels as marks are broken at the marks; the
/// standard analyzer does neither.
///
///     Don't C++ x_y café    don | x_y | café
///
/// Stop words leave no gap: positions count the words that remain. Thread-safe; copies share the
/// list. O(n).
class bm25s_analyzer {
public:
    /// Passes the tokens of a text to sink. The text is UTF-8; any bytes are allowed.
    /// @throws trawl::error (invalid_argument) if the text has 4 GiB or more.
    void analyze(std::string_view text, token_sink sink) const;

private:
    stop_words stop_words_ = stop_words::english();
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/text/detail/bm25s_analyzer_inl.hpp>
#endif
