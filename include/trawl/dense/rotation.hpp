// SPDX-License-Identifier: MIT
#pragma once

/// A random rotation that costs O(n log n): four rounds of random signs and fast Hadamard transforms.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/detail/simd/code_kernels.hpp>

namespace trawl::inline v0_1::detail {

/// Rotates vectors of a size that is a multiple of 64. The same seed gives the same bits on every machine.
/// @par Source  The "FhtKac" rotator of RaBitQ: Hadamard transforms over the first and the last 2^k values in
/// turn, and a step of Kac's walk between the halves where the size is no power of two.
class rotation {
public:
    rotation(std::size_t size, std::uint64_t seed)
        : size_(size), part_(std::bit_floor(size)), signs_(rounds * size), kernels_(&active_code_kernels()) {
        random from(seed);
        for (auto& sign : signs_) sign = (from.next() >> 63) != 0 ? 1.0f : -1.0f;
        auto const log = std::countr_zero(part_); // a power of two
        scale_ = (log % 2 == 0 ? 1.0f : 0.70710678f)
                 / static_cast<float>(std::size_t{1} << log / 2); // 2^(-log / 2)
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    void operator()(std::span<float> v) const noexcept {
        for (std::size_t round = 0; round < rounds; ++round) {
            for (std::size_t i = 0; i < size_; ++i) v[i] = rounded(v[i] * signs_[round * size_ + i]);
            hadamard(v.data() + (round % 2 == 0 ? 0 : size_ - part_));
            multiply(v, round % 2 == 0 ? 0 : size_ - part_, part_, scale_);
            if (part_ == size_) continue;
            kernels_->add_and_subtract(v.data(), v.data() + size_ / 2, size_ / 2);
            multiply(v, 0, size_, 0.70710678f);
        }
    }

private:
    static constexpr std::size_t rounds = 4;

    static void multiply(std::span<float> v, std::size_t first, std::size_t count, float by) noexcept {
        for (std::size_t i = first; i < first + count; ++i) v[i] = rounded(v[i] * by);
    }

    void hadamard(float* v) const noexcept {
        for (std::size_t width = part_ / 2; width >= 8; width /= 2) {
            for (std::size_t i = 0; i < part_; i += 2 * width)
                kernels_->add_and_subtract(v + i, v + i + width, width);
        }
        for (std::size_t width = 4; width > 0; width /= 2) {
            for (std::size_t i = 0; i < part_; i += 2 * width)
                scalar::add_and_subtract(v + i, v + i + width, width);
        }
    }

    std::size_t size_;
    std::size_t part_; // the largest power of two in size_
    std::vector<float> signs_;
    code_kernels const* kernels_;
    float scale_ = 1;
};

} // namespace trawl::inline v0_1::detail
