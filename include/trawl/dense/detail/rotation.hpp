// SPDX-License-Identifier: MIT
#pragma once

/// A random rotation that costs O(n log n): four rounds of random signs and fast Hadamard
/// transforms.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <trawl/detail/random.hpp>
#include <trawl/detail/simd/dispatch.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Rotates vectors of a size that is a multiple of 64. The same seed gives the same bits on every
/// machine.
/// @par Source The "FhtKac" rotator of RaBitQ: Hadamard transforms over the first and the last 2^k
/// values in turn, and a step of Kac's walk between the halves where the size is no power of two.
class rotation {
public:
    rotation(std::size_t size, std::uint64_t seed)
        : size_(size),
          part_(std::bit_floor(size)),
          factors_((rounds + 1) * size),
          kernels_(&active_kernels()) {
        auto const log = std::countr_zero(part_); // a power of two
        auto const scale =
            // 2^(-log / 2)
            (log % 2 == 0 ? 1.0f : half_root) / static_cast<float>(std::size_t{1} << log / 2);
        scales_.assign(part_, scale);
        random from(seed);
        for (std::size_t i = 0; i < factors_.size(); ++i) {
            auto const before = i < size ? 1.0f : part_ == size ? scale : half_root;
            auto const last = i >= rounds * size;
            factors_[i] = last || (from.next() >> 63) != 0 ? before : -before;
        }
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    void operator()(std::span<float> v) const noexcept {
        for (std::size_t round = 0; round < rounds; ++round) {
            kernels_->multiply(v.data(), factors_.data() + round * size_, size_);
            auto* const part = v.data() + (round % 2 == 0 ? 0 : size_ - part_);
            kernels_->hadamard(part, part_);
            if (part_ == size_) continue;
            kernels_->multiply(part, scales_.data(), part_);
            kernels_->add_and_subtract(v.data(), v.data() + size_ / 2, size_ / 2);
        }
        kernels_->multiply(v.data(), factors_.data() + rounds * size_, size_);
    }

private:
    static constexpr std::size_t rounds = 4;
    static constexpr float half_root = 0.70710678f;

    std::size_t size_;
    std::size_t part_; // the largest power of two in size_
    // of each round, its signs and what scales the round before; then the last's
    std::vector<float> factors_;
    std::vector<float> scales_; // of a transform of a part
    kernels const* kernels_;
};

} // namespace detail
TRAWL_END_NAMESPACE
