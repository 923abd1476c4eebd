// SPDX-License-Identifier: MIT
#pragma once

/// Memory that runs out where a test wants it to: this header replaces operator new for the whole
/// program. A program includes it in one source only.

#include <cstddef>
#include <cstdlib>
#include <new>

namespace support {

/// How many allocations of this thread still succeed; negative: all of them.
inline thread_local std::ptrdiff_t allocations_left = -1;

/// While it lives, allocation number `n` of this thread (from 1 on) and all that follow throw
/// std::bad_alloc.
class failing_new {
public:
    explicit failing_new(std::size_t n) { allocations_left = static_cast<std::ptrdiff_t>(n) - 1; }
    failing_new(failing_new const&) = delete;
    ~failing_new() { allocations_left = -1; }
};

/// Lets the first allocation of a change fail, then the second, and so on until none fails. make()
/// gives a fresh subject, change(subject) is what may run out of memory, and check(subject,
/// changed) is called after each attempt, with memory to spare. Returns the number of attempts that
/// failed.
template <class Make, class Change, class Check>
std::size_t fail_each_allocation(Make make, Change change, Check check) {
    for (std::size_t n = 1;; ++n) {
        auto subject = make();
        bool changed = false;
        try {
            failing_new const scarce(n);
            change(subject);
            changed = true;
        } catch (std::bad_alloc const&) {
        }
        check(subject, changed);
        if (changed) return n - 1;
    }
}

/// Null if it fails.
inline void* try_allocate(std::size_t size, std::size_t alignment) noexcept {
    if (allocations_left == 0) return nullptr;
    if (allocations_left > 0) --allocations_left;
    auto const rounded = (size + alignment - 1) / alignment * alignment;
    return std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
}

inline void* allocate(std::size_t size, std::size_t alignment) {
    auto* const at = try_allocate(size, alignment);
    if (at == nullptr) throw std::bad_alloc();
    return at;
}

} // namespace support

#if defined(__GNUC__) && !defined(__clang__)
// GCC inlines half of the pair and takes it for a mismatch.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif

void* operator new(std::size_t size) {
    return support::allocate(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return support::allocate(size, static_cast<std::size_t>(alignment));
}
// The forms that do not throw are AddressSanitizer's own otherwise, which then meet our delete.
void* operator new(std::size_t size, std::nothrow_t const&) noexcept {
    return support::try_allocate(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void* operator new(std::size_t size, std::align_val_t alignment, std::nothrow_t const&) noexcept {
    return support::try_allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* at) noexcept { std::free(at); }
void operator delete(void* at, std::size_t) noexcept { std::free(at); }
void operator delete(void* at, std::align_val_t) noexcept { std::free(at); }
void operator delete(void* at, std::size_t, std::align_val_t) noexcept { std::free(at); }
