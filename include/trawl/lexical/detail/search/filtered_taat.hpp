// SPDX-License-Identifier: MIT
#pragma once

/// The best documents that hold any of several terms, in one segment of which few rows may be
/// returned.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <trawl/core/search_options.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/lexical/detail/scoring/scored_list.hpp>
#include <trawl/lexical/detail/search/admitted_rows.hpp>
#include <trawl/lexical/detail/search/candidates.hpp>
#include <trawl/lexical/detail/search/topk_scores.hpp>
#include <trawl/lexical/detail/sorting.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Term at a time, for filters that few documents pass. Reads the lists by falling bound and keeps
/// the eligible rows with their partial sums, which are few enough to be merged list by list. Of a
/// block only the rows are unpacked, and only eligible postings are scored. Once the remaining
/// lists cannot bring a document in by themselves, they are only looked up for the rows found so
/// far that may still exceed the threshold.
class filtered_taat {
public:
    /// Borrows all that it is given.
    filtered_taat(search_options const& options, topk_scores& best) noexcept
        : options_(options), best_(best) {}

    /// Counts the eligible rows of a segment.
    /// @return whether they are so few that search() pays.
    [[nodiscard]] bool few(live_segment const& segment) {
        constexpr std::size_t looked_at = 128; // words
        if (options_.where.admits_all()) return false;
        auto const words = (std::size_t{segment.rows->rows()} + 63) / 64;
        auto const step = words / looked_at + 1;
        std::size_t eligible = 0;
        std::size_t rows = 0;
        for (std::size_t word = 0; word < words; word += step) {
            auto const bits =
                admitted_64(segment, options_.where, static_cast<std::uint32_t>(64 * word));
            eligible += static_cast<std::size_t>(std::popcount(bits));
            rows += 64;
        }
        expected_ =
            static_cast<double>(eligible) / static_cast<double>(rows) * segment.rows->rows();
        return 8 * eligible < rows;
    }

    /// @param lists  whose postings all contribute more than 0.
    /// @return false if it was stopped.
    bool search(live_segment const& segment, array_ref<scored_list> lists) {
        rows_ = segment.rows.get();
        eligible_.enter(segment, options_.where);
        found_.clear();
        threshold_ = best_.threshold(rows_->id(0));
        order(lists);
        for (std::size_t i = 0; i < lists_.size(); ++i) {
            if (options_.stopped()) return false;
            auto& list = *lists_[i];
            auto const rest = rest_[i];
            if (list.max_score() + rest > threshold_) {
                find(list, rest);
                merge(rest);
            } else if (!found_.empty()) {
                found_.complete(list, 0, rest, threshold_, false);
            }
            raise_threshold();
        }
        found_.push_to(best_, *rows_, threshold_);
        return true;
    }

private:
    void order(array_ref<scored_list> lists) {
        buffer<std::uint64_t> order;
        for (std::size_t i = 0; i < lists.size(); ++i) {
            lists[i].find_bounds();
            order.push_back(falling_sort_key(static_cast<std::uint32_t>(lists[i].max_score()), i));
        }
        sort_ascending(order);
        lists_.clear();
        for (auto const key : order) lists_.push_back(&lists[place_of_key(key)]);
        rest_.assign(lists_.size(), 0);
        for (auto i = lists_.size() - 1; i-- > 0;)
            rest_[i] = rest_[i + 1] + lists_[i + 1]->max_score();
    }

    /// Fills new_rows_ and new_sums_ with eligible rows of the list and their contributions: every
    /// row that can exceed the threshold with `rest` more, and every row found before.
    void find(scored_list& list, std::int32_t rest) {
        // In rows that are unpacked and tested in the same time.
        double const look_up_cost = list.is_unpacked() ? 2 : 24;
        new_rows_.clear();
        new_counts_.clear();
        if (look_up_cost * expected_ < static_cast<double>(list.df())) {
            look_up(list);
        } else {
            read(list, rest);
        }
        new_sums_.resize(new_rows_.size());
        for (std::size_t i = 0; i < new_rows_.size(); i += block_size) {
            auto const n = (std::min)(new_rows_.size() - i, block_size);
            list.scoring().contributions(kernels_, new_rows_.data() + i, new_counts_.data() + i, n,
                rows_->lengths().data(), new_sums_.data() + i);
        }
    }

