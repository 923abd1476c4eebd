// SPDX-License-Identifier: MIT
#pragma once

/// Included before every test: the library checks its own invariants and says which one broke.

[[noreturn]] void trawl_assertion_failed(char const* condition, char const* file, int line);

#define TRAWL_ASSERT(condition)                                                                    \
    ((condition) ? static_cast<void>(0) : trawl_assertion_failed(#condition, __FILE__, __LINE__))
