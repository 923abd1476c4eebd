// SPDX-License-Identifier: MIT
#pragma once

/// Matrices as NumPy's .npy files, versions 1 to 3: little-endian float16, float32 or float64, in C
/// order, with two dimensions [rows x columns], or with one: an array of n numbers is a matrix of
/// one row, as numpy.atleast_2d makes it. Everything else is refused with the reason.

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/matrix.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// The array of a file, its shape checked against its bytes.
struct npy_array {
    std::string_view data = {};
    std::size_t width = 0; // bytes of a value: 2, 4 or 8
    std::size_t rows = 0;
    std::size_t cols = 0;
};

[[nodiscard]] npy_array open_npy(std::string_view bytes, std::string_view name);
void copy_npy(npy_array const& from, std::string_view name, std::span<float> out);
void copy_npy(npy_array const& from, std::string_view name, std::span<double> out);
[[nodiscard]] std::string read_npy_file(std::string const& path);

} // namespace detail

/// Reads a matrix from the bytes of a file. Values of another type are rounded to T. NaN and
/// infinity are kept.
/// @tparam T  float or double.
/// @param name  The name of the file, for error messages.
/// @throws trawl::error (corrupt); its message begins with "FILE: ". Allocates no more memory than
/// the size of the file explains.
template <std::floating_point T>
[[nodiscard]] matrix<T> parse_npy(std::string_view bytes, std::string_view name) {
    static_assert(std::same_as<T, float> || std::same_as<T, double>);
    auto const from = detail::open_npy(bytes, name);
    matrix<T> out{std::vector<T>(from.rows * from.cols), from.rows, from.cols};
    detail::copy_npy(from, name, out.values);
    return out;
}

/// @throws trawl::error (io, corrupt).
template <std::floating_point T = float>
[[nodiscard]] matrix<T> read_npy(std::string const& path) {
    return parse_npy<T>(detail::read_npy_file(path), path);
}

/// The bytes of an npy file, version 1, float32 or float64. The data are aligned to 64 bytes.
[[nodiscard]] std::string to_npy(matrix_view<float const> values);
[[nodiscard]] std::string to_npy(matrix_view<double const> values);

/// @throws trawl::error (io).
void write_npy(std::string const& path, matrix_view<float const> values);
void write_npy(std::string const& path, matrix_view<double const> values);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/formats/detail/npy_inl.hpp>
#endif
