// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of rotation.hpp.

#include <trawl/dense/detail/rotation.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include <trawl/detail/random.hpp>
#include <trawl/detail/simd/dispatch.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE rotation::rotation(std::size_t size, std::uint64_t seed)
    : size_(size),
      window_(std::bit_floor(size)),
      factors_((rounds + 1) * size),
      kernels_(&active_kernels()) {
    if (size == 0) return;
    constexpr float half_root = 0.70710678f;
    auto const log = std::countr_zero(window_); // of a power of two
    auto const scale =                          // 2^(-log / 2)
        (log % 2 == 0 ? 1.0f : half_root) / static_cast<float>(std::size_t{1} << log / 2);
    scales_.assign(window_, scale);
    random from(seed);
    for (std::size_t i = 0; i < factors_.size(); ++i) {
        auto const before = i < size ? 1.0f : window_ == size ? scale : half_root;
        auto const last = i >= rounds * size;
        factors_[i] = last || (from.next() >> 63) != 0 ? before : -before;
    }
}

TRAWL_INLINE void rotation::operator()(std::span<float> v) const noexcept {
    for (std::size_t round = 0; round < rounds; ++round) {
        kernels_->multiply(v.data(), factors_.data() + round * size_, size_);
        auto* const window = v.data() + (round % 2 == 0 ? 0 : size_ - window_);
        kernels_->hadamard(window, window_);
        if (window_ == size_) continue;
        kernels_->multiply(window, scales_.data(), window_);
        kernels_->add_and_subtract(v.data(), v.data() + size_ / 2, size_ / 2);
    }
    kernels_->multiply(v.data(), factors_.data() + rounds * size_, size_);
}

} // namespace detail
TRAWL_END_NAMESPACE
