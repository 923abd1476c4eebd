// SPDX-License-Identifier: MIT
#pragma once

/// Python's str.split(), as users of rank_bm25 call it.

#include <string_view>

#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE

/// Splits at white space. Terms are the text's own bytes, of any length: for text that is tokenised
/// already.
///
///     The cat, PROD-4817!    The | cat, | PROD-4817!
///
/// Thread-safe; allocates nothing. O(n).
class whitespace_analyzer {
public:
    /// Passes the tokens of a text to sink. The text is UTF-8; any bytes are allowed.
    /// @throws trawl::error (invalid_argument) if the text has 4 GiB or more.
    void analyze(std::string_view text, token_sink sink) const;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/text/detail/whitespace_analyzer_inl.hpp>
#endif
