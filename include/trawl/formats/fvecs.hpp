// SPDX-License-Identifier: MIT
#pragma once

/// Matrices as .fvecs files, the format of vector search collections (SIFT1M, …). Each row is its
/// number of values, a 32-bit integer, and the values, float32, all little-endian.

#include <string>
#include <string_view>

#include <trawl/core/matrix.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// Reads a matrix from the bytes of a file. NaN and infinity are kept. An empty file is a matrix
/// without rows.
/// @param name  The name of the file, for error messages.
/// @throws trawl::error (corrupt); its message begins with "FILE: ". Allocates no more memory than
/// the size of the file explains.
[[nodiscard]] matrix<float> parse_fvecs(std::string_view bytes, std::string_view name);

/// @throws trawl::error (io, corrupt).
[[nodiscard]] matrix<float> read_fvecs(std::string const& path);

/// The bytes of an fvecs file.
/// @throws trawl::error (invalid_argument) if rows have no values, or more than 2^31 - 1.
[[nodiscard]] std::string to_fvecs(matrix_view<float const> values);

/// @throws trawl::error (io; invalid_argument).
void write_fvecs(std::string const& path, matrix_view<float const> values);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/formats/detail/fvecs_inl.hpp>
#endif
