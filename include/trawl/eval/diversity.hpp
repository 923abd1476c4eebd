// SPDX-License-Identifier: MIT
#pragma once

/// Does a ranking say several things, or one thing several times?

#include <cstddef>
#include <cstdint>
#include <span>

#include <trawl/core/function_ref.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/assessment.hpp>

TRAWL_BEGIN_NAMESPACE

/// A document answers this part (subtopic, nugget) of a question.
struct subtopic_judgement {
    doc_id id = no_doc;
    std::uint32_t subtopic = 0;
};

/// alpha-nDCG@k: each further document about a subtopic is worth (1 - alpha) of the one before;
/// discounted by log2(rank + 1), over the gain of the ideal ranking, which is picked greedily (the
/// exact one is NP-hard), of equal gains the higher id first, as ndeval. In [0, 1] but where greed
/// misses the ideal; 0 if nothing is judged.
/// @par Source Clarke et al., "Novelty and diversity in information retrieval evaluation", SIGIR
/// 2008; ndeval.
struct alpha_ndcg {
    double alpha = 0.5; ///< in [0, 1]: how much a repetition loses
    std::size_t k = 10;

    /// @throws trawl::error (invalid_argument) for alpha outside [0, 1], k = 0, or a document that
    /// is in the ranking twice.
    [[nodiscard]] double operator()(
        std::span<hit const> hits, std::span<subtopic_judgement const> judged) const;
};

/// Intra-list diversity: the mean of 1 - similarity over all pairs of the first k, 0 for fewer than
/// two. With cosines in [0, 2], with similarities in [0, 1] in [0, 1].
/// @param similarity  Of two documents, symmetric, finite.
/// @throws trawl::error (not_finite).
/// @par Complexity O(k^2) calls.
[[nodiscard]] double intra_list_diversity(
    std::span<hit const> hits, std::size_t k, function_ref<double(doc_id, doc_id)> similarity);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/diversity_inl.hpp>
#endif
