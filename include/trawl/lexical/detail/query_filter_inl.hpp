// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of query_filter.hpp.

#include <trawl/lexical/query_filter.hpp>

#include <string>
#include <utility>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The query, restricted to the field unless it names one itself.
[[nodiscard]] TRAWL_INLINE lexical_query placed_in(lexical_query q, std::string const& field) {
    if (q.field.empty()) q.field = field;
    return q;
}

/// The conditions of a query that is the root or an optional child.
[[nodiscard]] TRAWL_INLINE query_conditions demanded(lexical_query const& q) {
    query_conditions made;
    if (q.what == lexical_query::kind::words) return made;
    if (q.what != lexical_query::kind::combination) {
        made.required = q;
        return made;
    }
    if (!q.must_not.empty()) {
        made.forbidden = lexical_query{.field = q.field};
        made.forbidden->should = q.must_not;
        for (auto& child : made.forbidden->should) child.weight = 1; // 0 would be ignored there
    }
    if (!q.must.empty()) {
        made.required = lexical_query{.field = q.field};
        made.required->must = q.must;
        return made;
    }
    // One of the optional queries must match: that is a condition if each of them has one.
    lexical_query any{.field = q.field};
    for (auto const& child : q.should) {
        auto below = demanded(child);
        if (child.weight == 0) continue;
        if (below.empty()) return made;
        if (!below.required && q.should.size() > 1) return made;
        if (!below.required) { // an exclusion alone, of the only child
            if (!made.forbidden) made.forbidden = lexical_query{};
            made.forbidden->should.push_back(placed_in(std::move(*below.forbidden), q.field));
            return made;
        }
        if (below.forbidden) below.required = below.required->without(*below.forbidden);
        any.should.push_back(std::move(*below.required));
    }
    if (!any.should.empty()) made.required = std::move(any);
    return made;
}

} // namespace detail

TRAWL_INLINE query_conditions conditions_of(lexical_query const& q) {
    detail::check_depth(q);
    return detail::demanded(q);
}

TRAWL_END_NAMESPACE
