// SPDX-License-Identifier: MIT
#pragma once

/// Included before every test: the library checks its own invariants, says which one broke, and counts
/// its work.

[[noreturn]] void trawl_assertion_failed(char const* condition, char const* file, int line);

#define TRAWL_ASSERT(condition)                                                                    \
    ((condition) ? static_cast<void>(0) : trawl_assertion_failed(#condition, __FILE__, __LINE__))

namespace support {

/// Steps of work that the library has counted (TRAWL_COUNT).
inline unsigned long long work = 0;

} // namespace support

#define TRAWL_COUNT(steps) static_cast<void>(::support::work += (steps))
