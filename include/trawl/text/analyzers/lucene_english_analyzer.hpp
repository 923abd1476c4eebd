// SPDX-License-Identifier: MIT
#pragma once

/// The terms of Lucene's EnglishAnalyzer, which Anserini uses by default.

#include <string_view>

#include <trawl/core/words.hpp>
#include <trawl/text/surface.hpp>
#include <trawl/text/token_filter.hpp>

TRAWL_BEGIN_NAMESPACE

/// UAX #29's words, possessives, lower case, 33 stop words and Porter's stemmer: EnglishAnalyzer of
/// Lucene 9.12. Only case is folded, and identifiers have no parts.
///
///     The café's 1990s running-shoes    café | 1990 | run | shoe     (positions 1 to 4)
///
/// Words of more than 64 characters are not stemmed. Thread-safe; copies share the list of stop
/// words. O(n).
class lucene_english_analyzer {
public:
    lucene_english_analyzer();

    /// Passes the tokens of a text to sink. The text is UTF-8; any bytes are allowed.
    /// @throws trawl::error (invalid_argument) if the text has 4 GiB or more.
    void analyze(std::string_view text, token_sink sink) const;

    /// Passes the words of a text to sink, those dropped as well: see surface.hpp.
    void analyze_surface(std::string_view text, surface_sink sink) const;

private:
    stop_words stop_words_;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/text/detail/lucene_english_analyzer_inl.hpp>
#endif
