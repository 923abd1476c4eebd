// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of dispatch.hpp: which kernels each level has, and which level this machine has.

#include <trawl/detail/simd/dispatch.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

#include <trawl/detail/simd/avx2/bm25.hpp>
#include <trawl/detail/simd/avx2/codes.hpp>
#include <trawl/detail/simd/avx2/halves.hpp>
#include <trawl/detail/simd/avx2/vector_tile.hpp>
#include <trawl/detail/simd/avx2/vectors.hpp>
#include <trawl/detail/simd/avx2/widen.hpp>
#include <trawl/detail/simd/avx512/codes.hpp>
#include <trawl/detail/simd/avx512/halves.hpp>
#include <trawl/detail/simd/avx512/vector_tile.hpp>
#include <trawl/detail/simd/avx512/vectors.hpp>
#include <trawl/detail/simd/neon/codes.hpp>
#include <trawl/detail/simd/neon/vector_tile.hpp>
#include <trawl/detail/simd/neon/vectors.hpp>
#include <trawl/detail/simd/scalar/bm25.hpp>
#include <trawl/detail/simd/scalar/codes.hpp>
#include <trawl/detail/simd/scalar/vectors.hpp>
#include <trawl/detail/simd/scalar/widen.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

#if TRAWL_X86_64
[[nodiscard]] inline cpuid_words read_cpuid() noexcept {
    struct registers {
        std::uint32_t a, b, c, d;
    };
    auto const leaf = [](std::uint32_t number) noexcept {
        registers found{};
#if defined(__GNUC__) || defined(__clang__)
        asm volatile("cpuid"
                     : "=a"(found.a), "=b"(found.b), "=c"(found.c), "=d"(found.d)
                     : "a"(number), "c"(0));
#else
        int words[4];
        __cpuidex(words, static_cast<int>(number), 0);
        found = {static_cast<std::uint32_t>(words[0]), static_cast<std::uint32_t>(words[1]),
            static_cast<std::uint32_t>(words[2]), static_cast<std::uint32_t>(words[3])};
#endif
        return found;
    };
    cpuid_words words{.leaf1_ecx = leaf(1).c};
    if (leaf(0).a >= 7) {
        auto const extended = leaf(7);
        words.leaf7_ebx = extended.b;
        words.leaf7_ecx = extended.c;
    }
    if ((words.leaf1_ecx >> 27 & 1u) != 0) {
#if defined(__GNUC__) || defined(__clang__)
        std::uint32_t low = 0, high = 0;
        asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        words.saved = std::uint64_t{high} << 32 | low;
#else
        words.saved = _xgetbv(0);
#endif
    }
    return words;
}
#endif

TRAWL_INLINE cpu_features detect_cpu() noexcept {
#if TRAWL_X86_64
    return features_of(read_cpuid());
#elif TRAWL_ARM64 || defined(__FP_FAST_FMAF)
    return {.fma = true};
#else
    return {};
#endif
}

// Plain C++, which every level falls back on for what it has no kernel of its own for.
[[nodiscard]] inline kernels scalar_kernels(
    std::string_view name, row_kernel dot, row_kernel squared_distance) noexcept {
    return {.name = name,
        .dot_rows = dot,
        .squared_distance_rows = squared_distance,
        .select_scaled = scalar::select_scaled,
        .widen_bfloat16 = scalar::widen_bfloat16,
        .widen_float16 = scalar::widen_float16,
        .dot_int8_rows = scalar::dot_int8_rows,
        .sum_tables = scalar::sum_tables,
        .select_estimates = scalar::select_estimates,
        .add_and_subtract = scalar::add_and_subtract,
        .multiply = scalar::multiply,
        .hadamard = scalar::hadamard,
        .unpack_rows = scalar::unpack_rows,
        .unpack_counts = scalar::unpack_counts,
        .contributions = scalar::contributions,
        .bounds = scalar::bounds,
        .rows_below = scalar::rows_below,
        .take_above = scalar::take_above,
        .add_counts = scalar::add_counts,
        .maxima = scalar::maxima};
}

