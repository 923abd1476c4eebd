// SPDX-License-Identifier: MIT
#pragma once

/// Everything in storage/ that needs nothing but the standard library.
/// Written by ./dev format.

#include <trawl/storage/checksum.hpp>
#include <trawl/storage/file.hpp>
#include <trawl/storage/file_lock.hpp>
#include <trawl/storage/mapped_file.hpp>
#include <trawl/storage/open.hpp>
#include <trawl/storage/sections.hpp>
