// SPDX-License-Identifier: MIT
#pragma once

/// Condorcet fusion: documents meet in pairs, and the arms vote.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/fusion/formula.hpp>

TRAWL_BEGIN_NAMESPACE

/// score(d) = how many documents d beats: d beats e if the weights of the arms that rank d above e
/// add up to more than those of the arms that rank e above d. What an arm returned stands above
/// what it did not; of two that it did not return it has no opinion. Where a Condorcet order exists
/// (every pair is decided, without cycles) this is that order; elsewhere it is Copeland's, ties by
/// id. An arm of weight 0 is left out, documents and all.
/// @par Source Montague, Aslam, "Condorcet fusion for improved retrieval", CIKM 2002, which sorts
/// by a comparison that is no order where votes tie or run in cycles.
struct condorcet {
    std::vector<double> weights = {};       ///< one an arm, >= 0; empty: 1 each
    tied_ranks ties = tied_ranks::by_place; ///< shared: an arm has no opinion of two equal scores

    /// Reads ranks only: completing the arms' scores would change nothing.
    static constexpr bool uses_scores = false;

    /// @throws trawl::error as rrf's does for weights.
    void validate(std::size_t arms) const { detail::check_weights("condorcet", weights, arms); }

    /// @param arms  Rankings, each best first.
    /// @return The whole union; score descending, ties by id ascending.
    /// @throws trawl::error as validate does, and (not_finite) for NaN or infinity among the arms'
    /// scores.
    /// @par Complexity O(A M^2) time, O(A M) memory for M documents in A arms.
    [[nodiscard]] ranking operator()(std::span<ranking const> arms) const {
        validate(arms.size());
        detail::arm_union const all("condorcet", arms, weights);
        auto const documents = all.documents();
        auto const voters = voters_of(all);
        std::vector<std::uint32_t> wins(documents.size());
        for (std::size_t i = 0; i < documents.size(); ++i) {
            for (std::size_t j = i + 1; j < documents.size(); ++j) {
                auto const margin = votes(voters, i, j) - votes(voters, j, i);
                if (margin > 0) ++wins[i];
                if (margin < 0) ++wins[j];
            }
        }
        ranking fused;
        fused.reserve(documents.size());
        for (std::size_t i = 0; i < documents.size(); ++i) {
            fused.push_back({documents[i], static_cast<float>(wins[i])});
        }
        sort_by_rank(fused);
        return fused;
    }

    /// Why a document has its fused score: how many it beats, meets evenly and loses to; 0 if no
    /// arm has it.
    /// @param arm_parts  Explains the document's score in each arm; hung below, may be empty.
    [[nodiscard]] explanation explain(std::span<ranking const> arms, doc_id id,
        std::span<explanation const> arm_parts = {}) const {
        validate(arms.size());
        detail::check_count("condorcet::explain", "explanations", arm_parts.size(), arms.size());
        detail::arm_union const all("condorcet", arms, weights);
        auto const documents = all.documents();
        auto const at = std::find(documents.begin(), documents.end(), id);
        if (at == documents.end()) return no_match("no match: in none of the arms");
        auto const voters = voters_of(all);
        auto const own = static_cast<std::size_t>(at - documents.begin());
        std::size_t wins = 0;
        std::size_t losses = 0;
        for (std::size_t other = 0; other < documents.size(); ++other) {
            auto const margin = votes(voters, own, other) - votes(voters, other, own);
            wins += margin > 0 ? 1 : 0;
            losses += margin < 0 ? 1 : 0;
        }
        explanation won{operation::opaque,
            detail::join(
                "documents that it beats, of ", documents.size() - 1, "; it loses to ", losses),
            static_cast<double>(wins), {arm_parts.begin(), arm_parts.end()}};
        return {operation::round, "condorcet", static_cast<double>(wins), {std::move(won)}};
    }

private:
    struct voter {
        double weight;
        // of each document; a document that is not there comes last
        std::vector<std::uint32_t> ranks;
    };

    // Heaviest first, so that votes are added largest first and the order of the arms changes
    // nothing.
    [[nodiscard]] std::vector<voter> voters_of(detail::arm_union const& all) const {
        constexpr std::uint32_t last = 0xFFFFFFFFu;
        std::vector<voter> voters;
        std::vector<std::uint32_t> rank_of_entry(all.size());
        std::vector<std::uint32_t> ranks;
        for (std::size_t arm = 0; arm < all.arms(); ++arm) {
            voters.push_back(
                {detail::weight_of(weights, arm), std::vector(all.documents().size(), last)});
            detail::ranks_of(all.scores(arm), ties, ranks);
            std::copy(ranks.begin(), ranks.end(),
                rank_of_entry.begin() + static_cast<std::ptrdiff_t>(all.begin(arm)));
        }
        for (std::size_t i = 0; i < all.documents().size(); ++i) {
            all.for_each_arm(
                i,
                [&](std::size_t arm, std::size_t entry) {
                    voters[arm].ranks[i] = rank_of_entry[entry];
                },
                [](std::size_t) {});
        }
        std::stable_sort(voters.begin(), voters.end(),
            [](voter const& a, voter const& b) { return a.weight > b.weight; });
        return voters;
    }

    [[nodiscard]] static double votes(
        std::vector<voter> const& voters, std::size_t a, std::size_t b) noexcept {
        double total = 0;
        for (auto const& v : voters) {
            if (v.ranks[a] < v.ranks[b]) total = detail::rounded(total + v.weight);
        }
        return total;
    }
};

static_assert(fusion_rule<condorcet>);

TRAWL_END_NAMESPACE
