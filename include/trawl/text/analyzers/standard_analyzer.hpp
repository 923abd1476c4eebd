// SPDX-License-Identifier: MIT
#pragma once

/// The default analyzer: words as people write them, and identifiers (PROD-4817, /api/v3/cursors,
/// max_retry_count) both whole and by their parts, so that exact and partial names find them.

#include <string_view>

#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE

/// Folds the text (see folding.hpp), then splits it at Unicode's word boundaries (UAX #29). An
/// identifier is two or more runs of letters or digits joined by single . _ / - : # characters. All
/// its tokens have one position, in this order: the whole; the segments and the prefixes of its
/// path that have several runs; its runs; the camel-case words of each run, none of them a single
/// character (OAuth is one word). A name may end with ++, and one of a single letter with #.
///
///     GET /api/v3/cursors   get | api/v3/cursors api/v3 api v3 cursors
///     op-guide/v3.5         op-guide/v3.5 op-guide v3.5 op guide v3 5
///     getUserName, OAuth    getusername get user name | oauth
///     Don't, C++, C#, 1,000 don't | c++ | c# | 1,000
///     東京都 カメラ 한국어      東京 東 | 京都 京 | 都 | カメラ | 한국어
///
/// In scripts without blanks between words (Han, Hiragana, Thai, Lao, Khmer, Burmese) each character
/// with its marks has a position and two tokens: the pair with the next character, and the character
/// alone, so that a query of one character matches. 々, 〆 and ヶ are such characters. Katakana and
/// Hangul form words. Emoji and other symbols separate words. A term has at most 255 bytes; longer
/// ones are cut into several.
/// Thread-safe; allocates nothing. O(n).
class standard_analyzer {
public:
    /// Passes the tokens of a text to sink. The text is UTF-8; any bytes are allowed.
    /// @throws trawl::error (invalid_argument) if the text has 4 GiB or more.
    void analyze(std::string_view text, token_sink sink) const;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/text/detail/standard_analyzer_inl.hpp>
#endif
