// SPDX-License-Identifier: MIT
#pragma once

/// For English prose: the standard analyzer with stop words and stemming.

#include <trawl/text/analyzers/composed_analyzer.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>
#include <trawl/text/stemmers/porter_stemmer.hpp>
#include <trawl/text/token_filter.hpp>

TRAWL_BEGIN_NAMESPACE

/// Standard, then possessives, Lucene's 33 stop words and Porter's stemmer, in this order.
/// Identifiers stay exact as wholes; their parts are words like any other.
///
///     The dog's running-shoes    dog | running-shoes run shoe        (positions 1 and 2)
///
/// Thread-safe; copies share the list of stop words.
class english_analyzer
    : public composed_analyzer<standard_analyzer, possessive, stop_words, porter_stemmer> {
public:
    english_analyzer() : composed_analyzer({}, {}, stop_words::english(), {}) {}
};

static_assert(analyzer<english_analyzer>);

TRAWL_END_NAMESPACE
