// SPDX-License-Identifier: MIT
#pragma once

/// The union of the arms: every document with its entries in them.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline double weight_of(std::span<double const> weights, std::size_t arm) noexcept {
    return weights.empty() ? 1.0 : weights[arm];
}

/// The documents of all arms and, arm by arm, their entries. An entry is an arm's first hit of a
/// document; hits that repeat it are dropped and take no rank. An arm of weight 0 has no entries.
/// O(N) time and memory for N hits.
class arm_union {
public:
    /// @param rule  Names the rule in messages.
    /// @throws trawl::error (not_finite) for a score that is NaN or infinite; (invalid_argument)
    /// for no_doc.
    arm_union(
        std::string_view rule, std::span<ranking const> arms, std::span<double const> weights) {
        std::size_t total = 0;
        for (auto const& arm : arms) total += arm.size();
        if (total >= none / 2)
            fail(errc::invalid_argument, join(rule, ": ", total, " hits are too many"));
        reserve(total);
        for (std::size_t a = 0; a < arms.size(); ++a) {
            begins_.push_back(entries_);
            check(rule, arms[a], a);
            if (weight_of(weights, a) == 0) continue;
            for (auto const& h : arms[a]) add(h, begins_.back());
        }
        begins_.push_back(entries_);
        ids_.resize(documents_);
        scores_.resize(entries_);
    }

    [[nodiscard]] std::size_t arms() const noexcept { return begins_.size() - 1; }
    [[nodiscard]] std::span<doc_id const> documents() const noexcept { return ids_; }

    /// The first entry of an arm; the entry of rank r is begin(arm) + r - 1.
    [[nodiscard]] std::size_t begin(std::size_t arm) const noexcept { return begins_[arm]; }

    /// The scores of an arm's entries.
    [[nodiscard]] std::span<float const> scores(std::size_t arm) const noexcept {
        return std::span(scores_).subspan(begins_[arm], begins_[arm + 1] - begins_[arm]);
    }

    /// The number of entries.
    [[nodiscard]] std::size_t size() const noexcept { return scores_.size(); }

    /// The two entries of document i, where there are at most two arms. The second is size() if
    /// only one arm has the document.
    [[nodiscard]] std::pair<std::size_t, std::size_t> two_entries(std::size_t i) const noexcept {
        auto const entry = newest_[i];
        return {entry, older_[entry] == none ? size() : older_[entry]};
    }

    /// Calls found(arm, entry) for each arm that has document i and lacks(arm) for every other arm,
    /// last arm first.
    template <class Found, class Lacks>
    void for_each_arm(std::size_t i, Found&& found, Lacks&& lacks) const {
        auto entry = newest_[i];
        for (auto arm = arms(); arm-- > 0;) {
            if (entry != none && entry >= begins_[arm]) {
                found(arm, std::size_t{entry});
                entry = older_[entry];
            } else {
                lacks(arm);
            }
        }
    }

private:
    static constexpr std::uint32_t none = 0xFFFFFFFFu;

    static void check(std::string_view rule, ranking const& hits, std::size_t arm) {
        for (auto const& h : hits) {
            if (is_finite(h.score) && h.id != no_doc) continue;
            if (h.id == no_doc) {
                fail(errc::invalid_argument,
                    join(rule, ": arm ", arm, " holds no_doc (", no_doc, ")"));
            }
            fail(errc::not_finite,
                join(rule, ": document ", h.id, " has the score ", h.score, " in arm ", arm));
        }
    }

    void reserve(std::size_t total) {
        ids_.resize(total);
        newest_.resize(total, none);
        scores_.resize(total);
        older_.resize(total);
        auto const slots = std::bit_ceil(total == 0 ? std::size_t{2} : 4 * total);
        table_.resize(slots, none);
        shift_ = 64 - std::countr_zero(slots);
    }

    void add(hit const& h, std::uint32_t begin) noexcept {
        // Fibonacci hashing
        auto at = static_cast<std::size_t>((h.id * 0x9E3779B97F4A7C15u) >> shift_);
        while (table_[at] != none && ids_[table_[at]] != h.id) at = (at + 1) & (table_.size() - 1);
        // Without a branch: which documents both arms have cannot be predicted.
        bool const is_new = table_[at] == none;
        auto const if_new = 0u - static_cast<std::uint32_t>(is_new);
        auto const document = (documents_ & if_new) | (table_[at] & ~if_new);
        auto const earlier = newest_[document];
        if (earlier != none && earlier >= begin) return; // a duplicate within its arm
        table_[at] = document;
        ids_[document] = h.id;
        documents_ += is_new ? 1 : 0;
        newest_[document] = entries_;
        older_[entries_] = earlier;
        scores_[entries_++] = rounded(0.0f) + h.score; // -0 becomes 0
    }

    std::uint32_t documents_ = 0;
    std::uint32_t entries_ = 0;
    std::vector<doc_id> ids_;           // of each document, in order of appearance
    std::vector<std::uint32_t> newest_; // of each document, its entry in the last arm that has it
    std::vector<float> scores_;         // of each entry
    std::vector<std::uint32_t> older_;  // of each entry, the same document's in an earlier arm
    std::vector<std::uint32_t> begins_;
    std::vector<std::uint32_t> table_; // document, or none
    int shift_ = 63;
};

} // namespace detail
TRAWL_END_NAMESPACE
