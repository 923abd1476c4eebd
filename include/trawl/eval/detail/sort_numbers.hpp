// SPDX-License-Identifier: MIT
#pragma once

/// The one sort that measures need, of 64-bit numbers: they map ids, grades and gains to such
/// numbers, so that a program compiles one instantiation of std::sort for all of them.

#include <algorithm>
#include <cstdint>

#include <trawl/config.hpp>
#include <trawl/detail/buffer.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

inline void sort_numbers(array_ref<std::uint64_t> numbers) {
    std::sort(numbers.data(), numbers.data() + numbers.size());
}

} // namespace detail
TRAWL_END_NAMESPACE
