// SPDX-License-Identifier: MIT
#pragma once

/// The lists of an inverted file: the codes of the rows nearest to each mean, and where each row's
/// code is.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <trawl/core/doc_set.hpp>
#include <trawl/core/executor.hpp>
#include <trawl/core/filter.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/dense/detail/cluster_means.hpp>
#include <trawl/dense/detail/coded_rows.hpp>
#include <trawl/dense/detail/document_table.hpp>
#include <trawl/dense/detail/vector_encoder.hpp>

TRAWL_BEGIN_NAMESPACE

class top_k;

namespace detail {

/// The lists, their means and their encoder. Rows are those of the index's vector_table.
struct inverted_lists {
    struct list {
        coded_rows coded = {};
        std::vector<std::uint32_t> rows = {}; // of the vector_table, one an entry
        std::vector<std::uint64_t> live = {}; // bit i: entry i still stands for its row
        std::size_t size = 0;                 // live entries
    };
    struct position {
        std::uint32_t list = 0;
        std::uint32_t entry = 0;
    };

    vector_encoder encoder;
    cluster_means means = {};
    std::vector<list> lists = {};
    std::vector<position> places = {}; // of each row
    doc_set occupied = {};             // lists with live entries: only they are searched
    std::size_t vacant = 0;            // lists without

    [[nodiscard]] std::size_t size() const noexcept { return lists.size(); }

    /// Makes room for `count` entries in list l. If memory runs out, nothing changes.
    void reserve_more(std::size_t l, std::size_t count);

    /// Makes room for rows that will go to these lists, one each.
    void reserve_more(std::span<std::uint32_t const> nearest);

    /// Appends a row to list l, which has room for it. Until occupy(l), the list counts as vacant if
    /// it was.
    /// @param space  [encoder.workspace()]
    void put(std::uint32_t l, std::size_t row, measured_vector const& v,
        std::span<float> space) noexcept;

    void take_out(std::size_t row) noexcept;

    /// Marks list l as having live entries.
    void occupy(std::uint32_t l) noexcept;

    /// Counts the live entries of all lists.
    void recount();

    /// Drops the entries that were taken out, and gives the rows the numbers that
    /// document_table::compact() gives them: moved_to[old row].
    void compact(std::span<std::uint32_t const> moved_to, std::size_t rows) noexcept;

    /// Drops the lists without live entries.
    void drop_empty(metric how);

    /// Hands the documents of list l that the filter admits to `best`, with their estimates, and
    /// returns how many there are.
    /// @param constant  What the estimates of the list have in common.
    [[nodiscard]] std::size_t read(std::size_t l, coded_query const& q, double constant,
        document_table const& documents, filter const& where, kernels const& with,
        top_k& best) const;
};

/// Builds the lists: row rows[i] goes to list nearest[i].
/// @param all_rows  The number of rows of the table; row(r) is one.
[[nodiscard]] inverted_lists divided(vector_encoder encoder, cluster_means means,
    std::span<std::uint32_t const> rows, std::span<std::uint32_t const> nearest,
    std::size_t all_rows, executor const* pool, function_ref<measured_vector(std::size_t)> row);

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/dense/detail/inverted_lists_inl.hpp>
#endif
