// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of rerank/stage.hpp.

#include <trawl/rerank/stage.hpp>

#include <bit>
#include <cstdint>

#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE std::size_t position_of(ranking const& hits, doc_id id) noexcept {
    std::size_t i = 0;
    while (i < hits.size() && hits[i].id != id) ++i;
    return i;
}

TRAWL_INLINE bool same_bits(double a, double b) noexcept {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

TRAWL_INLINE explanation opaque_score(float score, std::string label, explanation given) {
    explanation node{
        .op = operation::opaque, .label = std::move(label), .value = static_cast<double>(score)};
    node.children.push_back(std::move(given));
    return node;
}

TRAWL_INLINE explanation explain_rest(
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

TRAWL_INLINE void check_hits(
    ranking const& hits, filter const& where, std::size_t most, function_ref<std::string()> name) {
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

TRAWL_INLINE score_origin origin_after(ranking const& in, score_origin given, ranking const& out) {
    auto const own = own_of(given, in.size());
    score_origin after;
    after.stale = given.stale;
    for (std::size_t i = 0; i < out.size(); ++i) {
        auto const came = position_of(in, out[i].id);
        bool const same = came < in.size() && in[came] == out[i];
        if (!same) after.stale = false; // somebody has scored
        if (same && came >= own && after.own == score_origin::all) after.own = i;
    }
    return after;
}

} // namespace detail
TRAWL_END_NAMESPACE
