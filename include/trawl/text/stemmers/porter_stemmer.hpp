// SPDX-License-Identifier: MIT
#pragma once

/// Porter's stemmer of 1980 for English, as its author published it and Lucene's PorterStemFilter
/// runs it.

#include <string>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

/// Stems English words. Only terms of 3 to 64 letters a to z are changed: identifiers, numbers and
/// words of other scripts are kept. O(length).
/// @par Source Porter, "An algorithm for suffix stripping", Program 14(3), 1980, with the two
/// changes of the author's published program (-bli for -abli, -logi); words of one or two letters
/// are kept.
struct porter_stemmer {
    static constexpr bool reduces_words = true; ///< see surface.hpp

    bool operator()(std::string& term) const;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/text/detail/porter_stemmer_inl.hpp>
#endif
