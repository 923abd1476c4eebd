// SPDX-License-Identifier: MIT
#pragma once

/// The judgements of many queries, as files of TREC and BEIR hold them.

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <trawl/core/function_ref.hpp>
#include <trawl/eval/judgements.hpp>
#include <trawl/eval/ordered_keys.hpp>

TRAWL_BEGIN_NAMESPACE

/// One judgement of a query. The texts are borrowed.
struct qrels_row {
    std::string_view query = {};
    std::string_view key = {};
    int value = 0; ///< the grade
};

/// Judgements by query. Queries and documents have ids in the byte order of their keys.
class qrels {
public:
    qrels() = default;

    /// @param rows  In any order.
    /// @throws trawl::error (duplicate_key) if a document is judged twice for one query.
    /// @par Complexity O(n log n).
    explicit qrels(std::span<qrels_row const> rows);
    qrels(std::initializer_list<qrels_row> rows)
        : qrels(std::span<qrels_row const>(rows.begin(), rows.size())) {}

    /// The same, with an error message of the caller's for a repeated row.
    /// @param on_duplicate  Called with the index of the row; it must throw.
    qrels(std::span<qrels_row const> rows, function_ref<void(std::size_t)> on_duplicate);

    /// The number of queries.
    [[nodiscard]] std::size_t size() const noexcept { return judgements_.size(); }

    /// The key of query i. @throws trawl::error (unknown_id) if i >= size().
    [[nodiscard]] std::string_view query(std::size_t i) const { return queries_.key(i); }

    /// The index of a query, or none. O(log size()).
    [[nodiscard]] std::optional<std::size_t> find(std::string_view query) const;

    /// The judgements of query i. Their document ids are those of documents().
    /// @throws trawl::error (unknown_id) if i >= size().
    [[nodiscard]] trawl::judgements const& judgements(std::size_t i) const;

    [[nodiscard]] ordered_keys const& queries() const noexcept { return queries_; }
    [[nodiscard]] ordered_keys const& documents() const noexcept { return documents_; }

private:
    void fill(std::span<qrels_row const> rows, function_ref<void(std::size_t)> on_duplicate);

    ordered_keys queries_;
    ordered_keys documents_;
    std::vector<trawl::judgements> judgements_;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/qrels_inl.hpp>
#endif
