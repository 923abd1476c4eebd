// SPDX-License-Identifier: MIT
#pragma once

/// Sorting, compiled once for all that a lexical index sorts: integers, into which the key and the
/// place of an element are packed.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <trawl/core/function_ref.hpp>
#include <trawl/detail/buffer.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Ascending.
[[gnu::noinline]] inline void sort_ascending(array_ref<std::uint64_t> numbers) {
    auto* const first = numbers.data();
    std::sort(first, first + numbers.size());
}

/// The place of the first number that is not below the value; the size if all are.
[[nodiscard]] inline std::size_t place_in(
    array_ref<std::uint32_t const> ascending, std::uint64_t value) noexcept {
    auto const* const first = ascending.data();
    return static_cast<std::size_t>(
        std::lower_bound(first, first + ascending.size(), value) - first);
}

/// A number that sorts by `key`, then by `place`.
[[nodiscard]] constexpr std::uint64_t sort_key(std::uint32_t key, std::size_t place) noexcept {
    return std::uint64_t{key} << 32 | static_cast<std::uint32_t>(place);
}

/// The same, but larger keys come first.
[[nodiscard]] constexpr std::uint64_t falling_sort_key(
    std::uint32_t key, std::size_t place) noexcept {
    return sort_key(~key, place);
}

[[nodiscard]] constexpr std::size_t place_of_key(std::uint64_t sort_key) noexcept {
    return static_cast<std::uint32_t>(sort_key);
}

/// The places 0 … n - 1 of elements in ascending order, for orders that are no integers.
[[nodiscard, gnu::noinline]] inline buffer<std::uint32_t> sorted_places(
    std::size_t n, function_ref<bool(std::uint32_t, std::uint32_t)> before) {
    buffer<std::uint32_t> places(n);
    for (std::size_t i = 0; i < n; ++i) places[i] = static_cast<std::uint32_t>(i);
    auto* const first = places.data();
    std::sort(first, first + n, before);
    return places;
}

/// The k-th largest value.
/// @param values  at least k >= 1; their order is lost.
[[nodiscard, gnu::noinline]] inline std::int32_t kth_largest(
    array_ref<std::int32_t> values, std::size_t k) {
    auto* const first = values.data();
    std::nth_element(first, first + (values.size() - k), first + values.size());
    return first[values.size() - k];
}

} // namespace detail
TRAWL_END_NAMESPACE
