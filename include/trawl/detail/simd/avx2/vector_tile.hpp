// SPDX-License-Identifier: MIT
#pragma once

/// Several queries at once with AVX2 and FMA. Twelve registers hold the sums of four queries with
/// three rows, first for lanes 0 to 7, then for lanes 8 to 15, so that each value loaded is used
/// three or four times.
///
/// A tile kernel reads `tile_queries` packed queries: for each 16 dimensions, 16 values of each
/// query in turn; the last group is padded with zeros. out[q * stride + r] has the bits that
/// dot_rows or squared_distance_rows gives for query q and row r. The kernel may write up to 3
/// values past out[q * stride + count - 1].

#include <trawl/config.hpp>

#if TRAWL_X86_64

#include <bit>
#include <cstddef>
#include <cstdint>

#include <trawl/detail/simd/avx2/vectors.hpp>
#include <trawl/detail/simd/x86/instructions.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail::avx2 {

using namespace x86;

inline constexpr std::size_t tile_queries = 4;

// Eight lanes of twelve sums. The letter is the row, the digit the query.
struct tile_sums {
    m256 a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3;
};

// Multiplies four queries, 16 floats apart, with eight lanes of three rows.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void meet(
    tile_sums& sums, float const* queries, m256 a, m256 b, m256 c, bool squared) noexcept {
    auto q = mm256_loadu_ps(queries);
    sums.a0 = step(q, a, sums.a0, squared);
    sums.b0 = step(q, b, sums.b0, squared);
    sums.c0 = step(q, c, sums.c0, squared);
    q = mm256_loadu_ps(queries + 16);
    sums.a1 = step(q, a, sums.a1, squared);
    sums.b1 = step(q, b, sums.b1, squared);
    sums.c1 = step(q, c, sums.c1, squared);
    q = mm256_loadu_ps(queries + 32);
    sums.a2 = step(q, a, sums.a2, squared);
    sums.b2 = step(q, b, sums.b2, squared);
    sums.c2 = step(q, c, sums.c2, squared);
    q = mm256_loadu_ps(queries + 48);
    sums.a3 = step(q, a, sums.a3, squared);
    sums.b3 = step(q, b, sums.b3, squared);
    sums.c3 = step(q, c, sums.c3, squared);
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void meet_group(tile_sums& sums, float const* queries, float const* a,
    float const* b, float const* c, bool squared) noexcept {
    meet(sums, queries, mm256_loadu_ps(a), mm256_loadu_ps(b), mm256_loadu_ps(c), squared);
}

// Sums half of the lanes: of `groups` groups of 16 dimensions, and of the first `rest` dimensions
// of one more. All pointers start at the first lane of the half. `queries` has 64 floats for each
// group.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE tile_sums half_of(tile_sums sums, float const* queries, float const* a,
    float const* b, float const* c, std::size_t groups, std::size_t rest, bool squared) noexcept {
    // Unrolled four times, because processors predict the end of a short loop. Not for differences,
    // which need more registers than there are.
    for (; groups >= 4 && !squared; groups -= 4, queries += 256, a += 64, b += 64, c += 64) {
        meet_group(sums, queries, a, b, c, squared);
        meet_group(sums, queries + 64, a + 16, b + 16, c + 16, squared);
        meet_group(sums, queries + 128, a + 32, b + 32, c + 32, squared);
        meet_group(sums, queries + 192, a + 48, b + 48, c + 48, squared);
    }
    for (; groups > 0; --groups, queries += 64, a += 16, b += 16, c += 16)
        meet_group(sums, queries, a, b, c, squared);
    if (rest > 0) {
        auto const lanes = first_lanes(rest);
        meet(sums, queries, mm256_maskload_ps(a, lanes), mm256_maskload_ps(b, lanes),
            mm256_maskload_ps(c, lanes), squared);
    }
    return sums;
}

// Adds lanes l and l + 8, then l and l + 4, of one row's sums with two queries. The lower half of
// the result is the first query's.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 fold_two(m256 low, m256 high, m256 next_low, m256 next_high) noexcept {
    auto const first = rounded(mm256_add_ps(rounded(low), rounded(high)));
    auto const second = rounded(mm256_add_ps(rounded(next_low), rounded(next_high)));
    return rounded(mm256_add_ps(
        mm256_permute2f128_ps<0x20>(first, second), mm256_permute2f128_ps<0x31>(first, second)));
}

