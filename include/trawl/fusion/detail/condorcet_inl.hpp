// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of fusion/condorcet.hpp.

#include <trawl/fusion/condorcet.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

#include <trawl/core/sort_by_rank.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/fusion/detail/formula.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// An arm, with the rank of each document; a document that it lacks comes last.
struct voter {
    double weight;
    std::vector<std::uint32_t> ranks;
};

// Heaviest first: votes are added largest first, so that the order of the arms changes nothing.
[[nodiscard]] inline std::vector<voter> voters_of(condorcet const& rule, arm_union const& all) {
    constexpr std::uint32_t last = 0xFFFFFFFFu;
    std::vector<voter> voters;
    std::vector<std::uint32_t> rank_of_entry(all.size());
    std::vector<std::uint32_t> ranks;
    for (std::size_t arm = 0; arm < all.arms(); ++arm) {
        voters.push_back({weight_of(rule.weights, arm),
            std::vector<std::uint32_t>(all.documents().size(), last)});
        ranks_of(all.scores(arm), rule.ties, ranks);
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

// The weights of the arms that rank a above b.
[[nodiscard]] inline double votes(
    std::vector<voter> const& voters, std::size_t a, std::size_t b) noexcept {
    double total = 0;
    for (auto const& v : voters) {
        if (v.ranks[a] < v.ranks[b]) total = rounded(total + v.weight);
    }
    return total;
}

} // namespace detail

TRAWL_INLINE void condorcet::validate(std::size_t arms) const {
    detail::check_weights("condorcet", weights, arms);
}

TRAWL_INLINE ranking condorcet::operator()(std::span<ranking const> arms) const {
    validate(arms.size());
    detail::arm_union const all("condorcet", arms, weights);
    auto const documents = all.documents();
    auto const voters = detail::voters_of(*this, all);
    std::vector<std::uint32_t> wins(documents.size());
    for (std::size_t i = 0; i < documents.size(); ++i) {
        for (std::size_t j = i + 1; j < documents.size(); ++j) {
            auto const margin = detail::votes(voters, i, j) - detail::votes(voters, j, i);
            if (margin > 0) ++wins[i];
            if (margin < 0) ++wins[j];
        }
    }
    ranking fused;
    fused.reserve(documents.size());
    for (std::size_t i = 0; i < documents.size(); ++i)
        fused.push_back({documents[i], static_cast<float>(wins[i])});
    sort_by_rank(fused);
    return fused;
}

TRAWL_INLINE explanation condorcet::explain(
    std::span<ranking const> arms, doc_id id, std::span<explanation const> arm_parts) const {
    validate(arms.size());
    detail::check_count("condorcet::explain", "explanations", arm_parts.size(), arms.size());
    detail::arm_union const all("condorcet", arms, weights);
    auto const documents = all.documents();
    auto const at = std::find(documents.begin(), documents.end(), id);
    if (at == documents.end()) return no_match("no match: in none of the arms");
    auto const voters = detail::voters_of(*this, all);
    auto const own = static_cast<std::size_t>(at - documents.begin());
    std::size_t wins = 0;
    std::size_t losses = 0;
    for (std::size_t other = 0; other < documents.size(); ++other) {
        auto const margin = detail::votes(voters, own, other) - detail::votes(voters, other, own);
        wins += margin > 0 ? 1 : 0;
        losses += margin < 0 ? 1 : 0;
    }
    explanation won{operation::opaque,
        detail::join(
            "documents that it beats, of ", documents.size() - 1, "; it loses to ", losses),
        static_cast<double>(wins), {arm_parts.begin(), arm_parts.end()}};
    explanation fused{operation::round, "condorcet", static_cast<double>(wins), {}};
    fused.children.push_back(std::move(won));
    return fused;
}

TRAWL_INLINE condorcet condorcet::spread(
    std::size_t arms, std::span<double const> variant_weights) const {
    auto spread = *this;
    detail::spread_weights(spread.weights, arms, variant_weights);
    return spread;
}

TRAWL_INLINE bool condorcet::leaves_out(std::size_t arm) const noexcept {
    return detail::has_weight_0(weights, arm);
}

TRAWL_END_NAMESPACE
