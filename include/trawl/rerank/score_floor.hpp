// SPDX-License-Identifier: MIT
#pragma once

/// A stage that drops what scores too low.

#include <algorithm>
#include <cstddef>
#include <utility>

#include <trawl/core/explanation.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/rerank/stage.hpp>

TRAWL_BEGIN_NAMESPACE

/// Keeps the candidates whose score is at least the floor: .then(trawl::score_floor{0.4f}). A floor
/// belongs to what makes the scores (fusion rule, reranker), and is worth what the evaluation that
/// chose it is. For a floor under an arm's scores see floored.
class score_floor {
public:
    /// @throws trawl::error (invalid_argument) if the floor is not finite.
    explicit score_floor(float floor) : floor_(floor) {
        if (!detail::is_finite(floor)) {
            detail::fail(errc::invalid_argument,
                detail::join("score_floor: the floor is ", floor, ", must be finite"));
        }
    }

    /// It drops hits and leaves the scores of the others as they are.
    static constexpr bool keeps_scores = true;

    [[nodiscard]] ranking operator()(
        query const& q, ranking candidates, search_options const& options = {}) const {
        stage_trace trace;
        return (*this)(q, std::move(candidates), options, trace);
    }

    /// O(log n), for scores never rise.
    [[nodiscard]] ranking operator()(
        query const&, ranking candidates, search_options const&, stage_trace& trace) const {
        trace.name = "score_floor";
        auto const end = std::partition_point(candidates.begin(), candidates.end(),
            [this](hit const& h) { return h.score >= floor_; });
        candidates.erase(end, candidates.end());
        return candidates;
    }

    [[nodiscard]] explanation explain(
        query const&, stage_step const&, std::size_t, explanation given) const {
        return given;
    }

private:
    float floor_;
};

static_assert(traced_stage<score_floor> && explaining_stage<score_floor>);

TRAWL_END_NAMESPACE
