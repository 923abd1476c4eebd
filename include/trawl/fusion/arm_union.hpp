// SPDX-License-Identifier: MIT
#pragma once

/// What all fusion rules share: the union of the arms, each document with its places in them, and the way
/// from its parts to a fused ranking and an explanation.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/fusion/sort_by_rank.hpp>

namespace trawl::inline v0_1::detail {

// Weights: one an arm, or none at all, which stands for 1 each; finite, >= 0, not all 0.
inline void check_weights(std::string_view rule, std::span<double const> weights, std::size_t arms) {
    if (weights.empty()) return;
    if (weights.size() != arms) {
        fail(errc::weight_count, join(rule, ": ", weights.size(), " weights for ", arms, " arms"));
    }
    for (std::size_t a = 0; a < arms; ++a) {
        if (!is_finite(weights[a]) || weights[a] < 0) {
            fail(errc::invalid_argument,
                join(rule, ": weight ", a, " is ", weights[a], ", must be finite and >= 0"));
        }
    }
    if (std::all_of(weights.begin(), weights.end(), [](double w) { return w == 0; })) {
        fail(errc::invalid_argument, join(rule, ": all ", arms, " weights are 0, one must be > 0"));
    }
}

[[nodiscard]] inline double weight_of(std::span<double const> weights, std::size_t arm) noexcept {
    return weights.empty() ? 1.0 : weights[arm];
}

/// The documents of all arms and, arm by arm, their entries: an arm's first hit of a document is an entry,
/// what repeats it is not there and takes no rank. An arm of weight 0 has no entries. O(N) time and memory
/// for N hits.
class arm_union {
public:
    static constexpr std::uint32_t none = 0xFFFFFFFFu;

    /// @throws trawl::error (not_finite, invalid_argument) for a score that is NaN or infinite and for
    /// no_doc.
    arm_union(std::string_view rule, std::span<ranking const> arms, std::span<double const> weights) {
        std::size_t total = 0;
        for (auto const& arm : arms) total += arm.size();
        if (total >= none / 2) fail(errc::invalid_argument, join(rule, ": ", total, " hits are too many"));
        reserve(total);
        for (std::size_t a = 0; a < arms.size(); ++a) {
            begins_.push_back(static_cast<std::uint32_t>(scores_.size()));
            for (auto const& h : arms[a]) {
                if (!is_finite(h.score)) {
                    fail(errc::not_finite,
                        join(rule, ": document ", h.id, " has the score ", h.score, " in arm ", a));
                }
                if (h.id == no_doc) {
                    fail(errc::invalid_argument, join(rule, ": arm ", a, " holds no_doc (", no_doc, ")"));
                }
                if (weight_of(weights, a) != 0) add(h);
            }
        }
        begins_.push_back(static_cast<std::uint32_t>(scores_.size()));
    }

    [[nodiscard]] std::size_t arms() const noexcept { return begins_.size() - 1; }
    [[nodiscard]] std::span<doc_id const> documents() const noexcept { return ids_; }

    /// The first entry of an arm; the entry of rank r is begin(arm) + r - 1.
    [[nodiscard]] std::size_t begin(std::size_t arm) const noexcept { return begins_[arm]; }

    /// The scores of an arm's entries.
    [[nodiscard]] std::span<float const> scores(std::size_t arm) const noexcept {
        return std::span(scores_).subspan(begins_[arm], begins_[arm + 1] - begins_[arm]);
    }

    /// How many entries there are.
    [[nodiscard]] std::size_t size() const noexcept { return scores_.size(); }

    /// Calls visit(entry) for the entries of document i, its last arm first.
    template <class Visit>
    void for_each_entry(std::size_t i, Visit&& visit) const {
        for (auto entry = newest_[i]; entry != none; entry = older_[entry]) visit(std::size_t{entry});
    }

    /// The arm of an entry.
    [[nodiscard]] std::size_t arm_of(std::size_t entry) const noexcept {
        auto const after = std::upper_bound(begins_.begin(), begins_.end(), entry);
        return static_cast<std::size_t>(after - begins_.begin()) - 1;
    }

private:
    struct slot {
        doc_id id = no_doc; // no_doc: free
        std::uint32_t document = 0;
    };

    void reserve(std::size_t total) {
        ids_.reserve(total);
        newest_.reserve(total);
        scores_.reserve(total);
        older_.reserve(total);
        auto const slots = std::bit_ceil((std::max)(2 * total, std::size_t{2}));
        table_.resize(slots);
        shift_ = 64 - std::countr_zero(slots);
    }

