// SPDX-License-Identifier: MIT
#pragma once

/// Scores of float vectors under a metric: the kernels' sums, and what has to be done to them.
///
/// Cosine is float(dot * (1 / |q|) * (1 / |d|)), multiplied in double in this order, and clamped to [-1, 1].
/// The squared lengths come from the same kernel as dot, so that a vector has cosine 1 with itself, exactly.
/// Vectors so long or so short that a float sum of theirs could overflow or lose digits (1e30, 1e-30) are
/// multiplied in double instead; so is every pair whose float sum overflows under the other metrics, and the
/// result is clamped to the range of float. Underflow is rounding: a product below 1e-45 counts as 0.

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include <trawl/core/explanation.hpp>
#include <trawl/dense/metric.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/simd/dispatch.hpp>

namespace trawl::inline v0_1::detail {

// Products of floats are exact in double; the sum goes from first to last.
[[nodiscard]] inline double dot_in_double(float const* a, float const* b, std::size_t dim) noexcept {
    double sum = 0;
    for (std::size_t i = 0; i < dim; ++i)
        sum = rounded(sum + rounded(static_cast<double>(a[i]) * static_cast<double>(b[i])));
    return sum;
}

[[nodiscard]] inline double squared_distance_in_double(
    float const* a, float const* b, std::size_t dim) noexcept {
    double sum = 0;
    for (std::size_t i = 0; i < dim; ++i) {
        auto const difference = rounded(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        sum = rounded(sum + rounded(difference * difference));
    }
    return sum;
}

// -0 becomes 0: the sign of a zero sum depends on how the compiler starts it. The barrier hides the 0 that is
// added from compilers that may ignore the sign of zeros.
[[nodiscard]] inline float without_negative_zero(float value) noexcept { return rounded(0.0f) + value; }

[[nodiscard]] inline float negated(float value) noexcept { return rounded(0.0f) - value; }

[[nodiscard]] inline float saturated(double value) noexcept {
    constexpr auto most = (std::numeric_limits<float>::max)();
    if (value > static_cast<double>(most)) return most;
    if (value < -static_cast<double>(most)) return -most;
    return static_cast<float>(value);
}

/// A vector and, where the metric is cosine, 1 / its length (0 for a zero vector).
struct measured_vector {
    float const* values = nullptr;
    double inverse_length = 0;
};

/// A metric over vectors of one dimension.
class similarity {
public:
    /// @throws trawl::error (invalid_argument) if TRAWL_FORCE_ISA names a level that this machine lacks.
    similarity(metric how, std::size_t dim) : how_(how), dim_(dim), kernels_(&active_kernels()) {}

    [[nodiscard]] metric how() const noexcept { return how_; }
    [[nodiscard]] std::size_t dim() const noexcept { return dim_; }

    /// 1 / |vector|, 0 for a zero vector. Never overflows.
    [[nodiscard]] double inverse_length(float const* vector) const noexcept {
        float squared = 0;
        kernels_->dot_rows(vector, &vector, 1, dim_, &squared);
        auto const sum = is_finite(squared) && squared >= 0x1p-60f && squared <= 0x1p120f
                             ? static_cast<double>(squared)
                             : dot_in_double(vector, vector, dim_);
        return sum == 0 ? 0.0 : divided(1.0, rounded(std::sqrt(sum)));
    }

    /// scores[i] = score of rows[i]; `inverse_length_of(i)` is asked under cosine alone.
    template <class InverseLength>
    void score(measured_vector const& query, float const* const* rows, std::size_t count, float* scores,
        InverseLength&& inverse_length_of) const noexcept {
        auto const kernel = how_ == metric::euclidean ? kernels_->squared_distance_rows : kernels_->dot_rows;
        kernel(query.values, rows, count, dim_, scores);
        switch (how_) {
        case metric::cosine:
            for (std::size_t i = 0; i < count; ++i) {
                measured_vector const row{rows[i], inverse_length_of(i)};
                scores[i] = cosine(dot(query, row, scores[i]), query, row);
            }
            break;
        case metric::dot_product:
            for (std::size_t i = 0; i < count; ++i) {
                scores[i] = is_finite(scores[i]) ? without_negative_zero(scores[i])
                                                 : saturated(dot_in_double(query.values, rows[i], dim_));
            }
            break;
        case metric::euclidean:
            for (std::size_t i = 0; i < count; ++i) {
                scores[i] = is_finite(scores[i])
                                ? negated(scores[i])
                                : saturated(-squared_distance_in_double(query.values, rows[i], dim_));
            }
            break;
        }
    }

    /// The score of one row, and how it comes about.
    [[nodiscard]] explanation explain(measured_vector const& query, measured_vector const& row) const {
        float value = 0;
        score(query, &row.values, 1, &value, [&](std::size_t) { return row.inverse_length; });
        auto const score_value = static_cast<double>(value);
        if (how_ == metric::dot_product)
            return {.label = "dot product of query and document", .value = score_value};
        if (how_ == metric::euclidean)
            return {.label = "minus the squared distance of query and document", .value = score_value};

        float sum = 0;
        kernels_->dot_rows(query.values, &row.values, 1, dim_, &sum);
        auto const product = dot(query, row, sum);
        explanation tree{.op = operation::round,
            .label = "cosine of query and document",
            .parts = {{.op = operation::product,
                .label = "cosine, in double",
                .value = unrounded_cosine(product, query, row),
                .parts = {{.label = "dot product", .value = product},
                    {.label = "1 / length of the query", .value = query.inverse_length},
                    {.label = "1 / length of the document", .value = row.inverse_length}}}}};
        tree.value = static_cast<double>(static_cast<float>(tree.parts[0].value));
        if (tree.value > 1)
            return {operation::min, "clamped", 1, {std::move(tree), {.label = "largest cosine", .value = 1}}};
        if (tree.value < -1)
            return {operation::max, "clamped", -1, {std::move(tree), {.label = "least cosine", .value = -1}}};
        return tree;
    }

private:
    // Whether float sums of such vectors neither overflow nor lose digits.
    [[nodiscard]] static bool ordinary(measured_vector const& v) noexcept {
        return v.inverse_length == 0 || (v.inverse_length >= 0x1p-60 && v.inverse_length <= 0x1p30);
    }

    [[nodiscard]] double dot(
        measured_vector const& query, measured_vector const& row, float kernel_sum) const noexcept {
        return ordinary(query) && ordinary(row) ? static_cast<double>(without_negative_zero(kernel_sum))
                                                : dot_in_double(query.values, row.values, dim_);
    }

    [[nodiscard]] static double unrounded_cosine(
        double dot, measured_vector const& query, measured_vector const& row) noexcept {
        return rounded(rounded(dot * query.inverse_length) * row.inverse_length);
    }

    [[nodiscard]] static float cosine(
        double dot, measured_vector const& query, measured_vector const& row) noexcept {
        auto const value = static_cast<float>(unrounded_cosine(dot, query, row));
        return value > 1 ? 1.0f : value < -1 ? -1.0f : value;
    }

    metric how_;
    std::size_t dim_;
    kernels const* kernels_;
};

} // namespace trawl::inline v0_1::detail
