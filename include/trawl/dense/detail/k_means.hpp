// SPDX-License-Identifier: MIT
#pragma once

/// k-means clustering of vectors, the same bits for the same seed on every machine and any number
/// of threads.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/matrix.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/element.hpp>
#include <trawl/dense/flat_index.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/random.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The means of clusters, and which of them is nearest. To be compared by dot products alone,
/// vectors have one value more: [v, 1] and [c, -|c|^2 / 2] have the largest dot product where |v -
/// c| is least.
class cluster_means {
public:
    cluster_means() : lifted_(1, metric::dot_product), narrow_(1, metric::dot_product) {}

    /// @param means  [n x dim].
    explicit cluster_means(matrix<float> means)
        : lifted_(means.cols + 1, metric::dot_product),
          narrow_(means.cols + 1, metric::dot_product),
          means_(std::move(means)) {
        std::vector<float> lifted(means_.cols + 1);
        for (std::size_t c = 0; c < means_.rows; ++c) {
            auto const mean = means_.view().row(c);
            std::copy(mean.begin(), mean.end(), lifted.begin());
            lifted.back() =
                static_cast<float>(-dot_in_double(mean.data(), mean.data(), mean.size()) / 2);
            half_squares_.push_back(
                -static_cast<double>(as_float(stored_as<bfloat16>(lifted.back()))));
            lifted_.add(lifted);
            narrow_.add(lifted);
        }
    }

    [[nodiscard]] std::size_t size() const noexcept { return means_.rows; }
    [[nodiscard]] std::span<float const> values() const noexcept { return means_.values; }
    [[nodiscard]] std::span<float const> mean(std::size_t c) const noexcept {
        return means_.view().row(c);
    }
    /// |c|^2 / 2, as best() rounds it.
    [[nodiscard]] double half_square(std::size_t c) const noexcept { return half_squares_[c]; }

    /// The n best by dot product with [v, last], `lifted` [dim + 1], of the means rounded to
    /// bfloat16: half as much to read.
    [[nodiscard]] ranking best(std::span<float const> lifted, std::size_t n) const {
        return narrow_.search(lifted, n);
    }

    /// The nearest to each row; rows [n x dim + 1] end with 1. Ties go to the lower number.
    void nearest(matrix_view<float const> rows, std::span<std::uint32_t> out) const {
        auto const found = lifted_.search(rows, {.k = 1});
        for (std::size_t i = 0; i < rows.rows; ++i) out[i] = found[i].at(0).id;
    }

private:
    flat_index lifted_;
    bfloat16_index narrow_;
    matrix<float> means_;
    std::vector<double> half_squares_;
};

/// Calls task(first, last) for consecutive parts of [0, count) of `part` each.
template <class Task>
void run_parts(executor const* where, std::size_t count, std::size_t part, Task&& task) {
    run_tasks(where, (count + part - 1) / part,
        [&](std::size_t t) { task(t * part, (std::min)(count, (t + 1) * part)); });
}

inline constexpr std::size_t cluster_part = 256; // rows that look for their nearest mean together

/// Lloyd's iterations from `count` of the rows, drawn at random. A cluster that loses all its rows
/// starts anew from one of the largest.
/// @param rows  [n x dim + 1], the last value of each 1, n >= count > 0.
/// @par Complexity O(iterations * n * count * dim).
[[nodiscard]] inline cluster_means k_means(matrix_view<float const> rows, std::size_t count,
    std::size_t iterations, std::uint64_t seed, executor const* where) {
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
        cluster_means const current(means);
        run_parts(where, rows.rows, cluster_part, [&](std::size_t first, std::size_t last) {
            current.nearest({rows.row(first).data(), last - first, rows.cols},
                std::span(nearest).subspan(first, last - first));
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
    return cluster_means(std::move(means));
}

} // namespace detail
TRAWL_END_NAMESPACE
