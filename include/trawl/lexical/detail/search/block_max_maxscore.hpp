// SPDX-License-Identifier: MIT
#pragma once

/// The best documents that hold any of several terms, in one segment: adds up windows of rows that
/// fit the cache, and skips windows, blocks and documents that cannot enter the best k.

#include <algorithm>
#include <array>
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

/// Block-max MaxScore over windows of rows.
///
/// In each window a list has a bound: the largest of its blocks' bounds there. Windows are searched
/// by falling sum of bounds, so that the threshold rises soon; the search ends at the first window
/// whose sum does not exceed it. In a window the lists are sorted by bound. The longest prefix whose
/// bounds add up to the threshold or less is optional: its lists cannot bring a document in by
/// themselves. Of the other lists, only blocks are read that could with the bounds of all others
/// exceed the threshold. The sums found there are completed from the optional lists while they may
/// still exceed it. Scores are integers, so pruning never changes the result.
/// @par Source Turtle, Flood, "Query evaluation: strategies and optimizations", 1995; Ding, Suel,
/// "Faster top-k document retrieval using block-max indexes", SIGIR 2011.
class block_max_maxscore {
public:
    /// Borrows all that it is given.
    block_max_maxscore(search_options const& options, topk_scores& best) noexcept
        : options_(options), best_(best) {}

    /// @param lists  whose postings all contribute more than 0.
    /// @return false if it was stopped.
    bool search(live_segment const& segment, array_ref<scored_list> lists) {
        rows_ = segment.rows.get();
        lists_ = lists;
        admitted_rows admitted(segment, options_.where);
        admitted_ = &admitted;
        bound_windows();
        sums_.resize(window_rows);
        found_.reserve(window_rows);
        for (auto const key : windows_) {
            auto const bound = static_cast<std::int32_t>(~static_cast<std::uint32_t>(key >> 32));
            auto const window = static_cast<std::uint32_t>(key);
            if (options_.stopped()) return false;
            if (bound <= best_.threshold(0)) break;
            enter(window);
        }
        return true;
    }

private:
    /// A list in a window.
    struct reach {
        std::int32_t bound = 0;
        std::uint32_t block = 0; ///< the first that reaches into the window
    };

    struct ordered_list {
        scored_list* list;
        reach in_window;
    };

    /// Fills in reaches_, a row of windows for each list, and windows_, the best first.
    void bound_windows() {
        auto const windows =
            rows_->rows() / window_rows + (rows_->rows() % window_rows > 0 ? 1 : 0);
        reaches_.assign(lists_.size() * windows, {});
        windows_.resize(windows);
        window_bounds_.assign(windows, 0);
        for (std::size_t i = 0; i < lists_.size(); ++i) {
            auto* const reaches = reaches_.data() + i * windows;
            reach_windows(lists_[i], reaches, windows);
            for (std::uint32_t window = 0; window < windows; ++window) {
                window_bounds_[window] += reaches[window].bound;
            }
        }
        for (std::uint32_t window = 0; window < windows; ++window) {
            windows_[window] =
                falling_sort_key(static_cast<std::uint32_t>(window_bounds_[window]), window);
        }
        sort_ascending(windows_);
    }

    static void reach_windows(scored_list& list, reach* reaches, std::uint32_t windows) {
        list.find_bounds();
        if (!list.has_headers()) { // few postings, each known
            auto const contributions = list.contributions();
            for (std::size_t i = 0; i < contributions.size(); ++i) {
                auto& bound = reaches[list.rows()[i] / window_rows].bound;
                bound = (std::max)(bound, contributions[i]);
            }
            return;
        }
        std::uint32_t next = 0; // the first window that no block reached yet
        std::int64_t before = -1;
        for (std::uint32_t block = 0; block < list.blocks(); ++block) {
            auto const last = list.last_row(block);
            if (last <= before) return; // a damaged file; so no row comes twice
            auto const from = static_cast<std::uint32_t>(before + 1) / window_rows;
            auto const to = (std::min)(last / window_rows, windows - 1);
            auto const bound = list.bound(block);
            for (auto window = from; window <= to; ++window) {
                reaches[window].bound = (std::max)(reaches[window].bound, bound);
                if (window >= next) reaches[window].block = block;
            }
            next = (std::max)(next, to + 1);
            before = last;
        }
    }

    void enter(std::uint32_t window) {
        first_ = window * window_rows;
        last_ = (std::min)(rows_->rows() - first_, window_rows) - 1 + first_;
        threshold_ = best_.threshold(rows_->id(first_));
        if (!order(window)) return;
        if (admitted_->enter(first_, last_) == 0) return;
        add_lists();
        auto const still = optional_ > 0 ? below_[optional_ - 1] : 0;
        if (!best_.full() && !admitted_->restricted()) raise_threshold();
        found_.take_above(sums_.data(), touched_, (std::max)(threshold_ - still, 0), first_);
        complete();
        found_.push_to(best_, *rows_, threshold_);
    }

