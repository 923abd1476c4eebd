// SPDX-License-Identifier: MIT
#pragma once

/// Cosines between the vectors of candidates, with the bits of the dense arm's (detail/cosine.hpp).

#include <cstddef>
#include <span>
#include <vector>

#include <trawl/core/matrix_view.hpp>
#include <trawl/detail/cosine.hpp>
#include <trawl/detail/simd/dispatch.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Cosines with the rows of a borrowed matrix. A zero vector has cosine 0 with everything.
class cosines {
public:
    explicit cosines(matrix_view<float const> rows) : rows_(rows), kernels_(&active_kernels()) {
        inverse_.reserve(rows.rows);
        for (std::size_t i = 0; i < rows.rows; ++i) inverse_.push_back(length_of(rows.row(i)));
    }

    /// Of row `of`, as the question, and row i.
    [[nodiscard]] double between(std::size_t of, std::size_t i) const noexcept {
        return cosine(rows_.row(of), inverse_[of], i, kernel_sum(rows_.row(of), rows_.row(i)));
    }

    /// Of a vector, the question, and every row.
    [[nodiscard]] std::vector<double> with(std::span<float const> vector) const {
        auto const length = length_of(vector);
        return with_rows(
            vector, [&](std::size_t i, float sum) { return cosine(vector, length, i, sum); });
    }

    /// Of row `of`, as the question, and every row.
    [[nodiscard]] std::vector<double> with_row(std::size_t of) const {
        auto const row = rows_.row(of);
        return with_rows(
            row, [&](std::size_t i, float sum) { return cosine(row, inverse_[of], i, sum); });
    }

private:
    [[nodiscard]] double length_of(std::span<float const> v) const noexcept {
        return inverse_length(*kernels_, v.data(), v.size());
    }

    [[nodiscard]] float kernel_sum(
        std::span<float const> a, std::span<float const> b) const noexcept {
        float sum = 0;
        auto const* row = b.data();
        kernels_->dot_rows(a.data(), &row, 1, rows_.cols, &sum);
        return sum;
    }

    template <class Cosine>
    [[nodiscard]] std::vector<double> with_rows(
        std::span<float const> vector, Cosine cosine_of) const {
        std::vector<float const*> rows(rows_.rows);
        for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = rows_.row(i).data();
        std::vector<float> sums(rows.size());
        kernels_->dot_rows(vector.data(), rows.data(), rows.size(), rows_.cols, sums.data());
        std::vector<double> all(rows.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = cosine_of(i, sums[i]);
        return all;
    }

    [[nodiscard]] double cosine(
        std::span<float const> of, double inverse, std::size_t i, float sum) const noexcept {
        measured_vector const a{of.data(), inverse};
        measured_vector const b{rows_.row(i).data(), inverse_[i]};
        return static_cast<double>(cosine_of(dot_of(a, b, sum, rows_.cols), a, b));
    }

    matrix_view<float const> rows_;
    kernels const* kernels_;
    std::vector<double> inverse_; // 1 / length of each row, 0 for a zero vector
};

} // namespace detail
TRAWL_END_NAMESPACE
