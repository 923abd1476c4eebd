// SPDX-License-Identifier: MIT
#pragma once

/// What comes after the fusion: stages that reorder, cut or replace a ranking, what they leave in
/// the trace, and how they explain a hit.

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/enum_count.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// What happens to a search when a part of it throws or breaks its contract: an arm, or a model on
/// one batch. std::bad_alloc passes through in any case.
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

/// What one step of a search did: an arm, the fusion or a stage.
struct stage_trace {
    std::string name = {};
    std::size_t candidates_in = 0;
    std::size_t candidates_out = 0;
    /// documents that it scored itself: calls of a model, picks, completions
    std::size_t scored = 0;
    double seconds = 0;   ///< wall clock; 0 unless a report was asked for
    bool partial = false; ///< cut short by search_options::stop, or incomplete otherwise
    std::vector<std::string> notes = {}; ///< for people: what was absent, dropped or doubtful
    std::vector<double> kept = {};       ///< for the stage's own explain: what its hits do not tell
};

template <class S>
concept pipeline_stage =
    requires(S const& s, query const& q, ranking candidates, search_options const& options) {
        /** The candidates reordered, cut or replaced, scores never rising; documents inside options.where only.
        options.k is the number of candidates, so that nothing can depend on how many hits are wanted. */
        { s(q, std::move(candidates), options) } -> std::same_as<ranking>;
    };

/// A stage that also writes into its trace.
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

[[nodiscard]] inline std::size_t position_of(ranking const& hits, doc_id id) noexcept {
    auto const at =
        std::find_if(hits.begin(), hits.end(), [id](hit const& h) { return h.id == id; });
    return static_cast<std::size_t>(at - hits.begin());
}

[[nodiscard]] inline bool same_bits(double a, double b) noexcept {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// A score that was computed out of sight, above what it was computed from.
[[nodiscard]] inline explanation opaque_score(float score, std::string label, explanation given) {
    explanation node{
        .op = operation::opaque, .label = std::move(label), .value = static_cast<double>(score)};
    node.children.push_back(std::move(given));
    return node;
}

/// Why the hit at out[position], which the stage did not score, stands one float step below the hit
/// before it, or where it was if the stage scored none.
[[nodiscard]] inline explanation explain_rest(
    stage_step const& step, std::size_t position, explanation given) {
    if (step.trace.scored == 0) return given; // nothing was scored: all scores stay
    auto const before = step.out[position - 1];
    explanation node{.op = operation::placed,
        .label = join(step.trace.name, ": not scored, follows"),
        .value = static_cast<double>(step.out[position].score)};
    node.children.push_back(opaque_score(before.score, "at most the hit before", std::move(given)));
    node.children.push_back({.label = join("the hit before, document ", before.id),
        .value = static_cast<double>(before.score)});
    return node;
}

/// Holds a callback of the caller's to its contract: at most `most` hits, inside the filter, finite
/// scores that never rise. `name` is called for the message only.
/// @throws trawl::error (model).
template <class Name>
void check_hits(ranking const& hits, filter const& where, std::size_t most, Name const& name) {
    if (hits.size() > most)
        fail(errc::model,
            join(name(), " returned ", hits.size(), " hits, asked for at most ", most));
    for (std::size_t i = 0; i < hits.size(); ++i) {
        auto const [id, score] = hits[i];
        if (id == no_doc) fail(errc::model, join(name(), " returned no_doc at position ", i));
        if (!where.admits(id))
            fail(errc::model,
                join(name(), " returned document ", id, ", which the filter excludes"));
        if (!is_finite(score))
            fail(errc::model, join(name(), " returned the score ", score, " for document ", id));
        if (i > 0 && score > hits[i - 1].score) {
            fail(errc::model,
                join(name(), " returned rising scores: ", hits[i - 1].score, " for document ",
                    hits[i - 1].id, ", then ", score, " for document ", id));
        }
    }
}

} // namespace detail
TRAWL_END_NAMESPACE
