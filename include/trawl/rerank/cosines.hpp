// SPDX-License-Identifier: MIT
#pragma once

/// Cosines between the vectors of candidates, with the bits of the dense arm's: the kernels' float sum, times
/// one inverse length after the other in double, rounded to float and clamped to [-1, 1].

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <trawl/core/matrix_view.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/simd/dispatch.hpp>

namespace trawl::inline v0_1::detail {

/// Cosines with the rows of a borrowed matrix. A zero vector has cosine 0 with everything.
class cosines {
public:
    explicit cosines(matrix_view<float const> rows) : rows_(rows), kernels_(&active_kernels()) {
        inverse_.reserve(rows.rows);
        for (std::size_t i = 0; i < rows.rows; ++i) inverse_.push_back(inverse_length(rows.row(i)));
    }

    /// Of row `of`, as the question, and row i.
    [[nodiscard]] double between(std::size_t of, std::size_t i) const noexcept {
        return cosine(rows_.row(of), inverse_[of], i, kernel_sum(rows_.row(of), rows_.row(i)));
    }

    /// Of a vector, the question, and every row.
    [[nodiscard]] std::vector<double> with(std::span<float const> vector) const {
        auto const length = inverse_length(vector);
        return with_rows(vector, [&](std::size_t i, float sum) { return cosine(vector, length, i, sum); });
    }

    /// Of row `of`, as the question, and every row.
    [[nodiscard]] std::vector<double> with_row(std::size_t of) const {
        auto const row = rows_.row(of);
        return with_rows(row, [&](std::size_t i, float sum) { return cosine(row, inverse_[of], i, sum); });
    }

private:
    [[nodiscard]] float kernel_sum(std::span<float const> a, std::span<float const> b) const noexcept {
        float sum = 0;
        auto const* row = b.data();
        kernels_->dot_rows(a.data(), &row, 1, rows_.cols, &sum);
        return sum;
    }

    template <class Cosine>
    [[nodiscard]] std::vector<double> with_rows(std::span<float const> vector, Cosine cosine_of) const {
        std::vector<float const*> rows(rows_.rows);
        for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = rows_.row(i).data();
        std::vector<float> sums(rows.size());
        kernels_->dot_rows(vector.data(), rows.data(), rows.size(), rows_.cols, sums.data());
        std::vector<double> all(rows.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = cosine_of(i, sums[i]);
        return all;
    }

    // Products of floats are exact in double; the sum goes from first to last.
    [[nodiscard]] static double sum_in_double(std::span<float const> a, std::span<float const> b) noexcept {
        double sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i)
            sum = rounded(sum + rounded(static_cast<double>(a[i]) * static_cast<double>(b[i])));
        return sum;
    }

    [[nodiscard]] double inverse_length(std::span<float const> v) const noexcept {
        auto const squared = kernel_sum(v, v);
        auto const sum = is_finite(squared) && squared >= 0x1p-60f && squared <= 0x1p120f
                             ? static_cast<double>(squared)
                             : sum_in_double(v, v);
        return sum == 0 ? 0.0 : divided(1.0, rounded(std::sqrt(sum)));
    }

    // Whether float sums of such vectors neither overflow nor lose digits.
    [[nodiscard]] static bool ordinary(double inverse) noexcept {
        return inverse == 0 || (inverse >= 0x1p-60 && inverse <= 0x1p30);
    }

    [[nodiscard]] double cosine(
        std::span<float const> of, double inverse, std::size_t i, float sum) const noexcept {
        auto const dot = ordinary(inverse) && ordinary(inverse_[i]) ? rounded(0.0) + static_cast<double>(sum)
                                                                    : sum_in_double(of, rows_.row(i));
        auto const value = static_cast<float>(rounded(rounded(dot * inverse) * inverse_[i]));
        return static_cast<double>(std::clamp(value, -1.0f, 1.0f));
    }

    matrix_view<float const> rows_;
    kernels const* kernels_;
    std::vector<double> inverse_; // 1 / length of each row, 0 for a zero vector
};

} // namespace trawl::inline v0_1::detail
