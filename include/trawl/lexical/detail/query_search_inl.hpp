// SPDX-License-Identifier: MIT
#pragma once

/// Searches an index of one field for a lexical_query.

#include <trawl/lexical/lexical_query.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <trawl/detail/buffer.hpp>
#include <trawl/lexical/detail/bm25_engine.hpp>
#include <trawl/lexical/detail/scoring/bm25_scorer.hpp>
#include <trawl/lexical/detail/search/boolean_query.hpp>
#include <trawl/lexical/detail/segments/inverted_index.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] TRAWL_INLINE boolean_query<bm25_scorer> boolean_query_of(bm25_engine const& engine,
    analyzer_ref analyze, lexical_query const& q, search_options const& options, bool may_stop) {
    return {bm25_scorer(engine.read()->front(), engine.parameters(), {}, options),
        {{}, engine.options().positions, engine.options().surfaces, analyze}, q, options, may_stop};
}

TRAWL_INLINE ranking bm25_engine::search(
    analyzer_ref analyze, lexical_query const& q, search_options const& options) const {
    return boolean_query_of(*this, analyze, q, options, true).search();
}

TRAWL_INLINE std::vector<hit> bm25_engine::score(analyzer_ref analyze, lexical_query const& q,
    std::span<doc_id const> ids, search_options const& options) const {
    return boolean_query_of(*this, analyze, q, options, false).score(ids);
}

TRAWL_INLINE explanation bm25_engine::explain(
    analyzer_ref analyze, lexical_query const& q, doc_id id, search_options const& options) const {
    return boolean_query_of(*this, analyze, q, options, false).explain(id);
}

TRAWL_INLINE std::optional<doc_set> bm25_engine::matching(
    analyzer_ref analyze, lexical_query const& q) const {
    search_options const options;
    return boolean_query_of(*this, analyze, q, options, false).matching();
}

TRAWL_INLINE std::vector<std::string> bm25_engine::warnings(
    analyzer_ref analyze, lexical_query const& q) const {
    search_options const options;
    return boolean_query_of(*this, analyze, q, options, false).notes();
}

} // namespace detail
TRAWL_END_NAMESPACE