    void take(std::uint32_t row, std::uint32_t count) {
        if (count == 0) return;
        new_rows_.push_back(row);
        new_counts_.push_back(count);
    }

    void look_up(scored_list& list) {
        std::size_t block = 0;
        eligible_.for_each(rows_->rows(), [&](std::uint32_t row) {
            if (!list.is_unpacked()) block = list.block_of(row, block);
            if (block < list.blocks()) take(row, list.count_of(row, block));
        });
    }

    void read(scored_list& list, std::int32_t rest) {
        std::array<std::uint32_t, block_size> places;
        auto const known = found_.rows();
        std::size_t at = 0;
        for (std::size_t block = 0; block < list.blocks(); ++block) {
            if (list.has_headers()) {
                auto const first = list.first_row(block);
                auto const last = list.last_row(block);
                // a damaged file; so no row comes twice
                if (last < first || last >= rows_->rows()) return;
                if (list.bound(block) + rest <= threshold_) { // no new one
                    while (at < known.size() && known[at] < first) ++at;
                    for (; at < known.size() && known[at] <= last; ++at) {
                        take(known[at], list.count_of(known[at], block));
                    }
                    continue;
                }
                if (!eligible_.any(first, last)) continue;
            }
            list.decode_rows(block);
            auto const rows = list.rows();
            auto const words = eligible_.words();
            std::size_t n = 0;
            for (std::size_t i = 0; i < rows.size(); ++i) {
                places[n] = static_cast<std::uint32_t>(i);
                n += (words[rows[i] / 64] >> rows[i] % 64) & 1u;
            }
            for (std::size_t i = 0; i < n; ++i) take(rows[places[i]], list.count_at(places[i]));
        }
    }

    /// Merges the new rows into those found. Drops rows that cannot exceed the threshold with
    /// `rest` more.
    void merge(std::int32_t rest) {
        merged_.reserve(found_.rows().size() + new_rows_.size());
        merged_.clear();
        auto const rows = found_.rows();
        auto const sums = found_.sums();
        std::size_t at = 0;
        auto const keep = [&](std::uint32_t row, std::int32_t sum) {
            if (sum + rest > threshold_) merged_.push(row, sum);
        };
        for (std::size_t i = 0; i < new_rows_.size(); ++i) {
            auto sum = new_sums_[i];
            for (; at < rows.size() && rows[at] < new_rows_[i]; ++at) keep(rows[at], sums[at]);
            if (at < rows.size() && rows[at] == new_rows_[i]) sum += sums[at++];
            keep(new_rows_[i], sum);
        }
        for (; at < rows.size(); ++at) keep(rows[at], sums[at]);
        std::swap(found_, merged_);
    }

    /// Raises the threshold to the k-th partial sum, which is a safe threshold.
    void raise_threshold() {
        auto const sums = found_.sums();
        if (sums.size() < options_.k) return;
        new_sums_.clear();
        new_sums_.append(sums.data(), sums.size());
        threshold_ = (std::max)(threshold_, best_.threshold_of(kth_largest(new_sums_, options_.k)));
    }

    bm25_kernels const& kernels_ = active_bm25_kernels();
    search_options const& options_;
    topk_scores& best_;

    // The segment at hand.
    segment const* rows_ = nullptr;
    double expected_ = 0; ///< eligible rows
    admitted_bits eligible_;
    buffer<scored_list*> lists_; ///< by bound
    buffer<std::int32_t> rest_;  ///< sum of the bounds of the lists after each
    std::int32_t threshold_ = 0;
    candidates found_;
    candidates merged_;

    // Of the list at hand.
    buffer<std::uint32_t> new_rows_;
    buffer<std::uint32_t> new_counts_;
    buffer<std::int32_t> new_sums_;
};

} // namespace detail
TRAWL_END_NAMESPACE
