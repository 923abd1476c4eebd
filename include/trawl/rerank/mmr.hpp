// SPDX-License-Identifier: MIT
#pragma once

/// Maximal marginal relevance: picks what is relevant and unlike what has been picked.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/rerank/detail/cosines.hpp>
#include <trawl/rerank/detail/picks.hpp>

TRAWL_BEGIN_NAMESPACE

/// Maximal marginal relevance: again and again picks the candidate with the highest
///     lambda * relevance - (1 - lambda) * redundancy,
/// where redundancy is its largest cosine to what has been picked, 0 while nothing is. Ties go to
/// the candidate that came first. A candidate without a vector (a row of zeros) has cosine 0 with
/// everything.
/// @par Source Carbonell, Goldstein, "The use of MMR, diversity-based reranking for reordering
/// documents and producing summaries", SIGIR 1998.
struct mmr {
    double lambda = 0.5; ///< in [0, 1]; 1: relevance alone, 0: diversity alone
    trawl::relevance relevance = trawl::relevance::cosine;

    /// @param q   Its vector, [dim]; not needed where relevance is the stage's score.
    /// @param candidates  n hits, best first.
    /// @param vectors   [n x dim]; row i belongs to candidate i, zero if it has none.
    /// @param k   How many to pick, at most n; the pick of k is the beginning of the pick of k + 1.
    /// @return In order of picking. A hit's score is its value where that is below the score before
    /// it, else one float step below that.
    /// @throws trawl::error (invalid_argument) if lambda is outside [0, 1] or the query has no
    /// vector where one is needed; (dimension_mismatch); (not_finite). Without candidates the empty
    /// ranking.
    /// @par Complexity O(n k dim) time at worst, far less as a rule: a candidate meets a pick only
    /// when it might be next. O(n) memory.
    [[nodiscard]] ranking operator()(query const& q, std::span<hit const> candidates,
        matrix_view<float const> vectors, std::size_t k) const {
        return detail::ranking_of(picks(q, candidates, vectors, k), candidates);
    }

    /// Why a picked document has its score, and what made its value; 0 if it was not picked. The
    /// arguments are those of the pick.
    [[nodiscard]] explanation explain(query const& q, std::span<hit const> candidates,
        matrix_view<float const> vectors, std::size_t k, doc_id id) const {
        auto const all = picks(q, candidates, vectors, k);
        auto const place = detail::place_of(all, candidates, id);
        if (place == all.size()) return no_match("mmr: not picked");
        auto const earlier = std::span(all).first(place);
        return detail::explain_pick("mmr", all, place, candidates,
            detail::factor_part(
                "lambda", lambda, detail::relevance_part(relevance, all[place].relevance)),
            detail::factor_part("lambda - 1", detail::rounded(lambda - 1),
                redundancy_part(candidates, vectors, earlier, all[place].candidate)));
    }

private:
    // A candidate whose value is known as of the first `seen` picks. More picks can only lower it.
    struct entry {
        double value;
        std::size_t candidate;
        std::size_t seen;

        // Whether it comes after another: a lower value, or the same further down.
        [[nodiscard]] bool operator<(entry const& other) const noexcept {
            return value != other.value ? value < other.value : candidate > other.candidate;
        }
    };

    [[nodiscard]] std::vector<detail::pick> picks(query const& q, std::span<hit const> candidates,
        matrix_view<float const> vectors, std::size_t k) const {
        detail::check_lambda("mmr", lambda);
        if (candidates.empty()) return {};
        detail::check_candidates("mmr", q, candidates, vectors, relevance);
        auto const wanted = (std::min)(k, candidates.size());
        if (wanted == 0) return {};

        detail::cosines const cosines(vectors);
        auto const relevances = detail::relevances_of(q, candidates, cosines, relevance);
        auto const value_of = [&](std::size_t i, double redundancy) {
            return detail::weighed(lambda, relevances[i], detail::rounded(lambda - 1), redundancy);
        };
        entry first{value_of(0, 0), 0, 0};
        for (std::size_t i = 1; i < candidates.size(); ++i) {
            first = (std::max)(first, entry{value_of(i, 0), i, 0});
        }
        std::vector<detail::pick> picked{
            {first.candidate, relevances[first.candidate], 0, first.value}};

        auto redundancies = cosines.with_row(first.candidate);
        std::vector<entry> heap;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            if (i != first.candidate) heap.push_back({value_of(i, redundancies[i]), i, 1});
        }
        std::make_heap(heap.begin(), heap.end());
        while (picked.size() < wanted) {
            std::pop_heap(heap.begin(), heap.end());
            auto& best = heap.back();
            auto const i = best.candidate;
            if (best.seen == picked.size()) {
                picked.push_back({i, relevances[i], redundancies[i], best.value});
                heap.pop_back();
                continue;
            }
            for (; best.seen < picked.size(); ++best.seen) {
                redundancies[i] =
                    (std::max)(redundancies[i], cosines.between(picked[best.seen].candidate, i));
            }
            best.value = value_of(i, redundancies[i]);
            std::push_heap(heap.begin(), heap.end());
        }
        return picked;
    }

    [[nodiscard]] static explanation redundancy_part(std::span<hit const> candidates,
        matrix_view<float const> vectors, std::span<detail::pick const> earlier,
        std::size_t candidate) {
        if (earlier.empty()) return {operation::leaf, "redundancy: nothing picked before", 0, {}};
        explanation node{operation::max, "redundancy", 0, {}};
        detail::cosines const cosines(vectors);
        for (auto const& p : earlier) {
            node.children.push_back(
                {operation::leaf, detail::join("cosine to document ", candidates[p.candidate].id),
                    cosines.between(p.candidate, candidate), {}});
        }
        node.value = recompute(node);
        return node;
    }
};

static_assert(diversifier<mmr>);

TRAWL_END_NAMESPACE
