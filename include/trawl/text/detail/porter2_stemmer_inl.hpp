// SPDX-License-Identifier: MIT
#pragma once

/// Body of porter2_stemmer.hpp.

#include <trawl/text/stemmers/porter2_stemmer.hpp>

#include <string>

#include <trawl/text/detail/porter2_word.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE bool porter2_stemmer::operator()(std::string& term) const {
    for (char const c : term) {
        if ((c < 'a' || c > 'z') && c != '\'') return true;
    }
    if (term.size() > 2) detail::porter2_word(term).stem();
    return true;
}

TRAWL_END_NAMESPACE
