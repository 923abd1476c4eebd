// SPDX-License-Identifier: MIT
#pragma once

/// The codes of vectors that quantised_index scans.

#include <cstddef>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

enum class code_kind : unsigned char { int8, one_bit };

} // namespace detail

/// One byte a dimension: the difference from a centre, divided by 1/127 of its largest value and
/// rounded. Estimates are integer dot products, scaled.
struct int8_code {
    static constexpr char const* name = "int8";
    static constexpr std::size_t candidates = 100; ///< rescored, unless told otherwise
    static constexpr detail::code_kind kind = detail::code_kind::int8;
};

/// One bit a dimension and two factors: the signs of the vector's difference from a centre, rotated
/// at random, from which the dot product with a query is estimated without bias. The query is coded
/// with a sign and six bits a dimension.
/// @par Source Gao, Long, "RaBitQ: quantizing high-dimensional vectors with a theoretical error
/// bound for approximate nearest neighbor search", SIGMOD 2024; André, Kermarrec, Le Scouarnec,
/// "Cache locality is not enough: high-performance nearest neighbor search with product
/// quantization fast scan", VLDB 2015.
struct one_bit_code {
    static constexpr char const* name = "one_bit";
    static constexpr std::size_t candidates = 400;
    static constexpr detail::code_kind kind = detail::code_kind::one_bit;
};

TRAWL_END_NAMESPACE