    void add(hit const& h) {
        auto const entry = static_cast<std::uint32_t>(scores_.size());
        auto at = static_cast<std::size_t>((h.id * 0x9E3779B97F4A7C15u) >> shift_); // Fibonacci hashing
        while (table_[at].id != h.id && table_[at].id != no_doc) at = (at + 1) & (table_.size() - 1);
        auto& there = table_[at];
        if (there.id == no_doc) {
            there = {h.id, static_cast<std::uint32_t>(ids_.size())};
            ids_.push_back(h.id);
            newest_.push_back(entry);
            older_.push_back(none);
        } else {
            auto& newest = newest_[there.document];
            if (newest >= begins_.back()) return; // a duplicate within its arm
            older_.push_back(std::exchange(newest, entry));
        }
        scores_.push_back(h.score);
    }

    std::vector<doc_id> ids_;           // of each document, in order of appearance
    std::vector<std::uint32_t> newest_; // of each document, its entry in the last arm that has it
    std::vector<float> scores_;         // of each entry
    std::vector<std::uint32_t> older_;  // of each entry, the same document's in an earlier arm
    std::vector<std::uint32_t> begins_;
    std::vector<slot> table_;
    int shift_ = 63;
};

/// Fuses by a combination of each document's parts. values[e] belongs to entry e; combine gets a document's
/// values, largest first, so that the order of the arms changes nothing, and its result is rounded to float
/// once. O(N + M) for N entries of M documents.
/// @throws trawl::error (not_finite) if a fused score does not fit a float.
template <class Combine>
[[nodiscard]] ranking fuse_parts(
    std::string_view rule, arm_union const& all, std::span<double const> values, Combine combine) {
    auto const documents = all.documents();
    ranking fused;
    fused.reserve(documents.size());
    std::vector<double> parts;
    for (std::size_t i = 0; i < documents.size(); ++i) {
        parts.clear();
        all.for_each_entry(i, [&](std::size_t entry) { parts.push_back(values[entry]); });
        if (parts.size() > 1) std::sort(parts.begin(), parts.end(), std::greater<>{});
        auto const score = static_cast<float>(combine(std::span<double const>(parts)));
        if (!is_finite(score)) {
            fail(errc::not_finite,
                join(rule, ": the fused score of document ", documents[i], " does not fit a float"));
        }
        fused.push_back({documents[i], score});
    }
    sort_by_rank(fused);
    return fused;
}

/// Explains the sum of a document's parts as fuse_parts computes it. describe(arm, rank, score) gives the
/// explanation of one part, its value the part's.
template <class Describe>
[[nodiscard]] explanation explain_sum(
    std::string_view label, arm_union const& all, doc_id id, Describe describe) {
    auto const documents = all.documents();
    auto const at = std::find(documents.begin(), documents.end(), id);
    if (at == documents.end()) return {operation::leaf, "no match: in none of the arms", 0, {}};
    explanation sum{operation::sum, "arms, the largest part first", 0, {}};
    all.for_each_entry(static_cast<std::size_t>(at - documents.begin()), [&](std::size_t entry) {
        auto const arm = all.arm_of(entry);
        auto const position = entry - all.begin(arm);
        sum.parts.push_back(describe(arm, position + 1, all.scores(arm)[position]));
    });
    std::reverse(sum.parts.begin(), sum.parts.end());
    std::stable_sort(sum.parts.begin(), sum.parts.end(),
        [](explanation const& a, explanation const& b) { return a.value > b.value; });
    sum.value = recompute(sum);
    explanation fused{operation::round, std::string(label), 0, {}};
    fused.parts.push_back(std::move(sum));
    fused.value = recompute(fused);
    return fused;
}

// The explanations of a document's score in each arm: one an arm, or none at all.
inline void check_arm_parts(std::string_view rule, std::span<explanation const> arm_parts, std::size_t arms) {
    if (!arm_parts.empty() && arm_parts.size() != arms) {
        fail(errc::invalid_argument,
            join(rule, "::explain: ", arm_parts.size(), " explanations for ", arms, " arms"));
    }
}

// weight * value, as a product; under the value hangs what explains the document's score in that arm.
[[nodiscard]] inline explanation weighted_part(
    std::size_t arm, double weight, double value, std::string label, std::span<explanation const> arm_parts) {
    explanation factor{operation::opaque, std::move(label), value, {}};
    if (!arm_parts.empty()) factor.parts.push_back(arm_parts[arm]);
    explanation part{operation::product, join("arm ", arm), 0, {}};
    part.parts.push_back({operation::leaf, "weight", weight, {}});
    part.parts.push_back(std::move(factor));
    part.value = recompute(part);
    return part;
}

} // namespace trawl::inline v0_1::detail
