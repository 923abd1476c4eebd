// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of cluster_means.hpp.

#include <trawl/dense/detail/cluster_means.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/matrix.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/detail/flat_search.hpp>
#include <trawl/dense/detail/similarity.hpp>
#include <trawl/dense/detail/vector_table.hpp>
#include <trawl/dense/element.hpp>
#include <trawl/dense/metric.hpp>
#include <trawl/detail/cosine.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/detail/simd/dispatch.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// Means with one value more each: rows [c, -|c|^2 / 2].
[[nodiscard]] inline matrix<float> lifted_means(matrix_view<float const> means) {
    auto const dim = means.cols;
    matrix<float> lifted{std::vector<float>(means.rows * (dim + 1)), means.rows, dim + 1};
    for (std::size_t c = 0; c < means.rows; ++c) {
        auto const mean = means.row(c);
        auto const out = lifted.view().row(c);
        std::copy(mean.begin(), mean.end(), out.begin());
        out[dim] = static_cast<float>(-dot_in_double(mean.data(), mean.data(), dim) / 2);
    }
    return lifted;
}

inline void nearest_of(
    vector_table const& lifted, matrix_view<float const> rows, std::span<std::uint32_t> out) {
    auto const found = search_vectors(lifted, rows, {.k = 1});
    for (std::size_t i = 0; i < rows.rows; ++i) out[i] = found[i].at(0).id;
}

TRAWL_INLINE cluster_means::cluster_means()
    : lifted_("cluster_means", metric::dot_product, 1, element_type::float32),
      narrow_("cluster_means", metric::euclidean, 1, element_type::bfloat16) {}

TRAWL_INLINE cluster_means::cluster_means(
    matrix<float> means, std::span<float const> centre, metric how)
    : how_(how),
      means_(std::move(means)),
      differences_{std::vector<float>(means_.values.size()), means_.rows, means_.cols},
      with_centre_(means_.rows),
      lifted_("cluster_means", metric::dot_product, means_.cols + 1, element_type::float32),
      narrow_("cluster_means", how == metric::dot_product ? metric::dot_product : metric::euclidean,
          means_.cols, element_type::bfloat16) {
    for (std::size_t c = 0; c < means_.rows; ++c) {
        auto const row = differences_.view().row(c);
        for (std::size_t i = 0; i < row.size(); ++i) {
            row[i] = static_cast<float>(
                static_cast<double>(mean(c)[i]) - static_cast<double>(centre[i]));
        }
        with_centre_[c] = dot_in_double(row.data(), centre.data(), row.size());
    }
    lifted_.append(0, lifted_means(differences_.view()).view());
    narrow_.append(0, std::as_const(differences_).view());
}

TRAWL_INLINE matrix<float> cluster_means::selected(std::span<std::uint32_t const> clusters) const {
    matrix<float> made{
        std::vector<float>(clusters.size() * means_.cols), clusters.size(), means_.cols};
    for (std::size_t i = 0; i < clusters.size(); ++i)
        std::copy_n(mean(clusters[i]).begin(), means_.cols, made.view().row(i).begin());
    return made;
}

TRAWL_INLINE ranking cluster_means::best(
    std::span<float const> query, std::size_t n, filter among) const {
    auto found = search_vectors(narrow_, query, n, std::move(among));
    if (how_ != metric::dot_product) {
        for (auto& h : found) h.score /= 2;
    }
    return found;
}

TRAWL_INLINE double cluster_means::constant(
    std::size_t c, std::span<float const> query) const noexcept {
    auto const& with = narrow_.kernels();
    auto const* const row = differences_.view().row(c).data();
    float sum = 0;
    if (how_ == metric::euclidean) {
        with.squared_distance_rows(query.data(), &row, 1, query.size(), &sum);
        return -static_cast<double>(sum);
    }
    with.dot_rows(query.data(), &row, 1, query.size(), &sum);
    return rounded(static_cast<double>(sum) + with_centre_[c]);
}

TRAWL_INLINE void cluster_means::nearest(
    matrix_view<float const> rows, std::span<std::uint32_t> out) const {
    nearest_of(lifted_, rows, out);
}

TRAWL_INLINE matrix<float> k_means(matrix_view<float const> rows, std::size_t count,
    std::size_t iterations, std::uint64_t seed, executor const* pool) {
    auto const dim = rows.cols - 1;
    random from(seed);
    std::vector<std::uint32_t> order(rows.rows);
    std::iota(order.begin(), order.end(), 0u);
    from.shuffle(std::span(order));
    matrix<float> means{std::vector<float>(count * dim), count, dim};
    auto const start_at = [&](std::size_t c, std::size_t row) {
        std::copy_n(rows.row(row).begin(), dim, means.view().row(c).begin());
    };
    for (std::size_t c = 0; c < count; ++c) start_at(c, order[c]);

    std::vector<std::uint32_t> nearest(rows.rows);
    for (std::size_t round = 0; round < iterations; ++round) {
        vector_table current("k_means", metric::dot_product, rows.cols, element_type::float32);
        current.append(0, lifted_means(means.view()).view());
        run_tasks(pool, (rows.rows + cluster_task - 1) / cluster_task, [&](std::size_t t) {
            auto const first = t * cluster_task;
            auto const size = (std::min)(rows.rows - first, cluster_task);
            nearest_of(current, {rows.row(first).data(), size, rows.cols},
                std::span(nearest).subspan(first, size));
        });
        std::vector<double> sums(count * dim);
        std::vector<std::size_t> sizes(count);
        for (std::size_t i = 0; i < rows.rows; ++i) {
            ++sizes[nearest[i]];
            auto* const sum = sums.data() + nearest[i] * dim;
            for (std::size_t d = 0; d < dim; ++d)
                sum[d] = rounded(sum[d] + static_cast<double>(rows.row(i)[d]));
        }
        for (std::size_t c = 0; c < count; ++c) {
            if (sizes[c] > 0) {
                for (std::size_t d = 0; d < dim; ++d) {
                    means.values[c * dim + d] = static_cast<float>(
                        divided(sums[c * dim + d], static_cast<double>(sizes[c])));
                }
                continue;
            }
            auto const largest = static_cast<std::size_t>(
                std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
            auto row = from.below(rows.rows);
            while (nearest[row] != largest) row = (row + 1) % rows.rows;
            start_at(c, row);
            nearest[row] = static_cast<std::uint32_t>(c);
            --sizes[largest];
            sizes[c] = 1;
        }
    }
    return means;
}

} // namespace detail
TRAWL_END_NAMESPACE
