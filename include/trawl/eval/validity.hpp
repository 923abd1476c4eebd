// SPDX-License-Identifier: MIT
#pragma once

/// Whether what was found may be used at all: relevance says nothing about that.

#include <cstddef>
#include <span>

#include <trawl/core/filter.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/number_text.hpp>
#include <trawl/eval/assessment.hpp>
#include <trawl/eval/evaluate.hpp>

TRAWL_BEGIN_NAMESPACE

/// ineligible@k: the share of the first k hits that lie outside a filter (another version, another
/// tenant, what was withdrawn), in [0, 1]; 0 is right. A shorter ranking is measured over the hits
/// that it has, an empty one is 0.
/// @throws trawl::error (invalid_argument) if k is 0.
struct ineligible {
    std::size_t k = 5;

    [[nodiscard]] double operator()(std::span<hit const> hits, filter eligible) const;
};

/// Puts ineligible@k beside the measures of an evaluation, as its last one, so that every table
/// shows it: how much of what counts as good may not be used. A question that the run lacks has 0.
/// @param found   The run that was measured.
/// @param eligible  The keys of the documents inside the filter.
/// @throws trawl::error (invalid_argument) if k is 0.
void add_ineligible(
    evaluation& measured, run const& found, ordered_keys const& eligible, std::size_t k = 5);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/validity_inl.hpp>
#endif
