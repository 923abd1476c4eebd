// SPDX-License-Identifier: MIT
#pragma once

/// Scores of float vectors under a metric. detail/cosine.hpp says how a cosine is made. A pair
/// whose float sum overflows under the other metrics is multiplied in double, and the result
/// clamped to the range of float. Underflow is rounding: a product below 1e-45 counts as 0.

#include <cstddef>
#include <limits>
#include <trawl/dense/metric.hpp>
#include <trawl/detail/cosine.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/math.hpp>
#include <trawl/detail/simd/dispatch.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline double squared_distance_in_double(
    float const* a, float const* b, std::size_t dim) noexcept {
    double sum = 0;
    for (std::size_t i = 0; i < dim; ++i) {
        auto const difference = rounded(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        sum = rounded(sum + rounded(difference * difference));
    }
    return sum;
}

[[nodiscard]] inline float negated(float value) noexcept { return rounded(0.0f) - value; }

[[nodiscard]] inline float saturated(double value) noexcept {
    constexpr auto most = (std::numeric_limits<float>::max)();
    if (value > static_cast<double>(most)) return most;
    if (value < -static_cast<double>(most)) return -most;
    return static_cast<float>(value);
}

/// A metric over vectors of one dimension.
class similarity {
public:
    /// @param with  The kernels, which must outlive it.
    similarity(metric how, std::size_t dim, kernels const& with) noexcept
        : how_(how), dim_(dim), kernels_(&with) {}

    [[nodiscard]] metric how() const noexcept { return how_; }
    [[nodiscard]] std::size_t dim() const noexcept { return dim_; }
    [[nodiscard]] kernels const& with() const noexcept { return *kernels_; }

    [[nodiscard]] measured_vector measured(float const* vector) const noexcept {
        return {vector, inverse_length(*kernels_, vector, dim_)};
    }

    /// The kernels whose sums finish() takes.
    [[nodiscard]] row_kernel rows_kernel() const noexcept {
        return how_ == metric::euclidean ? kernels_->squared_distance_rows : kernels_->dot_rows;
    }
    [[nodiscard]] tile_kernel queries_kernel() const noexcept {
        return how_ == metric::euclidean ? kernels_->squared_distance_tile : kernels_->dot_tile;
    }

    /// The same for rows of half-sized numbers; null if the instruction set has no such kernel.
    [[nodiscard]] half_row_kernel bfloat16_kernel() const noexcept {
        return how_ == metric::euclidean ? kernels_->squared_distance_bfloat16_rows
                                         : kernels_->dot_bfloat16_rows;
    }
    [[nodiscard]] half_row_kernel float16_kernel() const noexcept {
        return how_ == metric::euclidean ? kernels_->squared_distance_float16_rows
                                         : kernels_->dot_float16_rows;
    }

    /// The score, from the kernel's sum. The values of the row may be null if query and row are of
    /// ordinary length: then the sum and the lengths suffice. The result is not finite only if the
    /// row is not: it comes from a damaged file.
    [[nodiscard]] float finish(
        measured_vector const& query, measured_vector const& row, float sum) const noexcept {
        if (row.values == nullptr && !is_finite(sum)) return sum;
        switch (how_) {
        case metric::cosine: {
            auto const dot = dot_of(query, row, sum, dim_);
            return is_finite(dot) ? cosine_of(dot, query, row) : static_cast<float>(dot);
        }
        case metric::dot_product:
            return is_finite(sum) ? without_negative_zero(sum)
                                  : saturated(dot_in_double(query.values, row.values, dim_));
        case metric::euclidean:
            break;
        }
        return is_finite(sum)
                   ? negated(sum)
                   : saturated(-squared_distance_in_double(query.values, row.values, dim_));
    }

    /// For ordinary vectors: a row scores less than `score` if its sum times factor(row) is below
    /// threshold(query, score).
    [[nodiscard]] float factor(double inverse_length_of_row) const noexcept {
        return how_ == metric::cosine        ? static_cast<float>(inverse_length_of_row)
               : how_ == metric::dot_product ? 1.0f
                                             : -1.0f;
    }
    [[nodiscard]] float threshold(measured_vector const& query, float score) const noexcept {
        constexpr auto most = (std::numeric_limits<float>::max)();
        if (!(score > -most)) return -most;
        if (how_ != metric::cosine) return score;
        // All cosines of -1 and less are -1; a zero query has cosine 0 with everything.
        if (score <= -1 || query.inverse_length == 0) return -most;
        auto const sum = static_cast<double>(score) / query.inverse_length;
        // Farther down than the roundings of the factor and its product can reach.
        return static_cast<float>(sum - math::fabs(sum) * 0x1p-20 - 0x1p-120);
    }

    [[nodiscard]] float score(
        measured_vector const& query, measured_vector const& row) const noexcept {
        float sum = 0;
        rows_kernel()(query.values, &row.values, 1, dim_, &sum);
        return finish(query, row, sum);
    }

private:
    metric how_;
    std::size_t dim_;
    kernels const* kernels_;
};

} // namespace detail
TRAWL_END_NAMESPACE
