// SPDX-License-Identifier: MIT
#pragma once

/// Eigen's matrices as views of ours and the other way round, without copying.

#include <cstddef>

#include <Eigen/Core>

#include <trawl/core/matrix_view.hpp>

TRAWL_BEGIN_NAMESPACE

template <class T>
using row_major_matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The rows of a row-major matrix [n x dim]: view_of(m) is what flat_index::add and
/// flat_index::over take. The matrix must outlive the view. A column-major one does not compile:
/// assign it to a row_major_matrix first.
template <class Matrix>
[[nodiscard]] matrix_view<typename Matrix::Scalar const> view_of(
    Eigen::PlainObjectBase<Matrix> const& m) noexcept {
    static_assert(Matrix::IsRowMajor, "trawl: a row-major matrix is needed, one vector a row");
    return {m.data(), static_cast<std::size_t>(m.rows()), static_cast<std::size_t>(m.cols())};
}
template <class Matrix>
void view_of(Eigen::PlainObjectBase<Matrix> const&& m) = delete; // it would dangle

/// A view as Eigen sees it.
template <class T>
[[nodiscard]] Eigen::Map<row_major_matrix<T> const> as_eigen(matrix_view<T const> view) noexcept {
    return {view.data, static_cast<Eigen::Index>(view.rows), static_cast<Eigen::Index>(view.cols)};
}

TRAWL_END_NAMESPACE
