// SPDX-License-Identifier: MIT
#pragma once

/// The checksum of the library's own files.

#include <cstddef>
#include <cstdint>
#include <span>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

/// Returns XXH64 of the bytes, with seed 0. It detects accidental damage, not deliberate changes.
/// @par Complexity  O(bytes), about 0.1 ns for each byte.
/// @par Source  Collet, "xxHash fast digest algorithm", https://github.com/Cyan4973/xxHash, doc/
[[nodiscard]] std::uint64_t checksum(std::span<std::byte const> bytes) noexcept;

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/storage/detail/checksum_inl.hpp>
#endif
