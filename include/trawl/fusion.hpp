// SPDX-License-Identifier: MIT
#pragma once

/// Everything in fusion/ that needs nothing but the standard library, opens no file and starts no thread.
/// Written by ./dev format.

#include <trawl/fusion/arm_union.hpp>
#include <trawl/fusion/normaliser.hpp>
#include <trawl/fusion/rrf.hpp>
#include <trawl/fusion/sort_by_rank.hpp>
#include <trawl/fusion/weighted_sum.hpp>
