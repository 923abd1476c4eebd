// SPDX-License-Identifier: MIT
#pragma once

/// Maximal marginal relevance: picks what is relevant and unlike what has been picked.

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/placed.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/fusion/normaliser.hpp>
#include <trawl/rerank/cosines.hpp>

namespace trawl::inline v0_1 {

/// What a diversifier takes for a candidate's relevance.
enum class relevance : unsigned char {
    cosine,      ///< to the query's vector
    stage_score, ///< the score of the stage before, min-max scaled over the candidates
};

/// Maximal marginal relevance: again and again picks the candidate with the highest
///     lambda * relevance - (1 - lambda) * redundancy,
/// where redundancy is its largest cosine to what has been picked, 0 while nothing is. Ties go to the
/// candidate that came first. A candidate without a vector (a row of zeros) has cosine 0 with everything.
/// @par Source  Carbonell, Goldstein, "The use of MMR, diversity-based reranking for reordering documents and
/// producing summaries", SIGIR 1998.
struct mmr {
    double lambda = 0.5; ///< in [0, 1]; 1: relevance alone, 0: diversity alone
    trawl::relevance relevance = trawl::relevance::cosine;

    /// @param q           Its vector, [dim]; not needed where relevance is the stage's score.
    /// @param candidates  n hits, best first.
    /// @param vectors     [n x dim]; row i belongs to candidate i, zero if it has none.
    /// @param k           How many to pick, at most n; the pick of k is the beginning of the pick of k + 1.
    /// @return In order of picking. A hit's score is its value where that is below the score before it, else
    /// one float step below that.
    /// @throws trawl::error (invalid_argument) if lambda is outside [0, 1] or the query has no vector where
    /// one is needed; (dimension_mismatch); (not_finite). Without candidates the empty ranking.
    /// @par Complexity  O(n k dim) time, O(n) memory.
    [[nodiscard]] ranking operator()(query const& q, std::span<hit const> candidates,
        matrix_view<float const> vectors, std::size_t k) const {
        ranking picked;
        float before = 0;
        for (auto const& p : picks(q, candidates, vectors, k)) {
            auto const value = static_cast<float>(p.value);
            before = picked.empty() ? value : placed(value, before);
            picked.push_back({candidates[p.candidate].id, before});
        }
        return picked;
    }

    /// Why a picked document has its score, and what made its value; 0 if it was not picked. The arguments
    /// are those of the pick; `given` explains the candidate's own score and is hung under its relevance.
    [[nodiscard]] explanation explain(query const& q, std::span<hit const> candidates,
        matrix_view<float const> vectors, std::size_t k, doc_id id, explanation given = {}) const {
        auto const all = picks(q, candidates, vectors, k);
        auto const is_it = [&](pick const& p) { return candidates[p.candidate].id == id; };
        auto const at = std::find_if(all.begin(), all.end(), is_it);
        if (at == all.end()) return {operation::leaf, "mmr: not picked", 0, {}};
        auto const place = static_cast<std::size_t>(at - all.begin());

        explanation node{operation::sum, "relevance less redundancy", 0, {}};
        node.parts.push_back(factor("lambda", lambda, relevance_part(at->relevance, std::move(given))));
        node.parts.push_back(factor("lambda - 1", detail::rounded(lambda - 1),
            redundancy_part(candidates, vectors, std::span(all).first(place), at->candidate)));
        node.value = recompute(node);

        explanation score{
            place == 0 ? operation::round : operation::placed, detail::join("mmr, pick ", place + 1), 0, {}};
        score.parts.push_back(std::move(node));
        if (place > 0) {
            auto const before = (*this)(q, candidates, vectors, place).back();
            score.parts.push_back(
                {operation::leaf, detail::join("score of the pick before, document ", before.id),
                    static_cast<double>(before.score), {}});
        }
        score.value = recompute(score);
        return score;
    }

private:
    struct pick {
        std::size_t candidate = 0;
        double relevance = 0;
        double value = 0;
    };

    [[nodiscard]] std::vector<pick> picks(query const& q, std::span<hit const> candidates,
        matrix_view<float const> vectors, std::size_t k) const {
        if (!(lambda >= 0 && lambda <= 1) || !detail::is_finite(lambda)) {
            detail::fail(
                errc::invalid_argument, detail::join("mmr: lambda is ", lambda, ", must be in [0, 1]"));
        }
        if (candidates.empty()) return {};
        check(q, candidates, vectors);

        auto const n = candidates.size();
        detail::cosines const cosines(vectors);
        auto const relevances = relevances_of(q, candidates, cosines);
        std::vector<double> redundancies(n, 0.0);
        std::vector<bool> taken(n, false);
        std::vector<pick> picked;
        while (picked.size() < (std::min)(k, n)) {
            pick best = {n, 0, 0};
            for (std::size_t i = 0; i < n; ++i) {
                if (taken[i]) continue;
                auto const value = marginal(relevances[i], redundancies[i]);
                if (best.candidate == n || value > best.value) best = {i, relevances[i], value};
            }
            taken[best.candidate] = true;
            for (std::size_t i = 0; i < n; ++i) {
                if (taken[i]) continue;
                auto const cosine = cosines.between(i, best.candidate);
                redundancies[i] = picked.empty() ? cosine : (std::max)(redundancies[i], cosine);
            }
            picked.push_back(best);
        }
        return picked;
    }