#if TRAWL_X86_64
[[nodiscard]] inline kernels avx2_kernels() noexcept {
    return {.name = "avx2",
        .dot_rows = avx2::dot_rows,
        .squared_distance_rows = avx2::squared_distance_rows,
        .select_scaled = avx2::select_scaled,
        .tile_queries = avx2::tile_queries,
        .dot_tile = avx2::dot_tile,
        .squared_distance_tile = avx2::squared_distance_tile,
        .widen_bfloat16 = avx2::widen_bfloat16,
        .widen_float16 = avx2::widen_float16,
        .dot_bfloat16_rows = avx2::dot_bfloat16_rows,
        .squared_distance_bfloat16_rows = avx2::squared_distance_bfloat16_rows,
        .dot_float16_rows = avx2::dot_float16_rows,
        .squared_distance_float16_rows = avx2::squared_distance_float16_rows,
        .dot_int8_rows = avx2::dot_int8_rows,
        .sum_tables = avx2::sum_tables,
        .select_estimates = avx2::select_estimates,
        .add_and_subtract = avx2::add_and_subtract,
        .multiply = avx2::multiply,
        .hadamard = avx2::hadamard,
        .unpack_rows = avx2::unpack_rows,
        .unpack_counts = avx2::unpack_counts,
        .contributions = avx2::contributions,
        .bounds = avx2::bounds,
        .rows_below = avx2::rows_below,
        .take_above = avx2::take_above,
        .add_counts = avx2::add_counts,
        .maxima = avx2::maxima};
}

[[nodiscard]] inline kernels avx512_kernels(cpu_features const& cpu) noexcept {
    auto made = avx2_kernels();
    made.name = "avx512";
    made.dot_rows = avx512::dot_rows;
    made.squared_distance_rows = avx512::squared_distance_rows;
    made.tile_queries = avx512::tile_queries;
    made.dot_tile = avx512::dot_tile;
    made.squared_distance_tile = avx512::squared_distance_tile;
    made.dot_bfloat16_rows = avx512::dot_bfloat16_rows;
    made.squared_distance_bfloat16_rows = avx512::squared_distance_bfloat16_rows;
    made.dot_float16_rows = avx512::dot_float16_rows;
    made.squared_distance_float16_rows = avx512::squared_distance_float16_rows;
    if (cpu.avx512bw) made.sum_tables = avx512::sum_tables;
    if (cpu.avx512bw && cpu.avx512vnni) made.dot_int8_rows = avx512::dot_int8_rows;
    return made;
}
#endif

TRAWL_INLINE kernels kernels_named(
    std::string_view name, [[maybe_unused]] cpu_features const& cpu) noexcept {
#if TRAWL_X86_64
    if (name == "avx512" && cpu.level_avx512()) return avx512_kernels(cpu);
    if (name == "avx2" && cpu.level_avx2()) return avx2_kernels();
    if (name == "scalar" && cpu.fma)
        return scalar_kernels("scalar", scalar_fma::dot_rows, scalar_fma::squared_distance_rows);
#elif TRAWL_ARM64
    if (name == "neon") {
        auto made = scalar_kernels("neon", neon::dot_rows, neon::squared_distance_rows);
        made.tile_queries = neon::tile_queries;
        made.dot_tile = neon::dot_tile;
        made.squared_distance_tile = neon::squared_distance_tile;
        made.dot_int8_rows = neon::dot_int8_rows;
        made.sum_tables = neon::sum_tables;
        made.select_estimates = neon::select_estimates;
        made.add_and_subtract = neon::add_and_subtract;
        made.multiply = neon::multiply;
        made.hadamard = neon::hadamard;
        return made;
    }
#endif
    if (name == "scalar")
        return scalar_kernels("scalar", scalar::dot_rows, scalar::squared_distance_rows);
    return {};
}

TRAWL_INLINE kernels kernels_named(std::string_view name) noexcept {
    return kernels_named(name, detect_cpu());
}

TRAWL_INLINE kernels choose_kernels(char const* forced) {
    bool const free_choice = forced == nullptr || *forced == '\0';
    if (free_choice && !detect_cpu().fma)
        return scalar_kernels("unfused", unfused::dot_rows, unfused::squared_distance_rows);
    std::string available;
    for (auto const level : kernel_levels) {
        auto const found = kernels_named(level);
        if (found.name.empty()) continue;
        if (free_choice || level == forced) return found;
        available += join(available.empty() ? "" : ", ", level);
    }
    fail(errc::invalid_argument,
        join("TRAWL_FORCE_ISA is \"", forced, "\", this machine has ", available));
}

TRAWL_INLINE kernels const& active_kernels() {
    static kernels const chosen = choose_kernels(std::getenv("TRAWL_FORCE_ISA"));
    return chosen;
}

} // namespace detail
TRAWL_END_NAMESPACE
