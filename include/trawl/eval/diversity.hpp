// SPDX-License-Identifier: MIT
#pragma once

/// Measures of diversity: whether a ranking covers several aspects or repeats one.

#include <cstddef>
#include <cstdint>
#include <span>

#include <trawl/core/function_ref.hpp>
#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE

/// A document is relevant to one subtopic (aspect, nugget) of a query.
struct subtopic_judgement {
    doc_id id = no_doc;
    std::uint32_t subtopic = 0;
};

/// alpha-nDCG@k: each further document about a subtopic is worth (1 - alpha) times the one before.
/// Gains are discounted by log2(rank + 1) and divided by the gain of the ideal ranking, which is
/// built greedily (the exact one is NP-hard); of equal gains the higher id is taken first, as ndeval
/// does. In [0, 1], except where the greedy ranking is not ideal; 0 if nothing is judged.
/// @par Source Clarke et al., "Novelty and diversity in information retrieval evaluation", SIGIR
/// 2008; ndeval.
struct alpha_ndcg {
    double alpha = 0.5; ///< how much a repetition loses, in [0, 1]
    std::size_t k = 10; ///< at least 1

    /// @throws trawl::error (invalid_argument) for alpha outside [0, 1], k = 0, or a ranking that
    /// has a document twice.
    /// @par Complexity O(n log n + k * m log m), n hits and m judgements.
    [[nodiscard]] double operator()(
        std::span<hit const> hits, std::span<subtopic_judgement const> judged) const;
};

/// Intra-list diversity: the mean of 1 - similarity over all pairs of the first k documents; 0 for
/// fewer than two. In [0, 2] for cosines, in [0, 1] for similarities in [0, 1].
/// @param similarity  Of two documents; symmetric and finite.
/// @throws trawl::error (not_finite) if a similarity is not finite.
/// @par Complexity O(k^2) calls of `similarity`.
[[nodiscard]] double intra_list_diversity(
    std::span<hit const> hits, std::size_t k, function_ref<double(doc_id, doc_id)> similarity);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/diversity_inl.hpp>
#endif
