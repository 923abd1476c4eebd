// SPDX-License-Identifier: MIT
#pragma once

/// Random documents of two fields.

#include "lexical/whitespace.hpp"

#include <trawl/detail/random.hpp>
#include <trawl/lexical/bm25f_index.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace test {

using field_index = trawl::basic_bm25f_index<whitespace>;
using two_texts = std::array<std::string, 2>;

static_assert(trawl::scoring_retriever<field_index>);

inline std::array<std::string_view, 2> views(two_texts const& texts) {
    return {texts[0], texts[1]};
}

/// Few words, so that terms are shared, fields agree, scores tie and some terms are in most
/// documents.
inline std::string random_text(trawl::detail::random& random, std::size_t words) {
    std::string made;
    for (; words > 0; --words) made += std::to_string(random.below(1 + random.below(30))) + ' ';
    return made;
}

/// A short title and a longer text; each may be empty.
inline two_texts random_document(trawl::detail::random& random) {
    auto title = random_text(random, random.below(4));
    return {std::move(title), random_text(random, random.below(16))};
}

} // namespace test
