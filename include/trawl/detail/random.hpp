// SPDX-License-Identifier: MIT
#pragma once

/// Random numbers that are the same on every machine and standard library.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// SplitMix64. @par Source Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014.
class random {
public:
    explicit random(std::uint64_t seed) noexcept : state_(seed) {}

    /// Uniform over all 64-bit numbers.
    [[nodiscard]] std::uint64_t next() noexcept {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }

    /// Uniform over [0, bound), bound > 0, without bias.
    [[nodiscard]] std::uint64_t below(std::uint64_t bound) noexcept {
        auto const rejected = (0 - bound) % bound; // 2^64 mod bound
        auto value = next();
        while (value < rejected) value = next();
        return value % bound;
    }

    /// Uniform over [0, 1), a multiple of 2^-53.
    [[nodiscard]] double uniform() noexcept { return static_cast<double>(next() >> 11) * 0x1p-53; }

    /// Standard normal, by Box and Muller.
    [[nodiscard]] double normal() noexcept {
        auto const radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
        return radius * std::cos(6.283185307179586 * uniform());
    }

    /// Fisher and Yates' shuffle.
    template <class T>
    void shuffle(std::span<T> items) noexcept {
        for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
    }

private:
    std::uint64_t state_;
};

} // namespace detail
TRAWL_END_NAMESPACE
