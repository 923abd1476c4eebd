// SPDX-License-Identifier: MIT
#pragma once

/// A clock that never goes back. <chrono> costs a compiler as much as a tenth of all standard headers
/// of trawl.hpp, so it is included only where the system has no simpler clock.

#if defined(__unix__) || defined(__APPLE__)
#include <ctime>
#else
#include <chrono>
#endif

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Seconds since some moment that is the same for all calls.
[[nodiscard]] inline double steady_seconds() noexcept {
#if defined(__unix__) || defined(__APPLE__)
    timespec now = {};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
#else
    auto const now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
#endif
}

} // namespace detail
TRAWL_END_NAMESPACE
