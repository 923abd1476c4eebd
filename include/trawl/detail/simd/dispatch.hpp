// SPDX-License-Identifier: MIT
#pragma once

/// The table of kernels that this process runs, chosen once for the instruction set of the machine.
///
/// The environment variable TRAWL_FORCE_ISA (scalar, avx2, avx512 or neon) forces a level; all
/// levels give the same bits. It is read when the first index is constructed. A level that is
/// unknown, or that the machine lacks, is a trawl::error then, never an illegal instruction later.
/// If the variable is unset or empty, the widest level is chosen. A machine without FMA rounds
/// products before it adds them; forcing `scalar` there gives the bits of all other machines,
/// slowly.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct block_header;  // scalar/bm25.hpp
struct estimate_line; // scalar/codes.hpp
struct term_scoring;  // scalar/bm25.hpp

using row_kernel = void (*)(float const* query, float const* const* rows, std::size_t count,
    std::size_t dim, float* out) noexcept;

using half_row_kernel = void (*)(float const* query, std::uint16_t const* const* rows,
    std::size_t count, std::size_t dim, float* out) noexcept;

using tile_kernel = void (*)(float const* queries, float const* const* rows, std::size_t count,
    std::size_t dim, float* out, std::size_t stride) noexcept;

using widen_kernel = void (*)(std::uint16_t const* from, std::size_t count, float* to) noexcept;

/// The kernels of one level. The files of scalar/ specify each of them; avx2/vector_tile.hpp
/// describes a tile.
struct kernels {
    std::string_view name = {}; ///< of the level

    // vectors
    row_kernel dot_rows = nullptr;
    row_kernel squared_distance_rows = nullptr;
    std::size_t (*select_scaled)(float const* sums, float const* factors, std::size_t count,
        float least, std::uint32_t* places) noexcept = nullptr;
    std::size_t tile_queries = 1; ///< 1: the level has no tile
    tile_kernel dot_tile = nullptr;
    tile_kernel squared_distance_tile = nullptr;

    // vectors of bfloat16 and half precision; the row kernels are null if the level widens rows
    // first
    widen_kernel widen_bfloat16 = nullptr;
    widen_kernel widen_float16 = nullptr;
    half_row_kernel dot_bfloat16_rows = nullptr;
    half_row_kernel squared_distance_bfloat16_rows = nullptr;
    half_row_kernel dot_float16_rows = nullptr;
    half_row_kernel squared_distance_float16_rows = nullptr;

    // codes of vectors
    void (*dot_int8_rows)(std::int16_t const* query, std::byte const* const* rows,
        std::size_t count, std::size_t dim, std::int32_t* out) noexcept = nullptr;
    void (*sum_tables)(std::uint8_t const* tables, std::byte const* rows, std::size_t count,
        std::size_t groups, std::int32_t* out) noexcept = nullptr;
    std::size_t (*select_estimates)(std::int32_t const* sums, float const* slopes,
        float const* bases, std::size_t count, estimate_line line, float least, float* estimates,
        std::uint32_t* places) noexcept = nullptr;
    void (*add_and_subtract)(float* a, float* b, std::size_t count) noexcept = nullptr;
    void (*multiply)(float* v, float const* by, std::size_t count) noexcept = nullptr;
    void (*hadamard)(float* v, std::size_t count) noexcept = nullptr;

    // BM25
    void (*unpack_rows)(unsigned char const* from, unsigned bits, std::uint32_t before,
        std::uint32_t* out) noexcept = nullptr;
    void (*unpack_counts)(
        unsigned char const* from, unsigned bits, std::uint32_t* out) noexcept = nullptr;
    void (*contributions)(term_scoring const& term, std::uint32_t const* rows,
        std::uint32_t const* tf, std::size_t n, std::uint32_t const* lengths,
        std::int32_t* out) noexcept = nullptr;
    void (*bounds)(term_scoring const& term, block_header const* headers, std::size_t n,
        std::int32_t* out) noexcept = nullptr;
    std::size_t (*rows_below)(
        std::uint32_t const* rows, std::size_t n, std::uint32_t row) noexcept = nullptr;
    std::size_t (*take_above)(std::int32_t* sums, std::uint64_t groups, std::int32_t floor,
        std::uint32_t first_row, std::uint32_t* rows, std::int32_t* values) noexcept = nullptr;
    void (*add_counts)(term_scoring const& term, std::int32_t shift, std::uint8_t const* counts,
        std::uint32_t const* lengths, std::size_t n, std::int32_t* sums) noexcept = nullptr;
    void (*maxima)(std::int32_t const* sums, std::size_t n, std::size_t deep,
        std::int32_t* out) noexcept = nullptr;
};

/// The instructions that both the processor and the operating system support.
struct cpu_features {
    bool fma = false;
    bool f16c = false;
    bool avx2 = false;
    bool avx512f = false;
    bool avx512bw = false;
    bool avx512vnni = false;

    [[nodiscard]] constexpr bool level_avx2() const noexcept { return fma && f16c && avx2; }
    [[nodiscard]] constexpr bool level_avx512() const noexcept { return level_avx2() && avx512f; }
};

/// The results of cpuid and xgetbv of x86: 0 for a leaf that does not exist, and for `saved` if
/// xgetbv is disabled.
struct cpuid_words {
    std::uint32_t leaf1_ecx = 0;
    std::uint32_t leaf7_ebx = 0;
    std::uint32_t leaf7_ecx = 0;
    std::uint64_t saved = 0; ///< registers that the operating system saves, XCR0
};

[[nodiscard]] constexpr cpu_features features_of(cpuid_words const& words) noexcept {
    auto const bit = [](std::uint32_t word, unsigned number) { return (word >> number & 1u) != 0; };
    bool const ymm = bit(words.leaf1_ecx, 27) && (words.saved & 0x06) == 0x06;
    bool const zmm = ymm && (words.saved & 0xE6) == 0xE6;
    return {.fma = ymm && bit(words.leaf1_ecx, 12),
        .f16c = ymm && bit(words.leaf1_ecx, 29),
        .avx2 = ymm && bit(words.leaf7_ebx, 5),
        .avx512f = zmm && bit(words.leaf7_ebx, 16),
        .avx512bw = zmm && bit(words.leaf7_ebx, 30),
        .avx512vnni = zmm && bit(words.leaf7_ecx, 11)};
}

/// The features of this machine.
[[nodiscard]] cpu_features detect_cpu() noexcept;

// widest first
inline constexpr std::string_view kernel_levels[] = {"avx512", "avx2", "neon", "scalar"};

/// The kernels of the named level; of AVX-512, only those that the machine can run. The name of the
/// result is empty if the machine lacks the level.
[[nodiscard]] kernels kernels_named(std::string_view name, cpu_features const& cpu) noexcept;
[[nodiscard]] kernels kernels_named(std::string_view name) noexcept;

/// The kernels of the named level, or of the widest one if `forced` is null or empty.
/// @throws trawl::error (invalid_argument) for a level that is unknown or that this machine lacks.
[[nodiscard]] kernels choose_kernels(char const* forced);

/// The kernels of this process, chosen at the first call.
/// @throws trawl::error as choose_kernels.
[[nodiscard]] kernels const& active_kernels();

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/detail/simd/dispatch_inl.hpp>
#endif
