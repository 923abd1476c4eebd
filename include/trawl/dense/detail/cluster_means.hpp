// SPDX-License-Identifier: MIT
#pragma once

/// The means of an inverted file's lists, and k-means, which finds them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/filter.hpp>
#include <trawl/core/matrix.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/detail/vector_table.hpp>
#include <trawl/dense/metric.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Means of clusters [n x dim], as differences from a centre: what all vectors have in common would
/// cost the distances their precision.
///
/// The nearest mean of a vector v is found by dot products alone: [v, 1] and [c, -|c|^2 / 2] have
/// the largest one where |v - c| is least.
class cluster_means {
public:
    cluster_means();

    /// @param means   [n x dim]
    /// @param centre  [dim]
    cluster_means(matrix<float> means, std::span<float const> centre, metric how);

    [[nodiscard]] std::size_t size() const noexcept { return means_.rows; }
    [[nodiscard]] std::span<float const> values() const noexcept { return means_.values; }
    [[nodiscard]] std::span<float const> mean(std::size_t c) const noexcept {
        return means_.view().row(c);
    }
    /// The means of some clusters.
    [[nodiscard]] matrix<float> selected(std::span<std::uint32_t const> clusters) const;

    /// The n nearest means to a query [dim], which is given as its difference from the centre; where
    /// the metric is the dot product, as it is. The score is minus half the squared distance; the dot
    /// product, less the query's with the centre, where that is the metric. Means are rounded to
    /// bfloat16 for it, which is half as much to read.
    /// @param among  Which means, by their numbers.
    [[nodiscard]] ranking best(std::span<float const> query, std::size_t n, filter among) const;

    /// The constant that all estimates of a cluster's rows lack: minus the squared distance of
    /// query and mean, or their dot product.
    [[nodiscard]] double constant(std::size_t c, std::span<float const> query) const noexcept;

    /// The nearest mean to each row; rows [n x dim + 1] are differences from the centre and end with
    /// 1. Ties go to the lower number.
    void nearest(matrix_view<float const> rows, std::span<std::uint32_t> out) const;

private:
    metric how_ = metric::cosine;
    matrix<float> means_ = {};
    matrix<float> differences_ = {};       // from the centre
    std::vector<double> with_centre_ = {}; // their dot products with it
    vector_table lifted_;                  // differences and a value each, for nearest()
    vector_table narrow_;                  // differences, for best()
};

/// Lloyd's iterations from `count` of the rows, drawn at random. A cluster that loses all its rows
/// starts anew from one of the largest. The same bits for the same seed on every machine and any
/// number of threads.
/// @param rows  [n x dim + 1], the last value of each 1, n >= count > 0.
/// @returns the means [count x dim].
/// @par Complexity O(iterations * n * count * dim).
[[nodiscard]] matrix<float> k_means(matrix_view<float const> rows, std::size_t count,
    std::size_t iterations, std::uint64_t seed, executor const* pool);

/// Rows whose nearest means one task finds.
inline constexpr std::size_t cluster_task = 256;

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/dense/detail/cluster_means_inl.hpp>
#endif
