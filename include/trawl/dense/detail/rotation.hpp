// SPDX-License-Identifier: MIT
#pragma once

/// A random rotation that costs O(n log n): four rounds of random signs and fast Hadamard
/// transforms.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct kernels;

/// Rotates vectors of a size that is a multiple of 64. The same seed gives the same bits on every
/// machine.
/// @par Source The "FhtKac" rotator of RaBitQ: Hadamard transforms over the first and the last 2^k
/// values in turn, and a step of Kac's walk between the halves where the size is no power of two.
class rotation {
public:
    /// @param size  0 makes a rotation that is never used.
    rotation(std::size_t size, std::uint64_t seed);

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    void operator()(std::span<float> v) const noexcept;

private:
    static constexpr std::size_t rounds = 4;

    std::size_t size_;
    std::size_t window_; // the largest power of two in size_
    // of each round, its signs times the scale of the round before; then the scale of the last
    std::vector<float> factors_;
    std::vector<float> scales_; // of a transform of a window
    kernels const* kernels_;
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/dense/detail/rotation_inl.hpp>
#endif
