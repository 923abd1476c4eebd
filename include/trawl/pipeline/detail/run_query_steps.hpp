// SPDX-License-Identifier: MIT
#pragma once

/// Rewrites, embeds and expands a query, as a pipeline asks for.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/pipeline/detail/query_steps.hpp>
#include <trawl/pipeline/detail/restore_lost.hpp>
#include <trawl/pipeline/detail/search_log.hpp>
#include <trawl/pipeline/detail/variants.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The vector of a text.
/// @throws trawl::error (model) if a value is NaN, infinite or was not written.
[[nodiscard]] inline std::vector<float> vector_of(
    query_steps_ref const& steps, std::string_view text, text_role role) {
    constexpr auto not_written = std::bit_cast<float>(std::uint32_t{0x7FC00000}); // NaN
    std::vector<float> vector(steps.dim(steps.embedder), not_written);
    steps.embed(steps.embedder, std::span(&text, 1), role,
        matrix_view<float>{vector.data(), 1, vector.size()});
    auto const bad = first_not_finite(vector);
    if (bad < vector.size()) {
        fail(errc::model, join("embed: value ", bad, " of the query's vector is ", vector[bad],
                              ", must be finite"));
    }
    return vector;
}

/// Whether a model made a zero vector of a text: all documents would be equally near to it.
[[nodiscard]] inline bool says_nothing(std::span<float const> vector) noexcept {
    for (float const x : vector)
        if (x != 0) return false;
    return !vector.empty();
}

inline void rewrite(query_steps_ref const& steps, search_log& log) {
    if (log.asked_for.text.empty()) return;
    stage_trace step{.name = "rewrite"};
    stopwatch const watch(log.level);
    log.rewritten = steps.rewrite(steps.rewriter, log.asked_for);
    if (log.rewritten.empty()) {
        step.notes.push_back("returned nothing: the query is kept");
    } else {
        restore_lost(log.asked_for.text, log.rewritten, steps.rewriting.protect, step.notes);
        log.asked_for.text = log.rewritten;
    }
    step.seconds = watch.seconds();
    log.add(std::move(step));
}

inline void embed(query_steps_ref const& steps, search_log& log) {
    if (!log.asked_for.vector.empty() || log.asked_for.text.empty()) return;
    stopwatch const watch(log.level);
    log.embedding = vector_of(steps, log.asked_for.text, text_role::query);
    log.asked_for.vector = log.embedding;
    stage_trace step{.name = "embed", .scored = 1, .seconds = watch.seconds()};
    if (says_nothing(log.embedding))
        step.notes.push_back("the model gave a zero vector: no arm is asked with it");
    log.add(std::move(step));
}

inline void expand(query_steps_ref const& steps, search_log& log) {
    auto const embeds = steps.embed != nullptr;
    stage_trace step{.name = "variants"};
    stopwatch const watch(log.level);
    log.with_original = steps.expanding.original;
    log.variants = steps.expand(steps.expander, log.asked_for);
    step.candidates_in = log.variants.size();
    auto const dropped = keep_distinct(log.variants, log.asked_for, log.with_original, embeds);
    if (dropped > 0) step.notes.push_back(join(dropped, " dropped, asked already"));
    step.candidates_out = log.variants.size();
    for (auto& v : log.variants) {
        if (!embeds || !v.vector.empty()) continue;
        v.vector = vector_of(steps, v.text, v.hypothetical ? text_role::passage : text_role::query);
        ++step.scored;
    }
    step.seconds = watch.seconds();
    log.add(std::move(step));
}

/// Fills in what the log records of the query.
inline void run_query_steps(query_steps_ref const& steps, query const& q, search_log& log) {
    log.asked_for = q;
    if (steps.rewrite != nullptr) rewrite(steps, log);
    if (steps.embed != nullptr) embed(steps, log);
    if (steps.expand != nullptr) expand(steps, log);
    if (log.with_original || log.variants.empty()) {
        log.with_original = true;
        log.asked.push_back(log.asked_for);
        if (says_nothing(log.embedding)) log.asked.back().vector = {};
        log.weights.push_back(1);
    }
    for (auto const& v : log.variants) {
        log.asked.push_back({});
        if (steps.embed == nullptr || !says_nothing(v.vector)) log.asked.back().vector = v.vector;
        if (!v.hypothetical) log.asked.back().text = v.text;
        log.weights.push_back(v.weight);
    }
}

} // namespace detail
TRAWL_END_NAMESPACE
