// SPDX-License-Identifier: MIT
#pragma once

/// For English prose: the standard analyzer with stop words and stemming.

#include <string_view>

#include <trawl/core/words.hpp>
#include <trawl/text/surface.hpp>
#include <trawl/text/token_filter.hpp>

TRAWL_BEGIN_NAMESPACE

/// The standard analyzer, then possessives, Lucene's 33 stop words and Porter's stemmer, in this
/// order. Identifiers stay exact as wholes; their parts are stemmed like other words.
///
///     The dog's running-shoes    dog | running-shoes run shoe        (positions 1 and 2)
///
/// The list does not contain "without", "after", "before", "against", "under" and "over": they stay
/// terms. It contains "no" and "not", because BM25 ignores word order and cannot tell what they
/// negate (nDCG@10 of SciFact: .6845 with the list, .6838 with these two kept, .6879 without a
/// list; not tested for significance). To keep them, compose an analyzer with a list of your own
/// (composed_analyzer.hpp).
///
/// Thread-safe; copies share the list of stop words. O(n).
class english_analyzer {
public:
    english_analyzer();

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
#include <trawl/text/detail/english_analyzer_inl.hpp>
#endif
