// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of coded_search.hpp.

#include <trawl/dense/detail/coded_search.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/top_k.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/detail/coded_query.hpp>
#include <trawl/dense/detail/coded_rows.hpp>
#include <trawl/dense/detail/collector.hpp>
#include <trawl/dense/detail/flat_search.hpp>
#include <trawl/dense/detail/vector_encoder.hpp>
#include <trawl/dense/detail/vector_table.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/cosine.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/simd/dispatch.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE measured_vector coded_part(
    vector_encoder const& encoder, kernels const& with, float const* vector) noexcept {
    return {vector, inverse_length(with, vector, encoder.dim())};
}

TRAWL_INLINE void encode_rows(coded_rows& codes, vector_encoder const& encoder, kernels const& with,
    std::size_t first, std::size_t count, function_ref<float const*(std::size_t)> vector,
    executor const* pool) {
    // Rows whose one-bit codes share bytes stay in one task; memory comes before the work.
    constexpr std::size_t rows_of_task = 512;
    auto const begin = first / rows_of_task;
    auto const end = (first + count + rows_of_task - 1) / rows_of_task;
    std::vector<float> space((end - begin) * encoder.workspace());
    run_tasks(pool, end - begin, [&](std::size_t t) {
        auto const from = (std::max)(first, (begin + t) * rows_of_task);
        auto const to = (std::min)(first + count, (begin + t + 1) * rows_of_task);
        auto const mine = std::span(space).subspan(t * encoder.workspace(), encoder.workspace());
        for (auto row = from; row < to; ++row) {
            codes.encode(encoder, coded_part(encoder, with, vector(row - first)), encoder.centre(),
                row, mine);
        }
    });
}

TRAWL_INLINE float whole_estimate(metric how, coded_query const& q, float estimate) noexcept {
    auto const score = narrowed(rounded(static_cast<double>(estimate) + q.constant));
    switch (how) {
    case metric::cosine:
        return std::clamp(score, -1.0f, 1.0f);
    case metric::euclidean:
        return (std::min)(score, 0.0f);
    case metric::dot_product:
        break;
    }
    return score;
}

// The best documents of each query by estimate.
[[nodiscard]] inline std::vector<ranking> best_estimates(vector_table const& table,
    vector_encoder const& encoder, coded_view const& codes, std::span<coded_query const> queries,
    search_options const& options) {
    auto const& documents = table.documents();
    // Places in memory that are read at once; of one bit, four take a fifth longer than one.
    std::size_t const streams = encoder.kind() == code_kind::int8 ? block_group::most : 1;
    return scan_in_tasks(documents.blocks(), queries.size(), options, collector::of_best(options.k),
        [&](std::size_t first, std::size_t last, array_ref<collector> best) {
            auto const step = (last - first + streams - 1) / streams;
            for (std::size_t b = first; b < first + step; ++b) {
                block_group group;
                for (auto at = b; at < last; at += step) {
                    auto const bits = documents.eligible(at, options.where);
                    if (bits == 0) continue;
                    group.numbers[group.count] = at;
                    group.bits[group.count++] = bits;
                }
                if (group.count == 0) continue;
                if (options.stopped()) return;
                for (std::size_t q = 0; q < queries.size(); ++q) {
                    codes.estimate(encoder, table.kernels(), queries[q], group, best[q].threshold(),
                        [&](std::size_t row, float estimate) {
                            best[q].push({documents.id(row), estimate});
                        });
                }
            }
        });
}

TRAWL_INLINE std::vector<ranking> search_codes(vector_table const& table,
    vector_encoder const& encoder, coded_view const& codes, matrix_view<float const> queries,
    std::size_t candidates, search_options const& options) {
    if (options.k == 0 || table.documents().live() == 0) return std::vector<ranking>(queries.rows);
    std::vector<coded_query> coded;
    coded.reserve(queries.rows);
    for (std::size_t i = 0; i < queries.rows; ++i)
        coded.push_back(
            encoder.encode(coded_part(encoder, table.kernels(), queries.row(i).data())));
    auto wider = options;
    wider.k = (std::max)(options.k, candidates);
    auto found = best_estimates(table, encoder, codes, coded, wider);
    for (std::size_t i = 0; i < queries.rows; ++i) {
        auto& hits = found[i];
        for (auto& h : hits) h.score = whole_estimate(table.how(), coded[i], h.score);
        if (table.keeps_values()) {
            rescore(table, queries.row(i), hits, candidates, options.k);
        } else {
            keep_best(hits, options.k); // sorts: scores that were clamped may tie
        }
    }
    return found;
}

} // namespace detail
TRAWL_END_NAMESPACE
