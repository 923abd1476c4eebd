// SPDX-License-Identifier: MIT
#pragma once

/// A stage that cuts a ranking where its scores drop.

#include <cstddef>
#include <utility>

#include <trawl/core/explanation.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/rerank/stage.hpp>

TRAWL_BEGIN_NAMESPACE

/// Keeps what stands before the n-th jump of the scores: .then(trawl::autocut{1}). With both axes
/// scaled to [0, 1], the curve of scores is laid beside the straight line from the first to the
/// last; where it is further below the line than at both its neighbours a jump has just happened,
/// and the hit there and all after it are dropped. Equal scores throughout, or fewer than n jumps:
/// nothing is dropped.
///
/// It means something only for scores that measure something: a curve of 1 / (k + rank) has its
/// jumps by construction. A pipeline whose fusion rule reads ranks refuses it, unless another stage
/// has scored anew.
/// @par Source Weaviate's autocut.
class autocut {
public:
    /// @throws trawl::error (invalid_argument) if jumps is 0.
    explicit autocut(std::size_t jumps = 1) : jumps_(jumps) {
        if (jumps == 0) detail::fail(errc::invalid_argument, "autocut: jumps is 0, must be >= 1");
    }

    /// It reads scores: no use after a rule of ranks (uses_scores = false).
    static constexpr bool needs_scores = true;
    /// It drops hits and leaves the scores of the others as they are.
    static constexpr bool keeps_scores = true;

    [[nodiscard]] ranking operator()(
        query const& q, ranking candidates, search_options const& options = {}) const {
        stage_trace trace;
        return (*this)(q, std::move(candidates), options, trace);
    }

    /// O(n).
    [[nodiscard]] ranking operator()(
        query const&, ranking candidates, search_options const&, stage_trace& trace) const {
        trace.name = "autocut";
        auto const kept = cut(candidates);
        if (kept < candidates.size())
            trace.notes.push_back(detail::join("cut after ", kept, " hits, at jump ", jumps_));
        candidates.resize(kept);
        return candidates;
    }

    [[nodiscard]] explanation explain(
        query const&, stage_step const&, std::size_t, explanation given) const {
        return given;
    }

private:
    [[nodiscard]] std::size_t cut(ranking const& hits) const noexcept {
        auto const n = hits.size();
        if (n <= 1) return n;
        auto const score = [&](std::size_t i) { return static_cast<double>(hits[i].score); };
        auto const range = detail::rounded(score(0) - score(n - 1));
        if (!(range > 0)) return n;
        auto const below_line = [&](std::size_t i) {
            auto const dropped = detail::divided(detail::rounded(score(0) - score(i)), range);
            auto const along = detail::divided(static_cast<double>(i), static_cast<double>(n - 1));
            return detail::rounded(dropped - along);
        };
        std::size_t found = 0;
        for (std::size_t i = 1; i + 1 < n; ++i) {
            auto const here = below_line(i);
            if (here > below_line(i - 1) && here > below_line(i + 1) && ++found == jumps_) return i;
        }
        // Where the curve was above the line to the end, the last hit itself is the drop.
        if (n > 2 && below_line(n - 1) > below_line(n - 2) && below_line(n - 1) > below_line(n - 3)
            && ++found == jumps_)
            return n - 1;
        return n;
    }

    std::size_t jumps_;
};

static_assert(traced_stage<autocut> && explaining_stage<autocut>);

TRAWL_END_NAMESPACE
