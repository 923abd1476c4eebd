// SPDX-License-Identifier: MIT
#pragma once

/// What a pipeline does with a question before its arms see it: it rewrites the text, makes the
/// vector, and finds other ways to ask. Each step is there or not, by type.

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/holding.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/pipeline/detail/search_log.hpp>
#include <trawl/pipeline/rewriting.hpp>
#include <trawl/pipeline/variants.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// A pipeline without .embed().
struct no_embedder {};

/// The vector of a text.
/// @throws trawl::error (model) if a value is NaN, infinite or was not written.
template <embedder Model>
[[nodiscard]] std::vector<float> vector_of(
    Model const& model, std::string_view text, text_role role) {
    constexpr auto not_written = std::bit_cast<float>(std::uint32_t{0x7FC00000}); // NaN
    std::vector<float> vector(model.dim(), not_written);
    model.embed(std::span(&text, 1), role, matrix_view<float>{vector.data(), 1, vector.size()});
    auto const bad = first_not_finite(vector);
    if (bad < vector.size()) {
        fail(errc::model, join("embed: value ", bad, " of the question's vector is ", vector[bad],
                              ", must be finite"));
    }
    return vector;
}

/// Whether a model made nothing of a text: no arm should take what is as near to everything as to
/// its best.
[[nodiscard]] inline bool says_nothing(std::span<float const> vector) noexcept {
    return !vector.empty()
           && std::all_of(vector.begin(), vector.end(), [](float x) { return x == 0; });
}

/// @tparam Rewriter  no_rewriter or question_rewriter.
/// @tparam Embedder  no_embedder or the holder of a model.
/// @tparam Expander  no_expander or question_expander.
template <class Rewriter = no_rewriter, class Embedder = no_embedder, class Expander = no_expander>
struct question_steps {
    static constexpr bool rewrites = !std::same_as<Rewriter, no_rewriter>;
    static constexpr bool embeds = !std::same_as<Embedder, no_embedder>;
    static constexpr bool expands = !std::same_as<Expander, no_expander>;

    Rewriter rewriter = {};
    Embedder embedder = {};
    Expander expander = {};
    bool given = true; // g++ 12 takes an object of empty members alone for uninitialised

    /// Fills in what the log says of the question.
    void operator()(query const& q, search_log& log) const {
        log.question = q;
        if constexpr (rewrites) rewrite(log);
        if constexpr (embeds) embed(log);
        if constexpr (expands) expand(log);
        if (log.with_original || log.variants.empty()) {
            log.with_original = true;
            log.asked.push_back(log.question);
            if (says_nothing(log.embedding)) log.asked.back().vector = {};
            log.weights.push_back(1);
        }
        for (auto const& v : log.variants) {
            log.asked.emplace_back();
            if (!embeds || !says_nothing(v.vector)) log.asked.back().vector = v.vector;
            if (!v.hypothetical) log.asked.back().text = v.text;
            log.weights.push_back(v.weight);
        }
    }

private:
    void rewrite(search_log& log) const {
        if (log.question.text.empty()) return;
        stage_trace step{.name = "rewrite"};
        stopwatch const watch(log.level);
        log.rewritten = rewriter.rewrite.get()(log.question);
        if (log.rewritten.empty()) {
            step.notes.push_back("returned nothing: the question stays");
        } else {
            restore_lost(log.question.text, log.rewritten, rewriter.options.protect, step.notes);
            log.question.text = log.rewritten;
        }
        step.seconds = watch.seconds();
        log.add(std::move(step));
    }

    void embed(search_log& log) const {
        if (!log.question.vector.empty() || log.question.text.empty()) return;
        stopwatch const watch(log.level);
        log.embedding = vector_of(embedder.get(), log.question.text, text_role::query);
        log.question.vector = log.embedding;
        stage_trace step{.name = "embed", .scored = 1, .seconds = watch.seconds()};
        if (says_nothing(log.embedding)) {
            step.notes.push_back("the model gave a zero vector: no arm is asked with it");
        }
        log.add(std::move(step));
    }

    void expand(search_log& log) const {
        stage_trace step{.name = "variants"};
        stopwatch const watch(log.level);
        log.with_original = expander.options.original;
        log.variants = expander.expand.get()(log.question);
        step.candidates_in = log.variants.size();
        auto const dropped = keep_distinct(log.variants, log.question, log.with_original, embeds);
        if (dropped > 0) step.notes.push_back(join(dropped, " dropped, asked already"));
        step.candidates_out = log.variants.size();
        if constexpr (embeds) {
            for (auto& v : log.variants) {
                if (!v.vector.empty()) continue;
                v.vector = vector_of(
                    embedder.get(), v.text, v.hypothetical ? text_role::passage : text_role::query);
                ++step.scored;
            }
        }
        step.seconds = watch.seconds();
        log.add(std::move(step));
    }
};

} // namespace detail
TRAWL_END_NAMESPACE
