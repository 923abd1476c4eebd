// SPDX-License-Identifier: MIT
#pragma once

/// Searches an index of one field by BM25: the engine of bm25_index.

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/core/doc_set.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/lexical/detail/lexical_engine.hpp>

TRAWL_BEGIN_NAMESPACE

struct lexical_query;

namespace detail {

/// basic_lexical_index documents the members.
class bm25_engine : public lexical_engine {
public:
    using lexical_engine::lexical_engine;
    explicit bm25_engine(lexical_engine&& opened) noexcept : lexical_engine(std::move(opened)) {}

    [[nodiscard]] ranking search(
        analyzer_ref analyze, query const& q, search_options const& options) const;
    [[nodiscard]] std::vector<ranking> search(
        analyzer_ref analyze, std::span<query const> queries, search_options const& options) const;
    [[nodiscard]] std::vector<hit> score(analyzer_ref analyze, query const& q,
        std::span<doc_id const> ids, search_options const& options) const;
    [[nodiscard]] explanation explain(
        analyzer_ref analyze, query const& q, doc_id id, search_options const& options) const;

    // Their bodies come with trawl/lexical/lexical_query.hpp.
    [[nodiscard]] ranking search(
        analyzer_ref analyze, lexical_query const& q, search_options const& options) const;
    [[nodiscard]] std::vector<hit> score(analyzer_ref analyze, lexical_query const& q,
        std::span<doc_id const> ids, search_options const& options) const;
    [[nodiscard]] explanation explain(analyzer_ref analyze, lexical_query const& q, doc_id id,
        search_options const& options) const;
    [[nodiscard]] std::optional<doc_set> matching(
        analyzer_ref analyze, lexical_query const& q) const;
    [[nodiscard]] std::vector<std::string> warnings(
        analyzer_ref analyze, lexical_query const& q) const;
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/lexical/detail/bm25_engine_inl.hpp>
#endif
