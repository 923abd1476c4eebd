// SPDX-License-Identifier: MIT
#pragma once

/// Stages come after the fusion: they reorder, cut or replace a ranking, write what they did into a
/// trace, and explain a hit.

#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/enum_count.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE

/// What happens to a search when an arm, or a model on one batch, throws or breaks its contract.
/// std::bad_alloc passes through in any case.
enum class failure_policy : unsigned char {
    fail, ///< the search fails with the error
    /// the arm is left out, the batch is not reranked, and the report says so; the search fails
    /// only if all arms do
    leave_out,
};

template <>
inline constexpr std::size_t enum_count<failure_policy> = 2;

/// "fail", "leave_out".
[[nodiscard]] constexpr std::string_view name_of(failure_policy policy) noexcept {
    constexpr std::string_view names[enum_count<failure_policy>] = {"fail", "leave_out"};
    return names[static_cast<std::size_t>(policy)];
}

/// Which stage made the scores of a ranking. A reranker scores the first candidates; those behind
/// them only follow, and their scores mean nothing. Stages that read scores (floors, autocut,
/// boosts, mixtures) must know which are which.
struct score_origin {
    static constexpr std::size_t all = (std::numeric_limits<std::size_t>::max)();

    /// The first `own` hits have a score of their own, made by the stage that scored last or,
    /// before any, by the fusion. The hits behind them each stand one float step below the one
    /// before.
    std::size_t own = all;
    /// A stage was to score and scored nothing, because its model failed or time was up: the scores
    /// are those of a stage before it.
    bool stale = false;

    friend bool operator==(score_origin const&, score_origin const&) = default;
};

/// What one step of a search did: an arm, the fusion or a stage.
struct stage_trace {
    std::string name = {};
    std::size_t candidates_in = 0;
    std::size_t candidates_out = 0;
    /// documents that the step scored itself: calls of a model, picks, completions
    std::size_t scored = 0;
    double seconds = 0;   ///< wall clock; 0 unless a report was asked for
    bool partial = false; ///< cut short by search_options::stop, or incomplete otherwise
    std::vector<std::string> notes = {}; ///< for people: what was absent, dropped or doubtful
    std::vector<double> kept = {};       ///< for the stage's own explain: values it needs again
    score_origin given = {};             ///< of the candidates; set before the stage runs
    /// of the hits that it returns; none: the pipeline compares them with the candidates
    std::optional<score_origin> left = {};
};

template <class S>
concept pipeline_stage =
    requires(S const& s, query const& q, ranking candidates, search_options const& options) {
        /** The candidates reordered, cut or replaced, scores never rising; documents inside options.where only.
        options.k is the number of candidates, so that nothing can depend on how many hits are wanted. */
        { s(q, std::move(candidates), options) } -> std::same_as<ranking>;
    };

/// The trace that a stage writes into, if it was given one.
class trace_ref {
public:
    trace_ref() = default;
    trace_ref(
        stage_trace& trace) noexcept // NOLINT(google-explicit-constructor): implicit on purpose
        : trace_(&trace) {}

    /// The trace that was given, else `unread`.
    [[nodiscard]] stage_trace& or_else(stage_trace& unread) const noexcept {
        return trace_ != nullptr ? *trace_ : unread;
    }

private:
    stage_trace* trace_ = nullptr;
};

/// A stage that also writes into a trace. One call does for both, if its last parameter is
/// trace_ref trace = {}.
template <class S>
concept traced_stage = pipeline_stage<S>
                       && requires(S const& s, query const& q, ranking candidates,
                           search_options const& options, stage_trace& trace) {
                              {
                                  s(q, std::move(candidates), options, trace)
                              } -> std::same_as<ranking>;
                          };

/// One pass of a stage over a ranking, as its explanation sees it.
struct stage_step {
    ranking const& in;
    ranking const& out;
    stage_trace const& trace;
};

/// A stage that explains the hit at out[position]; `given` explains the score that it came with.
template <class S>
concept explaining_stage = pipeline_stage<S>
                           && requires(S const& s, query const& q, stage_step const& step,
                               std::size_t position, explanation given) {
                                  {
                                      s.explain(q, step, position, std::move(given))
                                  } -> std::same_as<explanation>;
                              };

namespace detail {

/// The position of a document; hits.size() if it is not there.
[[nodiscard]] std::size_t position_of(ranking const& hits, doc_id id) noexcept;

[[nodiscard]] bool same_bits(double a, double b) noexcept;

/// An opaque node for a score, above the explanation of what it was computed from.
[[nodiscard]] explanation opaque_score(float score, std::string label, explanation given);

/// Explains the hit at out[position], which the stage did not score: it stands one float step below
/// the hit before it, or keeps its score if the stage scored none.
[[nodiscard]] explanation explain_rest(
    stage_step const& step, std::size_t position, explanation given);

/// Holds a callback of the caller's to its contract: at most `most` hits, inside the filter, finite
/// scores that never rise.
/// @param name  Says whose hits they are; called for messages only.
/// @throws trawl::error (model).
void check_hits(
    ranking const& hits, filter const& where, std::size_t most, function_ref<std::string()> name);

/// The score_origin after a stage that does not set stage_trace::left: a hit that had no score of
/// its own, and has kept its score, still has none.
[[nodiscard]] score_origin origin_after(ranking const& in, score_origin given, ranking const& out);

/// How many of n hits have a score of their own.
[[nodiscard]] inline std::size_t own_of(score_origin given, std::size_t n) noexcept {
    return given.own < n ? given.own : n;
}

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/rerank/detail/stage_inl.hpp>
#endif
