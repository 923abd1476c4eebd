// SPDX-License-Identifier: MIT
#pragma once

/// The number of enumerators of an enum.

#include <cstddef>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

/// How many enumerators an enum has, numbered from 0 without a gap; 0 if it is not specialised. An
/// enum whose enumerators have names specialises it beside its definition: a reader of names tries
/// name_of(0), name_of(1), … and needs no list of its own.
template <class Enum>
inline constexpr std::size_t enum_count = 0;

TRAWL_END_NAMESPACE
