// SPDX-License-Identifier: MIT
#pragma once

/// The number of enumerators of an enum.

#include <cstddef>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

/// How many enumerators an enum has, counted from 0 without a gap; 0 where it is not said. An enum
/// whose values have names specialises it beside its definition, and its table of names has that
/// size: readers of names need no list of their own.
template <class Enum>
inline constexpr std::size_t enum_count = 0;

TRAWL_END_NAMESPACE
