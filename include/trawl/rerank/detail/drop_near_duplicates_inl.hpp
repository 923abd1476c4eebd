// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of rerank/drop_near_duplicates.hpp.

#include <trawl/rerank/drop_near_duplicates.hpp>

#include <algorithm>
#include <vector>

#include <trawl/core/matrix_view.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/rerank/detail/cosines.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE void check_near_duplicates(near_duplicate_options const& options) {
    if (is_finite(options.cosine) && options.cosine > 0 && options.cosine <= 1) return;
    fail(errc::invalid_argument,
        join("drop_near_duplicates: cosine is ", options.cosine, ", must be in (0, 1]"));
}

TRAWL_INLINE ranking drop_similar(ranking candidates, std::size_t dim,
    function_ref<bool(doc_id, std::span<float>)> copy_vector, near_duplicate_options const& how,
    trace_ref trace) {
    auto const depth = (std::min)(how.depth, candidates.size());
    std::vector<float> values(depth * dim);
    for (std::size_t i = 0; i < depth; ++i) {
        auto const row = std::span(values).subspan(i * dim, dim);
        if (!copy_vector(candidates[i].id, row)) std::fill(row.begin(), row.end(), 0.0f);
        auto const bad = first_not_finite(row);
        if (bad < dim) {
            fail(errc::not_finite, join("drop_near_duplicates: the vector of document ",
                                       candidates[i].id, " has the value ", row[bad], " at ", bad));
        }
    }
    cosines const similar(matrix_view<float const>{values.data(), depth, dim});

    stage_trace unread;
    auto& log = trace.or_else(unread);
    log.name = "drop_near_duplicates";
    log.left = log.given;
    auto const own = own_of(log.given, candidates.size());
    std::vector<std::size_t> kept; // positions below depth
    std::size_t end = 0;
    std::size_t end_of_own = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        auto const same = [&](std::size_t earlier) {
            return similar.between(earlier, i) >= how.cosine;
        };
        if (i < depth && std::any_of(kept.begin(), kept.end(), same)) continue;
        if (i < depth) kept.push_back(i);
        candidates[end++] = candidates[i];
        if (i < own) end_of_own = end;
    }
    if (end < candidates.size())
        log.notes.push_back(
            join(candidates.size() - end, " candidates dropped, almost as one before"));
    if (own < candidates.size()) log.left->own = end_of_own;
    candidates.resize(end);
    return candidates;
}

} // namespace detail
TRAWL_END_NAMESPACE