// Adds lanes l and l + 2, then l and l + 1, of three rows, and stores the sums of the first query,
// then of the second. The fourth value stored repeats the third; the next tile overwrites it.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void store_two(
    m256 a, m256 b, m256 c, float* first_out, float* second_out) noexcept {
    auto const ab = rounded(mm256_add_ps(
        mm256_shuffle_ps<places(1, 0, 1, 0)>(a, b), mm256_shuffle_ps<places(3, 2, 3, 2)>(a, b)));
    auto const cc = rounded(mm256_add_ps(c, mm256_shuffle_ps<places(1, 0, 3, 2)>(c, c)));
    auto const sums = rounded(mm256_add_ps(mm256_shuffle_ps<places(2, 0, 2, 0)>(ab, cc),
        mm256_shuffle_ps<places(3, 1, 3, 1)>(ab, cc)));
    mm_storeu_ps(first_out, mm256_castps256_ps128(sums));
    mm_storeu_ps(second_out, mm256_extractf128_ps<1>(sums));
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void store_tile(
    tile_sums const& low, tile_sums const& high, float* out, std::size_t stride) noexcept {
    store_two(fold_two(low.a0, high.a0, low.a1, high.a1),
        fold_two(low.b0, high.b0, low.b1, high.b1), fold_two(low.c0, high.c0, low.c1, high.c1), out,
        out + stride);
    store_two(fold_two(low.a2, high.a2, low.a3, high.a3),
        fold_two(low.b2, high.b2, low.b3, high.b3), fold_two(low.c2, high.c2, low.c3, high.c3),
        out + 2 * stride, out + 3 * stride);
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE tile_sums no_sums() noexcept {
    auto const zero = mm256_setzero_ps();
    return {zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero};
}

// Up to 24 long rows, in chunks of `chunk` groups, so that a chunk of the queries stays in the
// first-level cache. The sums are kept in memory between chunks.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void reduce_long(float const* queries, float const* const* rows,
    std::size_t count, std::size_t dim, float* out, std::size_t stride, bool squared) noexcept {
    constexpr std::size_t chunk = 32;
    tile_sums low[8], high[8];
    for (std::size_t at = 0; at < dim; at += 16 * chunk) {
        bool const whole = dim - at >= 16 * chunk;
        auto const groups = whole ? chunk : (dim - at) / 16;
        auto const rest = whole ? 0 : dim % 16;
        for (std::size_t r = 0, t = 0; r < count; r += 3, ++t) {
            auto const* const a = rows[r] + at;
            auto const* const b = rows[r + 1 < count ? r + 1 : r] + at;
            auto const* const c = rows[r + 2 < count ? r + 2 : r] + at;
            low[t] = half_of(
                at == 0 ? no_sums() : low[t], queries + 4 * at, a, b, c, groups, rest, squared);
            high[t] = half_of(at == 0 ? no_sums() : high[t], queries + 4 * at + 8, a + 8, b + 8,
                c + 8, groups, rest > 8 ? rest - 8 : 0, squared);
        }
    }
    for (std::size_t r = 0; r < count; r += 3) store_tile(low[r / 3], high[r / 3], out + r, stride);
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void reduce_tile(float const* queries, float const* const* rows,
    std::size_t count, std::size_t dim, float* out, std::size_t stride, bool squared) noexcept {
    // four queries and three rows of this length fit the first-level cache
    constexpr std::size_t longest = 1024;
    if (dim > longest) {
        for (std::size_t r = 0; r < count; r += 24)
            reduce_long(
                queries, rows + r, count - r < 24 ? count - r : 24, dim, out + r, stride, squared);
        return;
    }
    auto const groups = dim / 16;
    auto const rest = dim % 16;
    for (std::size_t r = 0; r < count; r += 3) {
        auto const* const a = rows[r];
        auto const* const b = rows[r + 1 < count ? r + 1 : r];
        auto const* const c = rows[r + 2 < count ? r + 2 : r];
        auto const low = half_of(no_sums(), queries, a, b, c, groups, rest, squared);
        auto const high = half_of(
            no_sums(), queries + 8, a + 8, b + 8, c + 8, groups, rest > 8 ? rest - 8 : 0, squared);
        store_tile(low, high, out + r, stride);
    }
}

TRAWL_TARGET("avx2,fma" TRAWL_UNTUNED)
inline void dot_tile(float const* queries, float const* const* rows, std::size_t count,
    std::size_t dim, float* out, std::size_t stride) noexcept {
    reduce_tile(queries, rows, count, dim, out, stride, false);
}

TRAWL_TARGET("avx2,fma" TRAWL_UNTUNED)
inline void squared_distance_tile(float const* queries, float const* const* rows, std::size_t count,
    std::size_t dim, float* out, std::size_t stride) noexcept {
    reduce_tile(queries, rows, count, dim, out, stride, true);
}

TRAWL_TARGET("avx2,fma")
inline std::size_t select_scaled(float const* sums, float const* factors, std::size_t count,
    float least, std::uint32_t* places) noexcept {
    auto const floor = mm256_set1_ps(least);
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; i += 8) {
        auto const lanes = first_lanes(count - i);
        auto const scaled = rounded(mm256_mul_ps(
            mm256_maskload_ps(sums + i, lanes), mm256_maskload_ps(factors + i, lanes)));
        auto const above =
            mm256_and_ps(mm256_cmp_ps<greater_or_equal>(scaled, floor), mm256_castsi256_ps(lanes));
        for (auto bits = static_cast<unsigned>(mm256_movemask_ps(above)); bits != 0;
             bits &= bits - 1)
            places[found++] =
                static_cast<std::uint32_t>(i + static_cast<std::size_t>(std::countr_zero(bits)));
    }
    return found;
}

} // namespace detail::avx2
TRAWL_END_NAMESPACE

#endif
