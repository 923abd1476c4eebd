// SPDX-License-Identifier: MIT
#pragma once

/// A stage that cuts a ranking where its scores drop.

#include <cstddef>
#include <utility>

#include <trawl/rerank/stage.hpp>

TRAWL_BEGIN_NAMESPACE

/// Keeps what stands before the n-th jump of the scores: .then(trawl::autocut{1}). Both axes are
/// scaled to [0, 1], and the curve of scores is compared with the straight line from the first to
/// the last. Where it is further below the line than at both its neighbours, a jump has just
/// happened: the hit there and all after it are dropped. Nothing is dropped if all scores are equal
/// or there are fewer than n jumps.
///
/// It reads only scores that are a candidate's own (score_origin): jumps are looked for among the
/// candidates that a reranker read, and nothing is cut where a reranker failed.
///
/// Use it only on scores that measure relevance: a curve of 1 / (k + rank) has its jumps by
/// construction. A pipeline whose fusion rule reads ranks refuses it, unless a stage before it has
/// scored anew.
/// @par Source Weaviate's autocut.
class autocut {
public:
    /// @throws trawl::error (invalid_argument) if jumps is 0.
    explicit autocut(std::size_t jumps = 1);

    /// It reads scores: no use after a rule of ranks (uses_scores = false).
    static constexpr bool needs_scores = true;
    /// It drops hits and leaves the scores of the others as they are.
    static constexpr bool keeps_scores = true;

    /// O(n).
    [[nodiscard]] ranking operator()(
        query const&, ranking candidates, search_options const& = {}, trace_ref trace = {}) const;

    [[nodiscard]] explanation explain(
        query const&, stage_step const&, std::size_t, explanation given) const {
        return given;
    }

private:
    [[nodiscard]] std::size_t first_dropped(ranking const& hits, std::size_t own) const noexcept;

    std::size_t jumps_;
};

static_assert(traced_stage<autocut> && explaining_stage<autocut>);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/rerank/detail/autocut_inl.hpp>
#endif
