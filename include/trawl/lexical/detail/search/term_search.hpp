// SPDX-License-Identifier: MIT
#pragma once

/// The best k documents for a few weighted terms: chooses, segment by segment, how to find them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/lexical/detail/scoring/score_quantizer.hpp>
#include <trawl/lexical/detail/scoring/scored_list.hpp>
#include <trawl/lexical/detail/search/block_max_maxscore.hpp>
#include <trawl/lexical/detail/search/exhaustive_or.hpp>
#include <trawl/lexical/detail/search/filtered_taat.hpp>
#include <trawl/lexical/detail/search/ranked_and.hpp>
#include <trawl/lexical/detail/search/single_term.hpp>
#include <trawl/lexical/detail/search/topk_scores.hpp>
#include <trawl/lexical/detail/segments/index_snapshot.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Every way finds the same documents and scores, to the bit; they differ in how much they read.
class term_search {
public:
    struct term {
        term_id id;
        posting_scoring scoring;
        bool needed = false; ///< whether a document without it does not match
    };

    /// Borrows all that it is given.
    term_search(index_snapshot const& index, array_ref<term const> terms,
        score_quantizer const& quantizer, search_options const& options)
        : index_(index), options_(options), best_(quantizer, options.k) {
        terms_.reserve(terms.size());
        for (auto const& each : terms) {
            if (each.needed) terms_.push_back(each);
        }
        needed_ = terms_.size();
        for (auto const& each : terms) {
            if (!each.needed) terms_.push_back(each);
        }
    }

    [[nodiscard]] ranking best() && {
        if (options_.k == 0 || terms_.empty()) return {};
        for (auto const& segment : *index_.segments) {
            if (!search(segment)) return best_.take();
        }
        search_tail();
        return best_.take();
    }

private:
    /// @return false if it was stopped.
    [[nodiscard]] bool search(live_segment const& segment) {
        auto const& rows = *segment.rows;
        lists_.clear();
        lists_.reserve(terms_.size());
        std::size_t needed = 0;
        for (std::size_t i = 0; i < terms_.size(); ++i) {
            auto const place = rows.lists().find(terms_[i].id);
            if (!place) continue;
            lists_.push_back(scored_list(rows, *place, terms_[i].scoring,
                segment.frequent ? segment.frequent->find(terms_[i].id) : nullptr));
            if (i < needed_) ++needed;
        }
        if (needed < needed_ || lists_.empty()) return !options_.stopped();
        // With a step to spare for a factor's rounding.
        bool const positive = std::all_of(lists_.begin(), lists_.end(),
            [&](scored_list const& l) { return l.scoring().contribution(1, rows.longest()) > 1; });
        array_ref<scored_list> const lists = lists_;
        if (needed_ > 0) {
            return ranked_and_.search(
                segment, lists.first(needed_), lists.subspan(needed_), positive);
        }
        if (!positive) return search_matches(segment, lists, options_, best_);
        if (lists.size() == 1 && options_.where.admits_all())
            return single_term_.search(segment, lists[0]);
        if (filtered_taat_.few(segment)) return filtered_taat_.search(segment, lists);
        return maxscore_.search(segment, lists);
    }

    void search_tail() {
        index_.for_each_in_tail([&](counted_document const& document, std::uint32_t) {
            if (!options_.where.admits(document.id)) return;
            std::int32_t sum = 0;
            std::size_t matched = 0;
            std::size_t needed = 0;
            for (std::size_t i = 0; i < terms_.size(); ++i) {
                auto const count = index_snapshot::count(document, terms_[i].id);
                if (count == 0) continue;
                sum += terms_[i].scoring.contribution(static_cast<float>(count), document.length);
                ++matched;
                if (i < needed_) ++needed;
            }
            if (matched > 0 && needed == needed_) best_.push(document.id, sum);
        });
    }

    index_snapshot const& index_;
    buffer<term> terms_; ///< those that are needed first
    std::size_t needed_;
    search_options const& options_;
    topk_scores best_;
    buffer<scored_list> lists_;
    single_term_search single_term_{options_, best_};
    block_max_maxscore maxscore_{options_, best_};
    ranked_and ranked_and_{options_, best_};
    filtered_taat filtered_taat_{options_, best_};
};

} // namespace detail
TRAWL_END_NAMESPACE
