// SPDX-License-Identifier: MIT
#pragma once

/// Searches an index of one field for a lexical_query.

#include <trawl/lexical/lexical_query.hpp>

#include <trawl/lexical/detail/bm25_engine.hpp>
#include <trawl/lexical/detail/scoring/bm25_scorer.hpp>
#include <trawl/lexical/detail/search/boolean_query.hpp>
#include <trawl/lexical/detail/segments/inverted_index.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

using bm25_boolean_query = boolean_query<lexical_query, bm25_scorer>;

TRAWL_INLINE ranking bm25_engine::search(
    analyze_ref analyze, lexical_query const& q, search_options const& options) const {
    return bm25_boolean_query(bm25_scorer(read()->front(), parameters(), {}, options), {},
        this->options().positions, analyze, q, options)
        .search();
}

TRAWL_INLINE std::vector<hit> bm25_engine::score(analyze_ref analyze, lexical_query const& q,
    std::span<doc_id const> ids, search_options const& options) const {
    return bm25_boolean_query(bm25_scorer(read()->front(), parameters(), {}, options), {},
        this->options().positions, analyze, q, options)
        .score(ids);
}

TRAWL_INLINE explanation bm25_engine::explain(
    analyze_ref analyze, lexical_query const& q, doc_id id, search_options const& options) const {
    return bm25_boolean_query(bm25_scorer(read()->front(), parameters(), {}, options), {},
        this->options().positions, analyze, q, options)
        .explain(id);
}

} // namespace detail
TRAWL_END_NAMESPACE
