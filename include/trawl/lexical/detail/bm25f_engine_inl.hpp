// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of bm25f_engine.hpp.

#include <trawl/lexical/detail/bm25f_engine.hpp>
#include <trawl/lexical/lexical_query.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/detail/buffer.hpp>
#include <trawl/error.hpp>
#include <trawl/lexical/detail/scoring/field_scorer.hpp>
#include <trawl/lexical/detail/search/boolean_query.hpp>
#include <trawl/lexical/detail/segments/inverted_index.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] TRAWL_INLINE field_scorer scorer_of(index_reader index, bm25f_engine const& engine,
    analyzer_ref analyze, query const& q, search_options const& options) {
    buffer<field_scorer::asked_term> asked;
    for (auto const& [term, weight] : q.terms) {
        check_term_weight(term, weight);
        asked.push_back({std::string(term), weight});
    }
    if (q.terms.empty()) {
        analyze.tokens(q.text, [&](token const& t) {
            if (!t.term.empty()) asked.push_back({std::string(t.term), 1});
        });
    }
    return {std::move(index), engine.fields(), engine.parameters(), std::move(asked), options};
}

TRAWL_INLINE std::vector<bm25_field> at_least_one(std::vector<bm25_field> fields) {
    if (fields.empty()) fail(errc::invalid_argument, "bm25f_index: there must be a field");
    return fields;
}

TRAWL_INLINE bm25f_engine::bm25f_engine(
    std::vector<bm25_field> fields, bm25 const& parameters, index_options options)
    : lexical_engine(at_least_one(std::move(fields)), parameters, options) {}

TRAWL_INLINE ranking bm25f_engine::search(
    analyzer_ref analyze, query const& q, search_options const& options) const {
    return scorer_of(read(), *this, analyze, q, options).search();
}

TRAWL_INLINE std::vector<ranking> bm25f_engine::search(
    analyzer_ref analyze, std::span<query const> queries, search_options const& options) const {
    auto const index = read();
    std::vector<ranking> found(queries.size());
    run_tasks(options.executor, queries.size(), [&](std::size_t i) {
        found[i] = scorer_of(index, *this, analyze, queries[i], options).search();
    });
    return found;
}

TRAWL_INLINE std::vector<hit> bm25f_engine::score(analyzer_ref analyze, query const& q,
    std::span<doc_id const> ids, search_options const& options) const {
    if (q.text.empty() && q.terms.empty()) return {};
    return scorer_of(read(), *this, analyze, q, options).score(ids);
}

TRAWL_INLINE explanation bm25f_engine::explain(
    analyzer_ref analyze, query const& q, doc_id id, search_options const& options) const {
    return scorer_of(read(), *this, analyze, q, options).explain(id);
}

[[nodiscard]] TRAWL_INLINE boolean_query<field_scorer> boolean_query_of(bm25f_engine const& engine,
    analyzer_ref analyze, lexical_query const& q, search_options const& options, bool may_stop) {
    return {field_scorer(engine.read(), engine.fields(), engine.parameters(), {}, options),
        {engine.fields(), engine.options().positions, engine.options().surfaces, analyze}, q,
        options, may_stop};
}

TRAWL_INLINE ranking bm25f_engine::search(
    analyzer_ref analyze, lexical_query const& q, search_options const& options) const {
    return boolean_query_of(*this, analyze, q, options, true).search();
}

TRAWL_INLINE std::vector<hit> bm25f_engine::score(analyzer_ref analyze, lexical_query const& q,
    std::span<doc_id const> ids, search_options const& options) const {
    return boolean_query_of(*this, analyze, q, options, false).score(ids);
}

TRAWL_INLINE explanation bm25f_engine::explain(
    analyzer_ref analyze, lexical_query const& q, doc_id id, search_options const& options) const {
    return boolean_query_of(*this, analyze, q, options, false).explain(id);
}

TRAWL_INLINE std::optional<doc_set> bm25f_engine::matching(
    analyzer_ref analyze, lexical_query const& q) const {
    search_options const options;
    return boolean_query_of(*this, analyze, q, options, false).matching();
}

TRAWL_INLINE std::vector<std::string> bm25f_engine::warnings(
    analyzer_ref analyze, lexical_query const& q) const {
    search_options const options;
    return boolean_query_of(*this, analyze, q, options, false).notes();
}

} // namespace detail
TRAWL_END_NAMESPACE