    void check(query const& q, std::span<hit const> candidates, matrix_view<float const> vectors) const {
        if (vectors.rows != candidates.size()) {
            detail::fail(errc::dimension_mismatch,
                detail::join("mmr: ", vectors.rows, " vectors for ", candidates.size(), " candidates"));
        }
        for (std::size_t i = 0; i < vectors.rows; ++i) {
            auto const row = vectors.row(i);
            auto const at = detail::first_not_finite(row);
            if (at < row.size()) {
                detail::fail(errc::not_finite, detail::join("mmr: the vector of document ", candidates[i].id,
                                                   " has the value ", row[at], " at ", at));
            }
        }
        if (relevance == trawl::relevance::cosine) {
            check_query(q, vectors.cols);
        } else {
            for (auto const& c : candidates) {
                if (!detail::is_finite(c.score)) {
                    detail::fail(
                        errc::not_finite, detail::join("mmr: document ", c.id, " has the score ", c.score));
                }
            }
        }
    }

    static void check_query(query const& q, std::size_t dim) {
        if (q.vector.empty()) {
            detail::fail(errc::invalid_argument,
                "mmr: relevance is the cosine to the query's vector, and the query has none; give it one (or "
                "the pipeline an embedder), or set .relevance = trawl::relevance::stage_score");
        }
        if (q.vector.size() != dim) {
            detail::fail(errc::dimension_mismatch, detail::join("mmr: the query's vector has ",
                                                       q.vector.size(), " values, the candidates' ", dim));
        }
        auto const at = detail::first_not_finite(q.vector);
        if (at < dim) {
            detail::fail(errc::not_finite,
                detail::join("mmr: the query's vector has the value ", q.vector[at], " at ", at));
        }
    }

    [[nodiscard]] std::vector<double> relevances_of(
        query const& q, std::span<hit const> candidates, detail::cosines const& cosines) const {
        std::vector<double> all;
        all.reserve(candidates.size());
        if (relevance == trawl::relevance::cosine) {
            auto const length = detail::length_of(q.vector);
            for (std::size_t i = 0; i < candidates.size(); ++i) {
                all.push_back(cosines.between(i, q.vector, length));
            }
        } else {
            std::vector<float> scores;
            for (auto const& c : candidates) scores.push_back(c.score);
            auto const scale = detail::scale_of(normaliser::min_max, scores);
            for (float const score : scores) all.push_back(scale(score));
        }
        return all;
    }

    // As the explanation computes it: a sum, from 0, of two products.
    [[nodiscard]] double marginal(double relevant, double redundant) const noexcept {
        double const parts[] = {
            detail::rounded(lambda * relevant), detail::rounded(detail::rounded(lambda - 1) * redundant)};
        return detail::sum_of(parts);
    }

    [[nodiscard]] explanation relevance_part(double value, explanation given) const {
        auto const by_cosine = relevance == trawl::relevance::cosine;
        explanation node{operation::opaque,
            by_cosine ? "relevance: cosine to the query" : "relevance: score of the stage before, min-max",
            value, {}};
        if (!given.label.empty()) node.parts.push_back(std::move(given));
        return node;
    }

    [[nodiscard]] static explanation redundancy_part(std::span<hit const> candidates,
        matrix_view<float const> vectors, std::span<pick const> earlier, std::size_t candidate) {
        if (earlier.empty()) return {operation::leaf, "redundancy: nothing picked before", 0, {}};
        explanation node{operation::max, "redundancy", 0, {}};
        detail::cosines const cosines(vectors);
        for (auto const& p : earlier) {
            node.parts.push_back(
                {operation::leaf, detail::join("cosine to document ", candidates[p.candidate].id),
                    cosines.between(candidate, p.candidate), {}});
        }
        node.value = recompute(node);
        return node;
    }

    [[nodiscard]] static explanation factor(std::string_view label, double value, explanation part) {
        explanation node{operation::product, part.label, 0, {}};
        node.parts.push_back({operation::leaf, std::string(label), value, {}});
        node.parts.push_back(std::move(part));
        node.value = recompute(node);
        return node;
    }
};

static_assert(diversifier<mmr>);

} // namespace trawl::inline v0_1
