// SPDX-License-Identifier: MIT
#pragma once

/// Porter's second stemmer for English, Snowball's "english".

#include <string>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

/// Stems English words, less aggressively than porter_stemmer (generous does not become gener). Only
/// terms of three or more letters a to z and apostrophes are changed. O(length).
/// @par Source snowballstem.org/algorithms/english/stemmer.html, as of libstemmer 2.2
struct porter2_stemmer {
    static constexpr bool reduces_words = true; ///< see surface.hpp

    bool operator()(std::string& term) const;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/text/detail/porter2_stemmer_inl.hpp>
#endif
