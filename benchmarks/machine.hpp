// SPDX-License-Identifier: MIT
#pragma once

/// What this machine can do at most: bytes read a second, multiply-adds a second. Other areas
/// measure themselves against it in the same run.

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <trawl/config.hpp>

#include "harness.hpp"

#if TRAWL_X86_64
#include <immintrin.h>
#endif

namespace bench::machine {

/// Keeps a result alive.
template <class T>
inline void keep(T const& value) {
    asm volatile("" : : "g"(&value) : "memory");
}

// Each reads n floats in `streams` interleaved streams, n a multiple of 128 * streams.
using reader = void (*)(float const* values, std::size_t n, std::size_t streams);
// Each does 12 * `lanes` multiply-adds `count` times.
using multiplier = void (*)(std::size_t count);

struct level {
    std::string name;
    reader read;
    multiplier multiply;
    std::size_t lanes;
};

inline void read_plain(float const* values, std::size_t n, std::size_t streams) {
    auto const part = n / streams;
    std::array<float, 32> sums = {};
    for (std::size_t i = 0; i < part; i += 32) {
        for (std::size_t s = 0; s < streams; ++s) {
            for (std::size_t lane = 0; lane < 32; ++lane) sums[lane] += values[s * part + i + lane];
        }
    }
    keep(sums);
}

inline void multiply_plain(std::size_t count) {
    std::array<float, 48> sums = {};
    float factor = 0.999f;
    float addend = 0.001f;
    asm volatile("" : "+m"(factor), "+m"(addend));
    for (std::size_t i = 0; i < count; ++i) {
        for (float& sum : sums) sum = sum * factor + addend;
    }
    keep(sums);
}

#if TRAWL_X86_64
TRAWL_TARGET("avx2")
inline void read_avx2(float const* values, std::size_t n, std::size_t streams) {
    auto const part = n / streams;
    __m256 sums[8];
    for (auto& sum : sums) sum = _mm256_setzero_ps();
    for (std::size_t i = 0; i < part; i += 64) {
        for (std::size_t s = 0; s < streams; ++s) {
            float const* const from = values + s * part + i;
            for (std::size_t j = 0; j < 8; ++j)
                sums[j] = _mm256_add_ps(sums[j], _mm256_loadu_ps(from + 8 * j));
        }
    }
    keep(sums);
}

TRAWL_TARGET("avx512f")
inline void read_avx512(float const* values, std::size_t n, std::size_t streams) {
    auto const part = n / streams;
    __m512 sums[8];
    for (auto& sum : sums) sum = _mm512_setzero_ps();
    for (std::size_t i = 0; i < part; i += 128) {
        for (std::size_t s = 0; s < streams; ++s) {
            float const* const from = values + s * part + i;
            for (std::size_t j = 0; j < 8; ++j)
                sums[j] = _mm512_add_ps(sums[j], _mm512_loadu_ps(from + 16 * j));
        }
    }
    keep(sums);
}

TRAWL_TARGET("avx2,fma") inline void multiply_avx2(std::size_t count) {
    __m256 sums[12];
    for (auto& sum : sums) sum = _mm256_setzero_ps();
    __m256 factor = _mm256_set1_ps(0.999f);
    __m256 addend = _mm256_set1_ps(0.001f);
    asm volatile("" : "+x"(factor), "+x"(addend));
    for (std::size_t i = 0; i < count; ++i) {
        for (auto& sum : sums) sum = _mm256_fmadd_ps(sum, factor, addend);
    }
    keep(sums);
}

TRAWL_TARGET("avx512f") inline void multiply_avx512(std::size_t count) {
    __m512 sums[12];
    for (auto& sum : sums) sum = _mm512_setzero_ps();
    __m512 factor = _mm512_set1_ps(0.999f);
    __m512 addend = _mm512_set1_ps(0.001f);
    asm volatile("" : "+v"(factor), "+v"(addend));
    for (std::size_t i = 0; i < count; ++i) {
        for (auto& sum : sums) sum = _mm512_fmadd_ps(sum, factor, addend);
    }
    keep(sums);
}
#endif

/// The levels that this machine has, widest last.
[[nodiscard]] inline std::vector<level> levels() {
    std::vector<level> found{{"plain C++", read_plain, multiply_plain, 4}};
#if TRAWL_X86_64
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        found.push_back({"avx2", read_avx2, multiply_avx2, 8});
    }
    if (__builtin_cpu_supports("avx512f"))
        found.push_back({"avx512", read_avx512, multiply_avx512, 16});
#endif
    return found;
}

/// GB/s of one core that reads the values `passes` times.
[[nodiscard]] inline samples bandwidth(level const& with, std::span<float const> values,
    std::size_t streams, std::size_t passes, std::size_t rounds) {
    auto const times = interleave(rounds, {[&] {
        for (std::size_t pass = 0; pass < passes; ++pass)
            with.read(values.data(), values.size(), streams);
    }});
    return rate(times[0], static_cast<double>(passes * values.size() * sizeof(float)) / 1e9);
}

/// GB/s of all cores that read a part of the values each, at once.
[[nodiscard]] inline samples bandwidth_of_all(
    level const& with, std::vector<float> const& values, std::size_t streams, std::size_t rounds) {
    auto const cores = (std::max)(std::size_t{1}, std::size_t{std::thread::hardware_concurrency()});
    auto const step = 128 * streams;
    auto const part = values.size() / cores / step * step;
    auto const times = interleave(rounds, {[&] {
        std::vector<std::thread> threads;
        for (std::size_t core = 0; core < cores; ++core) {
            threads.emplace_back(with.read, values.data() + core * part, part, streams);
        }
        for (auto& thread : threads) thread.join();
    }});
    return rate(times[0], static_cast<double>(cores * part * sizeof(float)) / 1e9);
}

/// GFLOP/s of one core, a multiply-add counted as two.
[[nodiscard]] inline samples multiply_adds(
    level const& with, std::size_t count, std::size_t rounds) {
    auto const times = interleave(rounds, {[&] { with.multiply(count); }});
    return rate(times[0], 2.0 * 12.0 * static_cast<double>(with.lanes * count) / 1e9);
}

} // namespace bench::machine
