// SPDX-License-Identifier: MIT
#pragma once

/// The codes that quantised_index scans, and its options.

#include <cstddef>
#include <cstdint>

#include <trawl/config.hpp>
#include <trawl/dense/metric.hpp>

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
    static constexpr std::size_t candidates = 400; ///< rescored, unless told otherwise
    static constexpr detail::code_kind kind = detail::code_kind::one_bit;
};

struct quantised_options {
    trawl::metric metric = trawl::metric::cosine;
    /// Documents of the best estimates that are scored exactly, whatever k is; 0: 100 for int8, 400
    /// for one bit.
    std::size_t candidates = 0;
    /// Code only the first dimensions, as Matryoshka models allow; at most dim, 0: all of them.
    std::size_t prefix = 0;
    bool keep_full = true;  ///< keep the float vectors; without them estimates are the scores
    std::uint64_t seed = 1; ///< of the rotation of one-bit codes
};

TRAWL_END_NAMESPACE
