// SPDX-License-Identifier: MIT
#pragma once

/// Every macro of the library but the version: what the compiler offers, and the two hooks that a
/// program may define before its first include, TRAWL_ON_ERROR(text) and TRAWL_ASSERT(condition).
/// None changes a type's layout.

#include <bit>

// Header-only by default: each body is an inline function. Where TRAWL_COMPILED is defined, for the
// whole program, the bodies are compiled once (src/trawl.cpp) and headers only declare them. The
// two forms have namespaces of their own, so that mixing them is an error of the linker. A return
// type is not part of a function's name; the ABI tag makes it so.
#ifdef TRAWL_COMPILED
#define TRAWL_INLINE
#if defined(__GNUC__) || defined(__clang__)
#define TRAWL_ABI_TAG __attribute__((abi_tag("trawl_compiled")))
#else
#define TRAWL_ABI_TAG
#endif
#define TRAWL_BEGIN_NAMESPACE                                                                      \
    namespace trawl {                                                                              \
    inline namespace v0_1_compiled TRAWL_ABI_TAG {
#else
#define TRAWL_INLINE inline
#define TRAWL_BEGIN_NAMESPACE                                                                      \
    namespace trawl {                                                                              \
    inline namespace v0_1 {
#endif
#define TRAWL_END_NAMESPACE                                                                        \
    }                                                                                              \
    }

static_assert(
    std::endian::native == std::endian::little, "trawl supports little-endian machines only");

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define TRAWL_HAS_EXCEPTIONS 1
#else
#define TRAWL_HAS_EXCEPTIONS 0
#endif

// What happens on a trawl::error where exceptions are off; it must not return.
#ifndef TRAWL_ON_ERROR
#define TRAWL_ON_ERROR(text) ::std::abort()
#endif

// Checks an invariant of the library itself; off by default, the tests define it.
#ifndef TRAWL_ASSERT
#define TRAWL_ASSERT(condition) static_cast<void>(0)
#endif

// Counts steps of work where their number must not grow faster than the input; the tests define it.
#ifndef TRAWL_COUNT
#define TRAWL_COUNT(steps) static_cast<void>(0)
#endif

#if defined(__x86_64__) || defined(_M_X64)
#define TRAWL_X86_64 1
#else
#define TRAWL_X86_64 0
#endif

#if defined(__aarch64__) || defined(_M_ARM64)
#define TRAWL_ARM64 1
#else
#define TRAWL_ARM64 0
#endif

// Lets one function use vector instructions that the rest of the program must not assume.
#if TRAWL_X86_64 && (defined(__GNUC__) || defined(__clang__))
#define TRAWL_TARGET(features) __attribute__((target(features)))
#else
#define TRAWL_TARGET(features)
#endif

// Behind the features of a loop whose operands must stay in registers: tuned for some processors
// (-march=native), GCC reads them from memory at each use.
#if defined(__GNUC__) && !defined(__clang__)
#define TRAWL_UNTUNED ",tune=generic"
#else
#define TRAWL_UNTUNED ""
#endif

// For the bodies that kernels of different targets share: compiled for whichever kernel calls them.
#if defined(__GNUC__) || defined(__clang__)
#define TRAWL_ALWAYS_INLINE __attribute__((always_inline)) inline
#elif defined(_MSC_VER)
#define TRAWL_ALWAYS_INLINE __forceinline
#else
#define TRAWL_ALWAYS_INLINE inline
#endif

// Keeps the building of error messages out of the hot path.
#if defined(__GNUC__) || defined(__clang__)
#define TRAWL_COLD __attribute__((cold))
#elif defined(_MSC_VER)
#define TRAWL_COLD __declspec(noinline)
#else
#define TRAWL_COLD
#endif
