// SPDX-License-Identifier: MIT
#pragma once

/// Whether the documents that were found may be used at all. Relevance says nothing about that.

#include <cstddef>
#include <span>

#include <trawl/core/filter.hpp>
#include <trawl/core/words.hpp>
#include <trawl/eval/evaluate.hpp>
#include <trawl/eval/ordered_keys.hpp>
#include <trawl/eval/run.hpp>

TRAWL_BEGIN_NAMESPACE

/// ineligible@k: the share of the first k hits that a filter excludes (another version, another
/// tenant, a withdrawn document), in [0, 1]; 0 is right. A shorter ranking is measured over its own
/// hits; an empty one is 0.
struct ineligible {
    std::size_t k = 5; ///< at least 1

    /// @throws trawl::error (invalid_argument) if k is 0.
    [[nodiscard]] double operator()(std::span<hit const> hits, filter eligible) const;
};

/// Adds ineligible@k to an evaluation as its last measure. A query that the run lacks has 0.
/// @param found  The run that was measured.
/// @param eligible  The keys of the documents that may be used.
/// @throws trawl::error (invalid_argument) if k is 0.
void add_ineligible(
    evaluation& measured, run const& found, ordered_keys const& eligible, std::size_t k = 5);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/validity_inl.hpp>
#endif