    /// Sorts the window's lists by bound; the first `optional_` cannot bring a document in by
    /// themselves. False if none can.
    [[nodiscard]] bool order(std::uint32_t window) {
        order_.clear();
        auto const windows = windows_.size();
        for (std::size_t i = 0; i < lists_.size(); ++i) {
            auto const bound = reaches_[i * windows + window].bound;
            if (bound > 0) order_.push_back(sort_key(static_cast<std::uint32_t>(bound), i));
        }
        sort_ascending(order_);
        ordered_.clear();
        for (auto const key : order_) {
            auto const i = place_of_key(key);
            ordered_.push_back({&lists_[i], reaches_[i * windows + window]});
        }
        below_.clear();
        std::int32_t total = 0;
        optional_ = 0;
        for (auto const& l : ordered_) {
            total += l.in_window.bound;
            below_.push_back(total);
            if (total <= threshold_) ++optional_;
        }
        return optional_ < ordered_.size();
    }

    /// Adds the contributions of the lists that are not optional, but for blocks that cannot bring
    /// a document in with what others may add.
    void add_lists() {
        touched_ = 0;
        for (auto i = optional_; i < ordered_.size(); ++i) {
            auto const& l = ordered_[i];
            auto const others = below_.back() - l.in_window.bound;
            if (!admitted_->restricted() && l.list->adds_all() && many_blocks(l, others)) {
                l.list->add_all(first_, last_, sums_.data());
                touched_ |= ~std::uint64_t{0} >> (63 - (last_ - first_) / scalar::group_size);
                continue;
            }
            for (std::size_t block = l.in_window.block;
                 l.list->reaches(block, l.in_window.block, last_); ++block) {
                if (l.list->bound(block) + others <= threshold_) continue;
                if (admitted_->restricted()) {
                    add_admitted(*l.list, block);
                } else {
                    touched_ |= l.list->add(block, first_, last_, sums_.data());
                }
            }
        }
    }

    /// Whether so many blocks can bring a document in that adding the counts of all rows is less
    /// work.
    [[nodiscard]] bool many_blocks(ordered_list const& l, std::int32_t others) const noexcept {
        // of a posting; adding a row's unpacked count costs 1
        constexpr std::size_t unpacking_cost = 4;
        std::size_t postings = 0;
        for (std::size_t block = l.in_window.block;
             l.list->reaches(block, l.in_window.block, last_); ++block) {
            if (l.list->bound(block) + others > threshold_) postings += block_size;
        }
        return unpacking_cost * postings > last_ - first_;
    }

    /// Only documents that may be returned are scored, and a block without one is not even read.
    void add_admitted(scored_list& list, std::size_t block) {
        if (list.has_headers() && !admitted_->any(list.first_row(block), list.last_row(block)))
            return;
        list.decode(block);
        auto const rows = list.rows();
        std::size_t n = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            chosen_rows_[n] = rows[i];
            chosen_counts_[n] = list.counts()[i];
            if (rows[i] >= first_ && rows[i] <= last_ && admitted_->contains(rows[i])) ++n;
        }
        std::array<std::int32_t, block_size> contributions;
        list.scoring().contributions(kernels_, chosen_rows_.data(), chosen_counts_.data(), n,
            rows_->lengths().data(), contributions.data());
        for (std::size_t i = 0; i < n; ++i) {
            auto const place = chosen_rows_[i] - first_;
            sums_[place] += contributions[i];
            touched_ |= std::uint64_t{1} << place / scalar::group_size;
        }
    }

    /// Raises the threshold to a value that k sums of the window reach, so that few rows of the
    /// first window are taken, too. The k-th largest maximum of the groups of sums is such a value.
    void raise_threshold() {
        if (std::exchange(raised_, true) || options_.k > window_rows / 4) return;
        std::size_t const deep = 16 * options_.k <= window_rows / 2 ? 16 : 2;
        maxima_.resize(window_rows / deep);
        kernels_.maxima(sums_.data(), window_rows, deep, maxima_.data());
        threshold_ = (std::max)(threshold_, best_.threshold_of(kth_largest(maxima_, options_.k)));
    }

    /// Completes the sums found from the optional lists, the largest bound first, so that few
    /// documents are looked up in the long lists of frequent terms.
    void complete() {
        for (auto i = optional_; i-- > 0 && !found_.empty();) {
            auto const& l = ordered_[i];
            found_.complete(
                *l.list, l.in_window.block, i > 0 ? below_[i - 1] : 0, threshold_, false);
        }
    }

    bm25_kernels const& kernels_ = active_bm25_kernels();
    search_options const& options_;
    topk_scores& best_;

    // The segment at hand.
    segment const* rows_ = nullptr;
    array_ref<scored_list> lists_ = {};
    admitted_rows* admitted_ = nullptr;
    buffer<reach> reaches_;
    buffer<std::int32_t> window_bounds_; ///< of all lists together
    buffer<std::uint64_t> windows_;      ///< sort keys: the bound, falling, and the window

    // The window at hand.
    std::uint32_t first_ = 0;
    std::uint32_t last_ = 0;
    std::int32_t threshold_ = 0;
    buffer<std::int32_t> sums_;
    buffer<std::int32_t> maxima_; ///< of groups of sums
    bool raised_ = false;         ///< whether raise_threshold() has run: once a search
    std::uint64_t touched_ = 0;   ///< groups of sums that are not 0
    candidates found_;
    std::array<std::uint32_t, block_size> chosen_rows_;
    std::array<std::uint32_t, block_size> chosen_counts_;
    buffer<std::uint64_t> order_;  ///< sort keys: the bound and the list
    buffer<ordered_list> ordered_; ///< by bound
    buffer<std::int32_t> below_;   ///< sums of the bounds up to each
    std::size_t optional_ = 0;
};

} // namespace detail
TRAWL_END_NAMESPACE
