// SPDX-License-Identifier: MIT
#pragma once

/// Everything in formats/ that needs nothing but the standard library.
/// Written by ./dev format.

#include <trawl/formats/fvecs.hpp>
#include <trawl/formats/lines.hpp>
#include <trawl/formats/npy.hpp>
#include <trawl/formats/trec.hpp>
