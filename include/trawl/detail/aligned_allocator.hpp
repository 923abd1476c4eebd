// SPDX-License-Identifier: MIT
#pragma once

/// Memory for vectors of numbers that begins at a cache line.

#include <cstddef>
#include <new>

namespace trawl::inline v0_1::detail {

/// An allocator whose blocks are aligned to 64 bytes.
template <class T>
struct aligned_allocator {
    using value_type = T;
    static constexpr std::align_val_t alignment{64};

    aligned_allocator() = default;
    template <class U>
    aligned_allocator(aligned_allocator<U> const&) noexcept {} // NOLINT(google-explicit-constructor)

    [[nodiscard]] T* allocate(std::size_t n) {
        return static_cast<T*>(::operator new(n * sizeof(T), alignment));
    }
    void deallocate(T* at, std::size_t) noexcept { ::operator delete(at, alignment); }

    friend bool operator==(aligned_allocator const&, aligned_allocator const&) noexcept { return true; }
};

} // namespace trawl::inline v0_1::detail
