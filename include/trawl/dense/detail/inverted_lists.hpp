// SPDX-License-Identifier: MIT
#pragma once

/// The lists of an inverted file, and which entry of which list stands for a row.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/filter.hpp>
#include <trawl/core/matrix.hpp>
#include <trawl/core/top_k.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/detail/coded_rows.hpp>
#include <trawl/dense/detail/inverted_list.hpp>
#include <trawl/dense/detail/k_means.hpp>
#include <trawl/dense/detail/vector_store.hpp>
#include <trawl/dense/metric.hpp>
#include <trawl/dense/vector_code.hpp>
#include <trawl/detail/cosine.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/simd/dispatch.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct inverted_lists {
    struct position {
        std::uint32_t list = 0;
        std::uint32_t in_list = 0;
    };

    one_bit_code code;
    cluster_means centres = {};
    std::vector<inverted_list> lists = {};
    std::vector<position> places = {}; // of each row
    detail::kernels const* kernels = &active_kernels();

    [[nodiscard]] std::size_t size() const noexcept { return lists.size(); }

    /// The lists of rows that were divided: row rows[i] goes to list nearest[i]. `of` is how many
    /// rows there are, measured(row) a row.
    template <class Measured>
    [[nodiscard]] static inverted_lists divided(one_bit_code code, cluster_means centres,
        std::span<std::size_t const> rows, std::span<std::uint32_t const> nearest, std::size_t of,
        executor const* where, Measured&& measured) {
        inverted_lists made{.code = std::move(code), .centres = std::move(centres)};
        std::vector<std::vector<std::uint32_t>> members(made.centres.size());
        for (std::size_t i = 0; i < rows.size(); ++i)
            members[nearest[i]].push_back(static_cast<std::uint32_t>(rows[i]));
        made.lists.resize(members.size());
        made.places.resize(of);
        run_tasks(where, members.size(), [&](std::size_t l) {
            made.lists[l].reserve_more(made.code, members[l].size());
            for (auto const row : members[l])
                made.put(static_cast<std::uint32_t>(l), row, measured(row));
        });
        return made;
    }

    /// Makes room for rows that will go to these lists, one each.
    void reserve_more(std::span<std::uint32_t const> nearest) {
        std::vector<std::size_t> more(size());
        for (auto const l : nearest) ++more[l];
        for (std::size_t l = 0; l < more.size(); ++l) {
            if (more[l] > 0) lists[l].reserve_more(code, more[l]);
        }
        make_room(places, nearest.size());
    }

    void put(std::uint32_t l, std::size_t row, measured_vector const& v) {
        places[row] = {l, lists[l].push(code, centres.mean(l), static_cast<std::uint32_t>(row), v)};
    }

    void take_out(std::size_t row) noexcept {
        auto const [l, at] = places[row];
        lists[l].live[at / 64] &= ~(std::uint64_t{1} << at % 64);
    }

    /// Drops what was taken out; the first `rows` places are already those of the rows' new
    /// numbers.
    void compact(std::span<std::uint32_t const> moved_to, std::size_t rows) {
        places.resize(rows);
        for (auto& list : lists) {
            list.compact(code, [&](std::uint32_t row, std::uint32_t at) {
                places[moved_to[row]].in_list = at;
                return moved_to[row];
            });
        }
    }

    /// Hands over a list's documents that the filter admits, as estimates but for what all have in
    /// common; says how many it has. id(row) is a row's document.
    /// @param centre  The list, and the dot product of the lifted query and the lifted centre.
    template <class Id>
    [[nodiscard]] std::size_t read(
        hit centre, coded_query const& q, metric how, filter where, Id&& id, top_k& best) const {
        auto const& from = lists[centre.id];
        auto const product = static_cast<double>(centre.score);
        auto const constant = how == metric::euclidean ? 2 * product
                              : how == metric::cosine
                                  ? rounded(product + centres.half_square(centre.id))
                                  : product;
        coded_rows<one_bit_code>::workspace space;
        std::size_t seen = 0;
        for (std::size_t b = 0; b < from.live.size(); ++b) {
            auto bits = from.live[b];
            if (!where.admits_all()) {
                for (auto rest = bits; rest != 0; rest &= rest - 1) {
                    auto const i = static_cast<std::size_t>(std::countr_zero(rest));
                    if (!where.admits(id(from.rows[b * 64 + i]))) bits &= ~(std::uint64_t{1} << i);
                }
            }
            if (bits == 0) continue;
            seen += static_cast<std::size_t>(std::popcount(bits));
            // Farther down than the rounding of the sum below can reach.
            auto const least = static_cast<double>(best.threshold()) - constant;
            auto const floor =
                least - (std::fabs(least) + std::fabs(constant)) * 0x1p-20 - 0x1p-120;
            from.coded.estimate(code, *kernels, q, {1, {b}, {bits}}, narrowed(floor), space,
                [&](std::size_t at, float estimate) {
                    best.push({id(from.rows[at]),
                        narrowed(rounded(static_cast<double>(estimate) + constant))});
                });
        }
        return seen;
    }
};

} // namespace detail
TRAWL_END_NAMESPACE
