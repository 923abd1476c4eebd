// SPDX-License-Identifier: MIT
#pragma once

/// Chooses the kernels of quantised vectors, at the level that dispatch.hpp chose for all.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <trawl/config.hpp>
#include <trawl/detail/simd/avx2/codes.hpp>
#include <trawl/detail/simd/avx512/codes.hpp>
#include <trawl/detail/simd/dispatch.hpp>
#include <trawl/detail/simd/neon/codes.hpp>
#include <trawl/detail/simd/scalar/codes.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The kernels of one level; code_scalar.hpp says what they compute.
struct code_kernels {
    void (*dot_int8_rows)(std::int16_t const* query, std::byte const* const* rows,
        std::size_t count, std::size_t dim, std::int32_t* out) noexcept;
    void (*sum_tables)(std::uint8_t const* tables, std::byte const* rows, std::size_t count,
        std::size_t groups, std::int32_t* out) noexcept;
    std::size_t (*select_estimates)(std::int32_t const* sums, float const* slopes,
        float const* bases, std::size_t count, estimate_line line, float least, float* estimates,
        std::uint32_t* places) noexcept;
    void (*add_and_subtract)(float* a, float* b, std::size_t count) noexcept;
    void (*multiply)(float* v, float const* by, std::size_t count) noexcept;
    void (*hadamard)(float* v, std::size_t count) noexcept;
};

/// Those of a level on a machine that has it; of AVX-512 the parts that the machine has.
[[nodiscard]] inline code_kernels code_kernels_named([[maybe_unused]] std::string_view level,
    [[maybe_unused]] cpu_features const& cpu = detect_cpu()) noexcept {
#if TRAWL_X86_64
    if (level == "avx2" || level == "avx512") {
        code_kernels made{avx2::dot_int8_rows, avx2::sum_tables, avx2::select_estimates,
            avx2::add_and_subtract, avx2::multiply, avx2::hadamard};
        bool const bytes = level == "avx512" && cpu.avx512bw;
        if (bytes) made.sum_tables = avx512::sum_tables;
        if (bytes && cpu.avx512vnni) made.dot_int8_rows = avx512::dot_int8_rows;
        return made;
    }
#elif TRAWL_ARM64
    if (level == "neon")
        return {neon::dot_int8_rows, neon::sum_tables, neon::select_estimates,
            neon::add_and_subtract, neon::multiply, neon::hadamard};
#endif
    return {scalar::dot_int8_rows, scalar::sum_tables, scalar::select_estimates,
        scalar::add_and_subtract, scalar::multiply, scalar::hadamard};
}

/// @throws trawl::error as active_kernels().
[[nodiscard]] inline code_kernels const& active_code_kernels() {
    static code_kernels const chosen = code_kernels_named(active_kernels().name);
    return chosen;
}

} // namespace detail
TRAWL_END_NAMESPACE
