// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of inverted_lists.hpp.

#include <trawl/dense/detail/inverted_lists.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/filter.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/core/top_k.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/detail/cluster_means.hpp>
#include <trawl/dense/detail/coded_query.hpp>
#include <trawl/dense/detail/coded_rows.hpp>
#include <trawl/dense/detail/document_table.hpp>
#include <trawl/dense/detail/vector_encoder.hpp>
#include <trawl/dense/metric.hpp>
#include <trawl/detail/cosine.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/math.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE void inverted_lists::reserve_more(std::size_t l, std::size_t count) {
    lists[l].coded.reserve_more(encoder, count);
    make_room(lists[l].rows, count);
    make_room(lists[l].live, count / 64 + 1);
}

TRAWL_INLINE void inverted_lists::reserve_more(std::span<std::uint32_t const> nearest) {
    std::vector<std::uint32_t> sorted(nearest.begin(), nearest.end());
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size();) {
        auto const first = i;
        while (i < sorted.size() && sorted[i] == sorted[first]) ++i;
        reserve_more(sorted[first], i - first);
    }
    make_room(places, nearest.size());
}

TRAWL_INLINE void inverted_lists::put(
    std::uint32_t l, std::size_t row, measured_vector const& v, std::span<float> space) noexcept {
    auto& to = lists[l];
    auto const entry = to.rows.size();
    to.coded.append(encoder, 1);
    to.coded.encode(encoder, v, means.mean(l), entry, space);
    to.rows.push_back(static_cast<std::uint32_t>(row));
    to.live.resize(entry / 64 + 1);
    to.live[entry / 64] |= std::uint64_t{1} << entry % 64;
    ++to.size;
    if (places.size() <= row) places.resize(row + 1);
    places[row] = {l, static_cast<std::uint32_t>(entry)};
}

TRAWL_INLINE void inverted_lists::take_out(std::size_t row) noexcept {
    auto const [l, entry] = places[row];
    lists[l].live[entry / 64] &= ~(std::uint64_t{1} << entry % 64);
    if (--lists[l].size > 0) return;
    occupied.erase(l);
    ++vacant;
}

TRAWL_INLINE void inverted_lists::occupy(std::uint32_t l) noexcept {
    if (occupied.contains(l)) return;
    occupied.insert(l);
    --vacant;
}

TRAWL_INLINE void inverted_lists::recount() {
    doc_set counted(lists.size());
    vacant = 0;
    for (std::size_t l = 0; l < lists.size(); ++l) {
        auto& each = lists[l];
        each.size = 0;
        for (auto const word : each.live)
            each.size += static_cast<std::size_t>(std::popcount(word));
        if (each.size > 0)
            counted.insert(static_cast<doc_id>(l));
        else
            ++vacant;
    }
    occupied = std::move(counted);
}

TRAWL_INLINE void inverted_lists::compact(
    std::span<std::uint32_t const> moved_to, std::size_t rows) noexcept {
    for (std::size_t l = 0; l < lists.size(); ++l) {
        auto& from = lists[l];
        std::size_t to = 0;
        for (std::size_t entry = 0; entry < from.rows.size(); ++entry) {
            if ((from.live[entry / 64] >> entry % 64 & 1) == 0) continue;
            from.coded.move(encoder, entry, to);
            auto const row = moved_to[from.rows[entry]];
            from.rows[to] = row; // not above the old number: what is overwritten has been read
            ++to;
        }
        from.coded.cut(encoder, to);
        from.rows.resize(to);
        from.rows.shrink_to_fit();
        from.live.resize((to + 63) / 64);
        from.live.shrink_to_fit();
        std::fill(from.live.begin(), from.live.end(), ~std::uint64_t{0});
        if (to % 64 != 0) from.live.back() = (std::uint64_t{1} << to % 64) - 1;
    }
    places.resize(rows);
    for (std::size_t l = 0; l < lists.size(); ++l) {
        for (std::size_t entry = 0; entry < lists[l].rows.size(); ++entry)
            places[lists[l].rows[entry]] = {
                static_cast<std::uint32_t>(l), static_cast<std::uint32_t>(entry)};
    }
}

TRAWL_INLINE void inverted_lists::drop_empty(metric how) {
    if (vacant == 0) return;
    std::vector<std::uint32_t> kept;
    for (std::size_t l = 0; l < lists.size(); ++l)
        if (lists[l].size > 0) kept.push_back(static_cast<std::uint32_t>(l));
    auto all = doc_set::all(kept.size());
    means =
        kept.empty() ? cluster_means() : cluster_means(means.selected(kept), encoder.centre(), how);
    // From here on nothing can fail.
    occupied = std::move(all);
    vacant = 0;
    for (std::size_t to = 0; to < kept.size(); ++to) {
        if (kept[to] != to) lists[to] = std::move(lists[kept[to]]);
        for (auto const row : lists[to].rows) {
            if (places[row].list == kept[to]) places[row].list = static_cast<std::uint32_t>(to);
        }
    }
    lists.resize(kept.size());
}

TRAWL_INLINE std::size_t inverted_lists::read(std::size_t l, coded_query const& q, double constant,
    document_table const& documents, filter const& where, kernels const& with, top_k& best) const {
    auto const& from = lists[l];
    std::size_t seen = 0;
    for (std::size_t b = 0; b < from.live.size(); ++b) {
        auto bits = from.live[b];
        if (!where.admits_all()) {
            for (auto rest = bits; rest != 0; rest &= rest - 1) {
                auto const i = static_cast<std::size_t>(std::countr_zero(rest));
                if (!where.admits(documents.id(from.rows[b * 64 + i])))
                    bits &= ~(std::uint64_t{1} << i);
            }
        }
        if (bits == 0) continue;
        seen += static_cast<std::size_t>(std::popcount(bits));
        // Farther down than the rounding of the sum below can reach.
        auto const least = static_cast<double>(best.threshold()) - constant;
        auto const threshold =
            least - (math::fabs(least) + math::fabs(constant)) * 0x1p-20 - 0x1p-120;
        block_group group;
        group.count = 1;
        group.numbers[0] = b;
        group.bits[0] = bits;
        from.coded.view().estimate(
            encoder, with, q, group, narrowed(threshold), [&](std::size_t entry, float estimate) {
                best.push({documents.id(from.rows[entry]),
                    narrowed(rounded(static_cast<double>(estimate) + constant))});
            });
    }
    return seen;
}

TRAWL_INLINE inverted_lists divided(vector_encoder encoder, cluster_means means,
    std::span<std::uint32_t const> rows, std::span<std::uint32_t const> nearest,
    std::size_t all_rows, executor const* pool, function_ref<measured_vector(std::size_t)> row) {
    inverted_lists made{.encoder = std::move(encoder), .means = std::move(means)};
    std::vector<std::vector<std::uint32_t>> members(made.means.size());
    for (std::size_t i = 0; i < rows.size(); ++i) members[nearest[i]].push_back(rows[i]);
    made.lists.resize(members.size());
    made.places.resize(all_rows);
    run_tasks(pool, members.size(), [&](std::size_t l) {
        std::vector<float> space(made.encoder.workspace());
        made.reserve_more(l, members[l].size());
        for (auto const r : members[l]) made.put(static_cast<std::uint32_t>(l), r, row(r), space);
    });
    made.recount();
    return made;
}

} // namespace detail
TRAWL_END_NAMESPACE
