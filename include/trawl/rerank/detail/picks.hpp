// SPDX-License-Identifier: MIT
#pragma once

/// What diversifiers share: relevance, checks, greedy picking, and the way from picks to a ranking
/// and an explanation.

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/enum_count.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/placed.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/fusion/normaliser.hpp>
#include <trawl/rerank/detail/cosines.hpp>

TRAWL_BEGIN_NAMESPACE

/// What a diversifier takes for a candidate's relevance.
enum class relevance : unsigned char {
    cosine,      ///< to the query's vector
    stage_score, ///< the score of the stage before, min-max scaled over the candidates
};

template <>
inline constexpr std::size_t enum_count<relevance> = 2;

/// "cosine", "stage_score".
[[nodiscard]] constexpr std::string_view name_of(relevance kind) noexcept {
    constexpr std::string_view names[enum_count<relevance>] = {"cosine", "stage_score"};
    return names[static_cast<std::size_t>(kind)];
}

namespace detail {

struct pick {
    std::size_t candidate = 0;
    double relevance = 0;
    double gain = 0; // what the rule adds to relevance, before weighing
    double value = 0;
};

inline void check_lambda(std::string_view rule, double lambda) {
    if (!is_finite(lambda) || lambda < 0 || lambda > 1) {
        fail(errc::invalid_argument, join(rule, ": lambda is ", lambda, ", must be in [0, 1]"));
    }
}

inline void check_query(std::string_view rule, query const& q, std::size_t dim) {
    if (q.vector.empty()) {
        fail(errc::invalid_argument,
            join(rule,
                ": relevance is the cosine to the query's vector, and the query has none; give it "
                "one (or "
                "the pipeline an embedder), or set .relevance = trawl::relevance::stage_score"));
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

inline void check_candidates(std::string_view rule, query const& q, std::span<hit const> candidates,
    matrix_view<float const> vectors, relevance from) {
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
    if (from == relevance::cosine) return check_query(rule, q, vectors.cols);
    for (auto const& c : candidates) {
        if (!is_finite(c.score)) {
            fail(errc::not_finite, join(rule, ": document ", c.id, " has the score ", c.score));
        }
    }
}

[[nodiscard]] inline std::vector<double> relevances_of(
    query const& q, std::span<hit const> candidates, cosines const& all, relevance from) {
    if (from == relevance::cosine) return all.with(q.vector);
    std::vector<float> scores;
    for (auto const& c : candidates) scores.push_back(c.score);
    return normalised(normaliser::min_max, scores);
}

// first * relevance + second * gain, as an explanation computes it: a sum, from 0, of two products.
[[nodiscard]] inline double weighed(
    double first, double relevant, double second, double gain) noexcept {
    double const parts[] = {rounded(first * relevant), rounded(second * gain)};
    return sum_of(parts);
}

// A gain that says: never.
inline constexpr double no_gain = -(std::numeric_limits<double>::max)();

/// Again and again picks the candidate with the highest lambda * relevance + (1 - lambda) * gain,
/// the first of equal ones, until k are picked or none has a gain. update(candidate) changes the
/// gains after a pick.
template <class Update>
[[nodiscard]] std::vector<pick> pick_greedily(double lambda, std::span<double const> relevances,
    std::span<double const> gains, std::size_t k, Update&& update) {
    std::vector<char> taken(relevances.size());
    std::vector<pick> picked;
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
    std::span<pick const> picks, std::span<hit const> candidates) {
    ranking hits;
    for (auto const& p : picks) {
        auto const value = static_cast<float>(p.value);
        hits.push_back(
            {candidates[p.candidate].id, hits.empty() ? value : placed(value, hits.back().score)});
    }
    return hits;
}

// factor * part
[[nodiscard]] inline explanation factor_part(
    std::string_view label, double value, explanation part) {
    explanation node{operation::product, part.label, 0, {}};
    node.children.push_back({operation::leaf, std::string(label), value, {}});
    node.children.push_back(std::move(part));
    node.value = recompute(node);
    return node;
}

[[nodiscard]] inline explanation relevance_part(relevance from, double value) {
    auto const by_cosine = from == relevance::cosine;
    return {by_cosine ? operation::leaf : operation::opaque,
        by_cosine ? "relevance: cosine to the query"
                  : "relevance: score of the stage before, min-max",
        value, {}, node_role::relevance};
}

/// Why the hit of pick `place` has its score: what its value is made of (two parts), placed below
/// the hit before.
[[nodiscard]] inline explanation explain_pick(std::string_view rule, std::span<pick const> picks,
    std::size_t place, std::span<hit const> candidates, explanation relevant, explanation gained) {
    explanation node{operation::sum, "relevance and diversity", 0, {}};
    node.children.push_back(std::move(relevant));
    node.children.push_back(std::move(gained));
    node.value = recompute(node);
    explanation score{
        place == 0 ? operation::round : operation::placed, join(rule, ", pick ", place + 1), 0, {}};
    score.children.push_back(std::move(node));
    if (place > 0) {
        auto const before = ranking_of(picks.first(place), candidates).back();
        score.children.push_back(
            {operation::leaf, join("score of the pick before, document ", before.id),
                static_cast<double>(before.score), {}});
    }
    score.value = recompute(score);
    return score;
}

// Where a document stands among the picks; picks.size() if it was not picked.
[[nodiscard]] inline std::size_t place_of(
    std::span<pick const> picks, std::span<hit const> candidates, doc_id id) noexcept {
    auto const is_it = [&](pick const& p) { return candidates[p.candidate].id == id; };
    return static_cast<std::size_t>(
        std::find_if(picks.begin(), picks.end(), is_it) - picks.begin());
}

/// The explanation of pick_greedily's picks.
[[nodiscard]] inline explanation explain_greedy(std::string_view rule, std::span<pick const> picks,
    std::span<hit const> candidates, doc_id id, double lambda, relevance from, std::string gain) {
    auto const place = place_of(picks, candidates, id);
    if (place == picks.size()) return no_match(join(rule, ": not picked"));
    return explain_pick(rule, picks, place, candidates,
        factor_part("lambda", lambda, relevance_part(from, picks[place].relevance)),
        factor_part("1 - lambda", rounded(1 - lambda),
            {operation::opaque, std::move(gain), picks[place].gain, {}}));
}

} // namespace detail
TRAWL_END_NAMESPACE
