// SPDX-License-Identifier: MIT
#pragma once

/// Chooses, once, the kernels that this machine runs.
///
/// The environment variable TRAWL_FORCE_ISA (scalar, avx2, avx512 or neon) forces a level; all
/// levels give the same bits. It is read when the first index is made; a level that is unknown or
/// that the machine lacks is a trawl::error then, never an illegal instruction later. Unset or
/// empty, the widest level is taken; a machine without FMA rounds products before it adds them,
/// unless `scalar` is forced, which gives the bits of all others slowly.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

#include <trawl/config.hpp>
#include <trawl/detail/simd/avx2/halves.hpp>
#include <trawl/detail/simd/avx2/vector_tile.hpp>
#include <trawl/detail/simd/avx2/vectors.hpp>
#include <trawl/detail/simd/avx512/halves.hpp>
#include <trawl/detail/simd/avx512/vector_tile.hpp>
#include <trawl/detail/simd/avx512/vectors.hpp>
#include <trawl/detail/simd/neon/vector_tile.hpp>
#include <trawl/detail/simd/neon/vectors.hpp>
#include <trawl/detail/simd/scalar/vectors.hpp>
#include <trawl/detail/simd/widen.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

using row_kernel = void (*)(float const* query, float const* const* rows, std::size_t count,
    std::size_t dim, float* out) noexcept;

using widen_kernel = void (*)(std::uint16_t const* from, std::size_t count, float* to) noexcept;

using half_row_kernel = void (*)(float const* query, std::uint16_t const* const* rows,
    std::size_t count, std::size_t dim, float* out) noexcept;

using tile_kernel = void (*)(float const* queries, float const* const* rows, std::size_t count,
    std::size_t dim, float* out, std::size_t stride) noexcept;

/// The kernels of one level; scalar.hpp and avx2_tile.hpp say what they compute.
struct kernels {
    std::string_view name = {};
    row_kernel dot_rows = nullptr;
    row_kernel squared_distance_rows = nullptr;
    std::size_t (*select_scaled)(float const* sums, float const* factors, std::size_t count,
        float least, std::uint32_t* places) noexcept = scalar::select_scaled;
    std::size_t tile_queries = 1; ///< 1: the level has no tile
    tile_kernel dot_tile = nullptr;
    tile_kernel squared_distance_tile = nullptr;
    widen_kernel widen_bfloat16 = scalar::widen_bfloat16;
    widen_kernel widen_float16 = scalar::widen_float16;
    /// null, as the three below: the level widens rows first
    half_row_kernel dot_bfloat16_rows = nullptr;
    half_row_kernel squared_distance_bfloat16_rows = nullptr;
    half_row_kernel dot_float16_rows = nullptr;
    half_row_kernel squared_distance_float16_rows = nullptr;
};

/// Which instructions both the processor and the operating system support.
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

/// What x86's cpuid and xgetbv say. Both are 0 where there is no such leaf, `saved` where xgetbv is
/// off.
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

[[nodiscard]] inline cpu_features detect_cpu() noexcept {
#if TRAWL_X86_64
    return features_of(read_cpuid());
#elif TRAWL_ARM64 || defined(FP_FAST_FMAF)
    return {.fma = true};
#else
    return {};
#endif
}

// widest first
inline constexpr std::string_view kernel_levels[] = {"avx512", "avx2", "neon", "scalar"};

/// The kernels of the level of that name; an empty name where the machine lacks it.
[[nodiscard]] inline kernels kernels_named(
    std::string_view name, [[maybe_unused]] cpu_features const& cpu = detect_cpu()) noexcept {
#if TRAWL_X86_64
    if (name == "avx512" && cpu.level_avx512()) {
        return {"avx512", avx512::dot_rows, avx512::squared_distance_rows, avx2::select_scaled,
            avx512::tile_queries, avx512::dot_tile, avx512::squared_distance_tile,
            avx2::widen_bfloat16, avx2::widen_float16, avx512::dot_bfloat16_rows,
            avx512::squared_distance_bfloat16_rows, avx512::dot_float16_rows,
            avx512::squared_distance_float16_rows};
    }
    if (name == "avx2" && cpu.level_avx2()) {
        return {"avx2", avx2::dot_rows, avx2::squared_distance_rows, avx2::select_scaled,
            avx2::tile_queries, avx2::dot_tile, avx2::squared_distance_tile, avx2::widen_bfloat16,
            avx2::widen_float16, avx2::dot_bfloat16_rows, avx2::squared_distance_bfloat16_rows,
            avx2::dot_float16_rows, avx2::squared_distance_float16_rows};
    }
    if (name == "scalar" && cpu.fma)
        return {"scalar", scalar_fma::dot_rows, scalar_fma::squared_distance_rows};
#elif TRAWL_ARM64
    if (name == "neon") {
        return {"neon", neon::dot_rows, neon::squared_distance_rows, scalar::select_scaled,
            neon::tile_queries, neon::dot_tile, neon::squared_distance_tile};
    }
#endif
    if (name == "scalar") return {"scalar", scalar::dot_rows, scalar::squared_distance_rows};
    return {};
}

/// The kernels of the widest level, or of the one of that name; null or an empty name forces
/// nothing.
/// @throws trawl::error (invalid_argument) for a level that is unknown or that this machine lacks.
[[nodiscard]] inline kernels choose_kernels(char const* forced) {
    bool const free_choice = forced == nullptr || *forced == '\0';
    if (free_choice && !detect_cpu().fma)
        return {"unfused", unfused::dot_rows, unfused::squared_distance_rows};
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

/// The kernels of this process, chosen at the first call.
[[nodiscard]] inline kernels const& active_kernels() {
    static kernels const chosen = choose_kernels(std::getenv("TRAWL_FORCE_ISA"));
    return chosen;
}

} // namespace detail
TRAWL_END_NAMESPACE
