// SPDX-License-Identifier: MIT
#pragma once

/// Chooses the kernels of BM25, at the level that dispatch.hpp chose for all.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <trawl/config.hpp>
#include <trawl/detail/simd/avx2/bm25.hpp>
#include <trawl/detail/simd/dispatch.hpp>
#include <trawl/detail/simd/scalar/bm25.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The kernels of one level; bm25_scalar.hpp says what they compute.
struct bm25_kernels {
    void (*unpack_rows)(unsigned char const* from, unsigned bits, std::uint32_t before,
        std::uint32_t* out) noexcept;
    void (*unpack_counts)(unsigned char const* from, unsigned bits, std::uint32_t* out) noexcept;
    void (*contributions)(term_scoring const& term, std::uint32_t const* rows,
        std::uint32_t const* tf, std::size_t n, std::uint32_t const* lengths,
        std::int32_t* out) noexcept;
    void (*bounds)(term_scoring const& term, block_header const* headers, std::size_t n,
        std::int32_t* out) noexcept;
    std::size_t (*rows_below)(std::uint32_t const* rows, std::size_t n, std::uint32_t row) noexcept;
    std::size_t (*take_above)(std::int32_t* sums, std::uint64_t groups, std::int32_t floor,
        std::uint32_t first_row, std::uint32_t* rows, std::int32_t* values) noexcept;
    void (*add_counts)(term_scoring const& term, std::int32_t shift, std::uint8_t const* counts,
        std::uint32_t const* lengths, std::size_t n, std::int32_t* sums) noexcept;
    void (*maxima)(
        std::int32_t const* sums, std::size_t n, std::size_t deep, std::int32_t* out) noexcept;
};

[[nodiscard]] inline bm25_kernels bm25_kernels_named(
    [[maybe_unused]] std::string_view level) noexcept {
#if TRAWL_X86_64
    if (level == "avx2" || level == "avx512") {
        return {avx2::unpack_rows, avx2::unpack_counts, avx2::contributions, avx2::bounds,
            avx2::rows_below, avx2::take_above, avx2::add_counts, avx2::maxima};
    }
#endif
    return {scalar::unpack_rows, scalar::unpack_counts, scalar::contributions, scalar::bounds,
        scalar::rows_below, scalar::take_above, scalar::add_counts, scalar::maxima};
}

/// @throws trawl::error as active_kernels().
[[nodiscard]] inline bm25_kernels const& active_bm25_kernels() {
    static bm25_kernels const chosen = bm25_kernels_named(active_kernels().name);
    return chosen;
}

} // namespace detail
TRAWL_END_NAMESPACE
