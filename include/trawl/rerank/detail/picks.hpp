// SPDX-License-Identifier: MIT
#pragma once

/// What greedy diversifiers share: checks, relevances, picking, and the way from picks to a ranking
/// and an explanation.

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/placed.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/fusion/normaliser.hpp>
#include <trawl/rerank/detail/cosines.hpp>
#include <trawl/rerank/relevance.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// One pick: its value is lambda * relevance + (1 - lambda) * gain, or what the rule makes of them.
struct pick {
    std::size_t candidate = 0;
    double relevance = 0;
    double gain = 0; ///< what the rule adds to relevance, before weighing
    double value = 0;
};

/// A diversifier's name in messages, and its parameters.
struct diversifier_parameters {
    std::string_view rule;
    double lambda;
    trawl::relevance relevance;
};

inline void check_lambda(diversifier_parameters const& by) {
    if (is_finite(by.lambda) && by.lambda >= 0 && by.lambda <= 1) return;
    fail(errc::invalid_argument, join(by.rule, ": lambda is ", by.lambda, ", must be in [0, 1]"));
}

inline void check_query(std::string_view rule, query const& q, std::size_t dim) {
    if (q.vector.empty()) {
        fail(errc::invalid_argument,
            join(rule,
                ": relevance is the cosine to the query's vector, and the query has none; give it "
                "one (or the pipeline an embedder), or set .relevance = "
                "trawl::relevance::stage_score"));
    }
    if (q.vector.size() != dim) {
        fail(errc::dimension_mismatch, join(rule, ": the query's vector has ", q.vector.size(),
                                           " values, the candidates' ", dim));
    }
    auto const at = first_not_finite(q.vector);
    if (at < dim) {
        fail(errc::not_finite,
            join(rule, ": the query's vector has the value ", q.vector[at], " at ", at));
    }
}

inline void check_candidates(diversifier_parameters const& by, query const& q,
    std::span<hit const> candidates, matrix_view<float const> vectors) {
    auto const rule = by.rule;
    if (vectors.rows != candidates.size()) {
        fail(errc::dimension_mismatch,
            join(rule, ": ", vectors.rows, " vectors for ", candidates.size(), " candidates"));
    }
    for (std::size_t i = 0; i < vectors.rows; ++i) {
        auto const row = vectors.row(i);
        auto const at = first_not_finite(row);
        if (at < row.size()) {
            fail(errc::not_finite, join(rule, ": the vector of document ", candidates[i].id,
                                       " has the value ", row[at], " at ", at));
        }
    }
    if (by.relevance == relevance::cosine) return check_query(rule, q, vectors.cols);
    for (auto const& c : candidates) {
        if (!is_finite(c.score))
            fail(errc::not_finite, join(rule, ": document ", c.id, " has the score ", c.score));
    }
}

/// The candidates of one call, checked, with their relevances. A candidate without a vector counts
/// as a duplicate of whatever has been picked: what is not known to differ gains nothing.
class candidate_table {
public:
    candidate_table(diversifier_parameters const& by, query const& q,
        std::span<hit const> candidates, matrix_view<float const> vectors)
        : similar((check_candidates(by, q, candidates, vectors), vectors)) {
        if (by.relevance == relevance::stage_score) {
            std::vector<float> scores;
            for (auto const& c : candidates) scores.push_back(c.score);
            relevances = normalised(normaliser::min_max, scores);
            return;
        }
        relevances = similar.with(q.vector);
        double lowest = 0;
        for (double const value : relevances) lowest = (std::min)(lowest, value);
        for (std::size_t i = 0; i < size(); ++i)
            if (!has_vector(i)) relevances[i] = lowest;
    }

    [[nodiscard]] std::size_t size() const noexcept { return relevances.size(); }
    [[nodiscard]] bool has_vector(std::size_t i) const noexcept { return !similar.is_zero(i); }

    cosines similar;
    std::vector<double> relevances;
};

// first * relevance + second * gain, as an explanation computes it: a sum, from 0, of two products.
[[nodiscard]] inline double weighed(
    double first, double relevant, double second, double gain) noexcept {
    double const products[] = {rounded(first * relevant), rounded(second * gain)};
    return sum_of(products);
}

