// SPDX-License-Identifier: MIT
#pragma once

/// A stage that drops hits whose score is too low.

#include <cstddef>
#include <utility>

#include <trawl/rerank/stage.hpp>

TRAWL_BEGIN_NAMESPACE

/// Keeps the candidates whose score is at least the floor: .then(trawl::score_floor{0.4f}). A floor
/// belongs to the scores of one fusion rule or model, and is as good as the evaluation that chose
/// it. It judges only scores that are a candidate's own (score_origin): what a reranker did not
/// read is dropped, and where a reranker failed, the scores of an earlier stage all stay. For a
/// floor under an arm's scores see floored.
class score_floor {
public:
    /// @throws trawl::error (invalid_argument) if the floor is not finite.
    explicit score_floor(float floor);

    /// It drops hits and leaves the scores of the others as they are.
    static constexpr bool keeps_scores = true;

    /// O(log n).
    [[nodiscard]] ranking operator()(
        query const&, ranking candidates, search_options const& = {}, trace_ref trace = {}) const;

    [[nodiscard]] explanation explain(
        query const&, stage_step const&, std::size_t, explanation given) const {
        return given;
    }

private:
    float floor_;
};

static_assert(traced_stage<score_floor> && explaining_stage<score_floor>);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/rerank/detail/score_floor_inl.hpp>
#endif
