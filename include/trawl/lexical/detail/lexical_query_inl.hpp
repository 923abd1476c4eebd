// SPDX-License-Identifier: MIT
#pragma once

/// How structured queries are built and destroyed.

#include <trawl/lexical/lexical_query.hpp>

#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] TRAWL_INLINE bool is_deeper(lexical_query const& q, std::size_t levels) {
    for (auto const* const children : {&q.must, &q.should, &q.must_not}) {
        for (auto const& child : *children) {
            if (levels == 0 || is_deeper(child, levels - 1)) return true;
        }
    }
    return false;
}

TRAWL_INLINE void check_depth(lexical_query const& q) {
    if (!is_deeper(q, lexical_query::max_depth)) return;
    fail(errc::invalid_argument,
        join("lexical_query: nested more than ", lexical_query::max_depth, " levels deep; at most ",
            lexical_query::max_depth, " are allowed"));
}

} // namespace detail

TRAWL_INLINE lexical_query_list::~lexical_query_list() {
    // Only a chain that no search accepts is worth the memory that taking it apart needs.
    auto const too_deep = [&] {
        for (auto const& child : *this) {
            if (detail::is_deeper(child, lexical_query::max_depth)) return true;
        }
        return false;
    };
    if (!too_deep()) return;
    for (std::size_t i = 0; i < size(); ++i) {
        lexical_query at = std::move((*this)[i]);
        for (auto* const children : {&at.must, &at.should, &at.must_not}) {
            for (auto& child : *children) push_back(std::move(child));
            children->clear();
        }
    }
}

TRAWL_INLINE lexical_query lexical_query::times(double factor) const {
    auto copy = *this;
    copy.weight *= factor;
    return copy;
}

TRAWL_INLINE lexical_query lexical_query::in(std::string name) const {
    auto copy = *this;
    copy.field = std::move(name);
    return copy;
}

TRAWL_INLINE lexical_query lexical_query::also(lexical_query optional) const {
    auto both = combined();
    both.should.push_back(std::move(optional));
    return both;
}

TRAWL_INLINE lexical_query lexical_query::without(lexical_query excluded) const {
    auto both = combined();
    both.must_not.push_back(std::move(excluded));
    return both;
}

TRAWL_INLINE lexical_query lexical_query::combined() const {
    if (what == kind::combination && !must.empty() && weight == 1 && field.empty()) return *this;
    lexical_query outer;
    outer.must.push_back(*this);
    return outer;
}

namespace ask {

TRAWL_INLINE lexical_query words(std::string text) {
    return {.what = lexical_query::kind::words, .text = std::move(text)};
}

TRAWL_INLINE lexical_query every(std::string text) {
    return {.what = lexical_query::kind::every, .text = std::move(text)};
}

TRAWL_INLINE lexical_query phrase(std::string text, std::uint32_t slop) {
    return {.what = lexical_query::kind::phrase, .text = std::move(text), .distance = slop};
}

TRAWL_INLINE lexical_query prefix(std::string beginning) {
    return {.what = lexical_query::kind::prefix, .text = std::move(beginning)};
}

TRAWL_INLINE lexical_query fuzzy(std::string word, std::uint32_t edits) {
    return {.what = lexical_query::kind::fuzzy, .text = std::move(word), .distance = edits};
}

TRAWL_INLINE lexical_query all_of(std::initializer_list<lexical_query> queries) {
    return {.must = queries};
}

TRAWL_INLINE lexical_query any_of(std::initializer_list<lexical_query> queries) {
    return {.should = queries};
}

} // namespace ask
TRAWL_END_NAMESPACE