/// The gain of a candidate that must not be picked.
inline constexpr double no_gain = -(std::numeric_limits<double>::max)();

/// Again and again picks the candidate with the highest lambda * relevance + (1 - lambda) * gain,
/// the first of equal ones, until k are picked or no candidate has a gain.
/// @param update  Changes the gains after the pick of a candidate.
[[nodiscard]] inline buffer<pick> pick_greedily(double lambda, std::span<double const> relevances,
    std::span<double const> gains, std::size_t k, function_ref<void(std::size_t)> update) {
    buffer<char> taken(relevances.size());
    buffer<pick> picked;
    auto const rest = rounded(1 - lambda);
    while (picked.size() < (std::min)(k, relevances.size())) {
        pick best = {relevances.size()};
        for (std::size_t i = 0; i < relevances.size(); ++i) {
            if (taken[i] != 0 || gains[i] == no_gain) continue;
            auto const value = weighed(lambda, relevances[i], rest, gains[i]);
            if (best.candidate == relevances.size() || value > best.value)
                best = {i, relevances[i], gains[i], value};
        }
        if (best.candidate == relevances.size()) break;
        taken[best.candidate] = 1;
        picked.push_back(best);
        update(best.candidate);
    }
    return picked;
}

/// The picks as hits: a hit's score is its value where that is below the score before it, else one
/// float step below that.
[[nodiscard]] inline ranking ranking_of(
    array_ref<pick const> picks, std::span<hit const> candidates) {
    ranking hits;
    for (auto const& p : picks) {
        auto const value = static_cast<float>(p.value);
        hits.push_back(
            {candidates[p.candidate].id, hits.empty() ? value : placed(value, hits.back().score)});
    }
    return hits;
}

// weight * node
[[nodiscard]] inline explanation weighted(std::string_view label, double weight, explanation node) {
    explanation product{operation::product, node.label, 0, {}};
    product.children.push_back({operation::leaf, std::string(label), weight, {}});
    product.children.push_back(std::move(node));
    product.value = recompute(product);
    return product;
}

[[nodiscard]] inline explanation relevance_node(relevance from, double value) {
    auto const by_cosine = from == relevance::cosine;
    return {by_cosine ? operation::leaf : operation::opaque,
        by_cosine ? "relevance: cosine to the query"
                  : "relevance: score of the stage before, min-max",
        value, {}, node_role::relevance};
}

/// Explains a document's score by the picks: a value made of two weighted nodes, placed below the
/// pick before.
/// @param gained  The second node of the pick at a place: its gain, weighted.
[[nodiscard]] inline explanation explain_picks(diversifier_parameters const& by,
    array_ref<pick const> picks, std::span<hit const> candidates, doc_id id,
    function_ref<explanation(std::size_t place)> gained) {
    std::size_t place = 0;
    while (place < picks.size() && candidates[picks[place].candidate].id != id) ++place;
    if (place == picks.size()) return no_match(join(by.rule, ": not picked"));
    explanation value{operation::sum, "relevance and diversity", 0, {}};
    value.children.push_back(
        weighted("lambda", by.lambda, relevance_node(by.relevance, picks[place].relevance)));
    value.children.push_back(gained(place));
    value.value = recompute(value);
    explanation score{place == 0 ? operation::round : operation::placed,
        join(by.rule, ", pick ", place + 1), 0, {}};
    score.children.push_back(std::move(value));
    if (place > 0) {
        auto const before = ranking_of(picks.first(place), candidates).back();
        score.children.push_back(
            {operation::leaf, join("score of the pick before, document ", before.id),
                static_cast<double>(before.score), {}});
    }
    score.value = recompute(score);
    return score;
}

/// The explanation of pick_greedily's picks.
[[nodiscard]] inline explanation explain_greedy(diversifier_parameters const& by,
    array_ref<pick const> picks, std::span<hit const> candidates, doc_id id,
    std::string_view gain) {
    auto const gained = [&](std::size_t place) {
        return weighted("1 - lambda", rounded(1 - by.lambda),
            {operation::opaque, std::string(gain), picks[place].gain, {}});
    };
    return explain_picks(by, picks, candidates, id, gained);
}

} // namespace detail
TRAWL_END_NAMESPACE
