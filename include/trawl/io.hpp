// SPDX-License-Identifier: MIT
#pragma once

/// Everything in io/ that needs nothing but the standard library.
/// Written by ./dev format.

#include <trawl/io/checksum.hpp>
#include <trawl/io/file.hpp>
#include <trawl/io/fvecs.hpp>
#include <trawl/io/lines.hpp>
#include <trawl/io/mapped_file.hpp>
#include <trawl/io/npy.hpp>
#include <trawl/io/open.hpp>
#include <trawl/io/sections.hpp>
#include <trawl/io/trec.hpp>
