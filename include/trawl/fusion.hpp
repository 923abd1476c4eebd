// SPDX-License-Identifier: MIT
#pragma once

/// Everything in fusion/ that needs nothing but the standard library, opens no file and starts no thread.
/// Written by ./dev format.

#include <trawl/fusion/borda.hpp>
#include <trawl/fusion/comb.hpp>
#include <trawl/fusion/condorcet.hpp>
#include <trawl/fusion/dbsf.hpp>
#include <trawl/fusion/floored.hpp>
#include <trawl/fusion/isr.hpp>
#include <trawl/fusion/normaliser.hpp>
#include <trawl/fusion/presets.hpp>
#include <trawl/fusion/rbc.hpp>
#include <trawl/fusion/rrf.hpp>
#include <trawl/fusion/spread.hpp>
#include <trawl/fusion/tied_ranks.hpp>
#include <trawl/fusion/tm2c2.hpp>
#include <trawl/fusion/weighted_mnz.hpp>
#include <trawl/fusion/weighted_sum.hpp>
