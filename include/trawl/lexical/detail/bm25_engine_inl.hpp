// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of bm25_engine.hpp.

#include <trawl/lexical/detail/bm25_engine.hpp>

#include <cstddef>
#include <string_view>

#include <trawl/detail/buffer.hpp>
#include <trawl/lexical/detail/scoring/bm25_scorer.hpp>
#include <trawl/lexical/detail/segments/inverted_index.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] TRAWL_INLINE bm25_scorer scorer_of(index_reader const& index, bm25 const& parameters,
    analyzer_ref analyze, query const& q, search_options const& options) {
    auto const& field = index->front();
    buffer<bm25_scorer::asked_term> asked;
    asked.reserve(q.terms.empty() ? 8 : q.terms.size());
    auto const ask = [&](std::string_view term, double weight) {
        if (auto const known = field->find(term)) asked.push_back({*known, weight});
    };
    for (auto const& [term, weight] : q.terms) {
        check_term_weight(term, weight);
        ask(term, weight);
    }
    if (q.terms.empty()) {
        analyze.tokens(q.text, [&](token const& t) {
            if (!t.term.empty()) ask(t.term, 1);
        });
    }
    return {field, parameters, std::move(asked), options};
}

TRAWL_INLINE ranking bm25_engine::search(
    analyzer_ref analyze, query const& q, search_options const& options) const {
    return scorer_of(read(), parameters(), analyze, q, options).search();
}

TRAWL_INLINE std::vector<ranking> bm25_engine::search(
    analyzer_ref analyze, std::span<query const> queries, search_options const& options) const {
    auto const index = read();
    std::vector<ranking> found(queries.size());
    run_tasks(options.executor, queries.size(), [&](std::size_t i) {
        found[i] = scorer_of(index, parameters(), analyze, queries[i], options).search();
    });
    return found;
}

TRAWL_INLINE std::vector<hit> bm25_engine::score(analyzer_ref analyze, query const& q,
    std::span<doc_id const> ids, search_options const& options) const {
    if (q.text.empty() && q.terms.empty()) return {};
    return scorer_of(read(), parameters(), analyze, q, options).score(ids);
}

TRAWL_INLINE explanation bm25_engine::explain(
    analyzer_ref analyze, query const& q, doc_id id, search_options const& options) const {
    return scorer_of(read(), parameters(), analyze, q, options).explain(id);
}

} // namespace detail
TRAWL_END_NAMESPACE
