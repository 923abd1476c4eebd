// SPDX-License-Identifier: MIT
#pragma once

/// Scores of float vectors under a metric. detail/cosine.hpp says how a cosine is made. A pair
/// whose float sum overflows under the other metrics is multiplied in double, and the result
/// clamped to the range of float. Underflow is rounding: a product below 1e-45 counts as 0.

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include <trawl/core/explanation.hpp>
#include <trawl/dense/metric.hpp>
#include <trawl/detail/cosine.hpp>
#include <trawl/detail/floating_point.hpp>
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
    /// @throws trawl::error (invalid_argument) if TRAWL_FORCE_ISA names a level that this machine
    /// lacks.
    similarity(metric how, std::size_t dim) : how_(how), dim_(dim), kernels_(&active_kernels()) {}

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

    /// The same for rows of half-sized numbers, if the level has it.
    [[nodiscard]] half_row_kernel bfloat16_kernel() const noexcept {
        return how_ == metric::euclidean ? kernels_->squared_distance_bfloat16_rows
                                         : kernels_->dot_bfloat16_rows;
    }
    [[nodiscard]] half_row_kernel float16_kernel() const noexcept {
        return how_ == metric::euclidean ? kernels_->squared_distance_float16_rows
                                         : kernels_->dot_float16_rows;
    }

    /// The score, from the kernel's sum; of ordinary vectors, the sum and their lengths suffice.
    [[nodiscard]] float finish(
        measured_vector const& query, measured_vector const& row, float sum) const noexcept {
        switch (how_) {
        case metric::cosine:
            return cosine_of(dot_of(query, row, sum, dim_), query, row);
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

    /// For ordinary vectors: a row whose sum times factor(row) is below floor(query, score) scores
    /// less.
    [[nodiscard]] float factor(double inverse_length_of_row) const noexcept {
        return how_ == metric::cosine        ? static_cast<float>(inverse_length_of_row)
               : how_ == metric::dot_product ? 1.0f
                                             : -1.0f;
    }
    [[nodiscard]] float floor(measured_vector const& query, float score) const noexcept {
        constexpr auto most = (std::numeric_limits<float>::max)();
        if (!(score > -most)) return -most;
        if (how_ != metric::cosine) return score;
        // All cosines of -1 and less are -1; a zero query has cosine 0 with everything.
        if (score <= -1 || query.inverse_length == 0) return -most;
        auto const sum = static_cast<double>(score) / query.inverse_length;
        // Farther down than the roundings of the factor and its product can reach.
        return static_cast<float>(sum - std::fabs(sum) * 0x1p-20 - 0x1p-120);
    }

    [[nodiscard]] float score(
        measured_vector const& query, measured_vector const& row) const noexcept {
        float sum = 0;
        rows_kernel()(query.values, &row.values, 1, dim_, &sum);
        return finish(query, row, sum);
    }

    /// The score of one row, and how it comes about.
    [[nodiscard]] explanation explain(
        measured_vector const& query, measured_vector const& row) const {
        if (how_ != metric::cosine) {
            return {.label = how_ == metric::dot_product
                                 ? "dot product of query and document"
                                 : "minus the squared distance of query and document",
                .value = static_cast<double>(score(query, row))};
        }
        float sum = 0;
        kernels_->dot_rows(query.values, &row.values, 1, dim_, &sum);
        auto const product = dot_of(query, row, sum, dim_);
        explanation tree{.op = operation::round,
            .label = "cosine of query and document",
            .children = {{.op = operation::product,
                .label = "cosine, in double",
                .value = unrounded_cosine(product, query, row),
                .children = {{.label = "dot product", .value = product},
                    {.label = "1 / length of the query", .value = query.inverse_length},
                    {.label = "1 / length of the document", .value = row.inverse_length}}}}};
        tree.value = static_cast<double>(static_cast<float>(tree.children[0].value));
        if (tree.value > 1)
            return {operation::min, "clamped", 1,
                {std::move(tree), {.label = "largest cosine", .value = 1}}};
        if (tree.value < -1)
            return {operation::max, "clamped", -1,
                {std::move(tree), {.label = "least cosine", .value = -1}}};
        return tree;
    }

private:
    metric how_;
    std::size_t dim_;
    kernels const* kernels_;
};

} // namespace detail
TRAWL_END_NAMESPACE
