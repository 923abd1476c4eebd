// SPDX-License-Identifier: MIT
#pragma once

/// Searches an index of several fields by BM25F: the engine of bm25f_index.

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
class bm25f_engine : public lexical_engine {
public:
    /// @throws trawl::error (invalid_argument) also if there is no field.
    bm25f_engine(std::vector<bm25_field> fields, bm25 const& parameters, index_options options);
    explicit bm25f_engine(lexical_engine&& opened) noexcept : lexical_engine(std::move(opened)) {}

    [[nodiscard]] ranking search(
        analyzer_ref analyze, query const& q, search_options const& options) const;
    [[nodiscard]] std::vector<ranking> search(
        analyzer_ref analyze, std::span<query const> queries, search_options const& options) const;
    [[nodiscard]] std::vector<hit> score(analyzer_ref analyze, query const& q,
        std::span<doc_id const> ids, search_options const& options) const;
    [[nodiscard]] explanation explain(
        analyzer_ref analyze, query const& q, doc_id id, search_options const& options) const;

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
#include <trawl/lexical/detail/bm25f_engine_inl.hpp>
#endif
