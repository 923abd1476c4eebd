// SPDX-License-Identifier: MIT
#pragma once

/// Quality against what it costs.

#include <cstddef>
#include <span>
#include <vector>

#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// What became of one question, and how many expensive calls (of a reranker, a rewriter …) it took.
struct question_cost {
    bool answered = false;
    std::size_t calls = 0;
};

/// Success at cost n: the share of questions that were answered within n expensive calls, in [0,
/// 1]; 0 for no questions.
[[nodiscard]] double success_at_cost(
    std::span<question_cost const> questions, std::size_t calls) noexcept;
struct quality_and_cost {
    double quality = 0; ///< higher is better
    double cost = 0;    ///< lower is better
};

/// The systems that no other beats: none is at least as good and cheaper, or better and no dearer.
/// Indices, ascending by cost; of systems that are alike in both, the first.
/// @throws trawl::error (not_finite).
[[nodiscard]] std::vector<std::size_t> pareto(std::span<quality_and_cost const> systems);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/cost_inl.hpp>
#endif
