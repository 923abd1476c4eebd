// SPDX-License-Identifier: MIT
#pragma once

/// Body of porter_stemmer.hpp.

#include <trawl/text/stemmers/porter_stemmer.hpp>

#include <string>

#include <trawl/text/detail/is_lower_ascii.hpp>
#include <trawl/text/detail/porter_word.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE bool porter_stemmer::operator()(std::string& term) const {
    if (term.size() > 2 && term.size() <= detail::porter_word::longest
        && detail::is_lower_ascii(term)) {
        detail::porter_word(term).stem();
    }
    return true;
}

TRAWL_END_NAMESPACE
