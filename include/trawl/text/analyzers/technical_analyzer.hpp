// SPDX-License-Identifier: MIT
#pragma once

/// For collections of codes and paths where only the exact name counts.

#include <string_view>

#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE

/// Folds case and accents (see folding.hpp), then matches `[a-z0-9]+(?:[._/-][a-z0-9]+)*`. An
/// identifier is one token, whole. A name may end with ++, and one of a single letter with #.
///
///     GET /api/v3/cursors   get | api/v3/cursors
///     #8821, PROD-4817      8821 | prod-4817
///     C++, C#               c++ | c#
///
/// Letters that do not fold to ASCII separate words. A term has at most 255 bytes; longer ones are
/// cut into several. Thread-safe; allocates nothing. O(n).
class technical_analyzer {
public:
    /// Passes the tokens of a text to sink. The text is UTF-8; any bytes are allowed.
    /// @throws trawl::error (invalid_argument) if the text has 4 GiB or more.
    void analyze(std::string_view text, token_sink sink) const;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/text/detail/technical_analyzer_inl.hpp>
#endif
