// SPDX-License-Identifier: MIT
// The compiled form of the library: trawl::compiled. Written by ./dev format.

#ifndef TRAWL_COMPILED
#define TRAWL_COMPILED
#endif
#include <trawl/detail/simd/dispatch_inl.hpp>
#include <trawl/storage/detail/checksum_inl.hpp>
#include <trawl/storage/detail/file_inl.hpp>
#include <trawl/storage/detail/mapped_file_inl.hpp>
#include <trawl/storage/detail/sections_inl.hpp>
