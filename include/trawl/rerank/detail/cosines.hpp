// SPDX-License-Identifier: MIT
#pragma once

/// Cosines between the vectors of candidates, with the bits of the dense arm's (detail/cosine.hpp).

#include <cstddef>
#include <span>
#include <vector>

#include <trawl/core/function_ref.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/cosine.hpp>
#include <trawl/detail/simd/dispatch.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Cosines with the rows of a borrowed matrix. A zero vector has cosine 0 with everything.
class cosines {
public:
    explicit cosines(matrix_view<float const> rows) : rows_(rows), kernels_(&active_kernels()) {
        inverse_.reserve(rows.rows);
        pointers_.reserve(rows.rows);
        for (std::size_t i = 0; i < rows.rows; ++i) {
            inverse_.push_back(length_of(rows.row(i)));
            pointers_.push_back(rows.row(i).data());
        }
        sums_.resize(rows.rows);
    }

    /// Whether row i is a zero vector, as of a candidate without a vector.
    [[nodiscard]] bool is_zero(std::size_t i) const noexcept { return inverse_[i] == 0; }

    /// Of row `of`, as the query, and row i.
    [[nodiscard]] double between(std::size_t of, std::size_t i) const noexcept {
        float sum = 0;
        kernels_->dot_rows(pointers_[of], &pointers_[i], 1, rows_.cols, &sum);
        return cosine({pointers_[of], inverse_[of]}, i, sum);
    }

    /// Of a vector, the query, and every row.
    [[nodiscard]] std::vector<double> with(std::span<float const> vector) {
        return with_rows({vector.data(), length_of(vector)});
    }

    /// Of row `of`, as the query, and every row.
    [[nodiscard]] std::vector<double> with_row(std::size_t of) {
        return with_rows({pointers_[of], inverse_[of]});
    }

private:
    [[nodiscard]] double length_of(std::span<float const> v) const noexcept {
        return inverse_length(*kernels_, v.data(), v.size());
    }

    [[nodiscard]] std::vector<double> with_rows(measured_vector const& of) {
        kernels_->dot_rows(of.values, pointers_.data(), pointers_.size(), rows_.cols, sums_.data());
        std::vector<double> all(rows_.rows);
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = cosine(of, i, sums_[i]);
        return all;
    }

    [[nodiscard]] double cosine(
        measured_vector const& of, std::size_t i, float sum) const noexcept {
        measured_vector const row{pointers_[i], inverse_[i]};
        return static_cast<double>(cosine_of(dot_of(of, row, sum, rows_.cols), of, row));
    }

    matrix_view<float const> rows_;
    kernels const* kernels_;
    std::vector<double> inverse_; // 1 / length of each row, 0 for a zero vector
    buffer<float const*> pointers_;
    std::vector<float> sums_;
};

} // namespace detail
TRAWL_END_NAMESPACE
