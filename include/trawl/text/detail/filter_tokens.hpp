// SPDX-License-Identifier: MIT
#pragma once

/// What analyzers that filter the tokens of another one share.

#include <string>
#include <string_view>

#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Passes to sink each token of the base for which filter(term) is true and leaves the term not
/// empty. Positions and offsets stay those of the base.
template <class Base, class Filter>
void filter_tokens(Base const& base, std::string_view text, token_sink sink, Filter const& filter) {
    std::string term;
    base.analyze(text, [&](token const& t) {
        term.assign(t.term);
        if (filter(term) && !term.empty()) sink({term, t.position, t.begin, t.end});
    });
}

} // namespace detail
TRAWL_END_NAMESPACE
