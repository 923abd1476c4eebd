// SPDX-License-Identifier: MIT
#pragma once

/// Turns the conditions of a structured query into a filter, so that they bind every arm of a
/// hybrid search and not only the lexical one.

#include <algorithm>
#include <cstddef>
#include <optional>

#include <trawl/core/doc_set.hpp>
#include <trawl/core/words.hpp>
#include <trawl/lexical/lexical_query.hpp>

TRAWL_BEGIN_NAMESPACE

/// What a query demands of every document that is returned, whichever arm returns it. Empty if it
/// demands nothing.
struct query_conditions {
    /// Documents must match this; nothing if any document will do.
    std::optional<lexical_query> required = {};
    /// Documents must not match this; nothing if none is excluded.
    std::optional<lexical_query> forbidden = {};

    [[nodiscard]] bool empty() const noexcept { return !required && !forbidden; }
};

/// The conditions of a query: its `must` and `must_not`; phrases, prefixes, fuzzy words and `every`
/// that stand alone; and, if there is no `must` and every `should` child has conditions, that those
/// of one child hold. Optional plain words are no condition: a document found by its vector need
/// not contain them.
///
///     +refund -printer          required: refund; forbidden: printer
///     refund -printer           forbidden: printer
///     "dead lock" lock          none: either may be missing
///     "dead lock"               required: the phrase
///
/// @throws trawl::error (invalid_argument) for a query nested too deep.
/// @par Complexity O(size of the query).
[[nodiscard]] query_conditions conditions_of(lexical_query const& q);

/// The documents that fulfil the conditions of a query, exactly: a filter for every arm. Nothing if
/// the query has no conditions, or the analyzer leaves nothing of them.
/// @param index  decides which documents match; a document that it does not contain meets no
/// requirement, but no exclusion applies to it.
/// @param universe  of the set; at least index.next_id() is taken.
/// @throws trawl::error as conditions_of and index.matching.
/// @par Complexity that of index.matching for both conditions.
template <class Index>
[[nodiscard]] std::optional<doc_set> condition_filter(
    Index const& index, lexical_query const& q, std::size_t universe = 0) {
    auto const conditions = conditions_of(q);
    std::optional<doc_set> required;
    std::optional<doc_set> forbidden;
    if (conditions.required) required = index.matching(*conditions.required);
    if (conditions.forbidden) forbidden = index.matching(*conditions.forbidden);
    if (!required && !forbidden) return std::nullopt;
    universe = (std::max)(universe, std::size_t{index.next_id()});
    auto admitted = doc_set::all(universe);
    if (required) {
        admitted = doc_set(universe);
        required->for_each([&](doc_id id) { admitted.insert(id); });
    }
    if (forbidden) forbidden->for_each([&](doc_id id) { admitted.erase(id); });
    return admitted;
}

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/lexical/detail/query_filter_inl.hpp>
#endif
