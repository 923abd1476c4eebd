// SPDX-License-Identifier: MIT
#pragma once

/// The best documents that hold a phrase.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/lexical/detail/scoring/score_quantizer.hpp>
#include <trawl/lexical/detail/scoring/scored_list.hpp>
#include <trawl/lexical/detail/search/phrase_matches.hpp>
#include <trawl/lexical/detail/search/topk_scores.hpp>
#include <trawl/lexical/detail/segments/index_snapshot.hpp>
#include <trawl/lexical/detail/sorting.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Reads the list of the rarest word and looks its documents up in the others. The phrase cannot
/// occur more often than the rarest of its words in the document; positions are unpacked only where
/// a phrase of that frequency would exceed the threshold.
class phrase_search {
public:
    /// Borrows all that it is given.
    /// @param terms, places  of the words, at least one.
    phrase_search(index_snapshot const& index, array_ref<term_id const> terms,
        array_ref<std::uint32_t const> places, std::uint32_t slop, posting_scoring const& scoring,
        score_quantizer const& quantizer, search_options const& options)
        : index_(index),
          terms_(terms),
          places_(places),
          slop_(slop),
          scoring_(scoring),
          options_(options),
          best_(quantizer, options.k) {}

    [[nodiscard]] ranking best() && {
        for (auto const& segment : *index_.segments) {
            if (!search(segment)) return best_.take();
        }
        search_tail();
        return best_.take();
    }

private:
    struct placed_list {
        placed_list(live_segment const& segment, std::size_t list, posting_scoring const& how,
            std::size_t asked)
            : postings(*segment.rows, segment.rows->lists()[list], how,
                segment.frequent ? segment.frequent->find(segment.rows->lists().term(list))
                                 : nullptr),
              positions(segment.rows->positions(), list, postings.blocks()),
              place(asked) {}

        scored_list postings; ///< as if the word were the phrase
        position_cursor positions;
        std::size_t place;     ///< among the words asked
        std::size_t block = 0; ///< of the postings, where the row at hand is
    };

    /// @return false if it was stopped.
    [[nodiscard]] bool search(live_segment const& segment) {
        auto const& rows = *segment.rows;
        if (!find_words(segment)) return !options_.stopped();
        // With a step to spare for a factor's rounding.
        positive_ = scoring_.contribution(1 / (1 + static_cast<float>(slop_)), rows.longest()) > 1;
        // The phrase occurs nowhere more often than the rarest word.
        bool const bounded = positive_ && phrase_matches::max_tf(1, slop_, terms_.size()) == 1;
        auto& lead = words_.front();
        auto& list = lead.postings;
        if (bounded) list.find_bounds();
        for (; lead.block < list.blocks(); ++lead.block) {
            auto const block = lead.block;
            if (block % 32 == 0 && options_.stopped()) return false;
            auto const first = list.has_headers() ? list.first_row(block) : 0;
            // damaged
            if (first >= rows.rows() || (block > 0 && list.last_row(block) < first)) return true;
            threshold_ = threshold(rows.id(first));
            if (bounded && raised(list.bound(block)) <= threshold_) continue;
            if (bounded) {
                list.score(block);
            } else {
                list.decode(block);
            }
            for (std::size_t i = 0; i < list.rows().size(); ++i) {
                if (bounded && raised(list.contributions()[i]) <= threshold_) continue;
                auto const row = list.rows()[i];
                if (!segment.is_live(row) || !options_.where.admits(rows.id(row))) continue;
                if (!ask(rows, row, i)) return true;
            }
        }
        return true;
    }

    /// The words, rarest first; false if the segment lacks one.
    [[nodiscard]] bool find_words(live_segment const& segment) {
        auto const& rows = *segment.rows;
        buffer<std::uint64_t> order; // by df
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < terms_.size(); ++i) {
            auto const list = rows.list_of(terms_[i]);
            if (!list) return false;
            found.push_back(*list);
            order.push_back(sort_key(rows.lists()[*list].df, i));
        }
        sort_ascending(order);
        words_.clear();
        words_.reserve(order.size());
        for (auto const key : order) {
            auto const place = place_of_key(key);
            words_.emplace_back(segment, found[place], scoring_, place);
        }
        return true;
    }

    /// Adds the row to the best if it contains the phrase and its score exceeds the threshold.
    /// @param place  of the row in the first word's block.
    /// @return false if no later row can hold all words.
    [[nodiscard]] bool ask(segment const& rows, std::uint32_t row, std::size_t place) {
        auto least = words_.front().postings.counts()[place];
        for (auto& word : std::span(words_).subspan(1)) {
            word.block = word.postings.block_of(row, word.block);
            if (word.block == word.postings.blocks()) return false;
            auto const count = word.postings.count_of(row, word.block);
            if (count == 0) return true;
            least = (std::min)(least, count);
        }
        auto const tf = phrase_matches::max_tf(least, slop_, terms_.size());
        auto const length = rows.length(row);
        if (positive_ && scoring_.bound(tf, length) <= threshold_) return true;
        phrase_.clear();
        for (auto& word : words_) {
            if (&word != &words_.front()) place = word.postings.place_of(row, word.block);
            phrase_.emplace_back(terms_[word.place], places_[word.place],
                word.positions.of(word.block, word.postings.counts(), place));
        }
        push(rows.id(row), length);
        return true;
    }

    void search_tail() {
        index_.for_each_in_tail([&](counted_document const& newest, std::uint32_t) {
            if (!options_.where.admits(newest.id)) return;
            phrase_.clear();
            for (std::size_t i = 0; i < terms_.size(); ++i) {
                auto const at = newest.place_of(terms_[i]);
                if (!at) return;
                phrase_.emplace_back(terms_[i], places_[i], newest.positions(*at));
            }
            push(newest.id, newest.length);
        });
    }

    /// A document whose words are in phrase_.
    void push(doc_id id, std::uint32_t length) {
        auto const frequency = phrase_matches(phrase_).frequency(slop_);
        if (frequency == 0) return;
        best_.push(id, scoring_.contribution(frequency, length));
        threshold_ = threshold(id);
    }

    [[nodiscard]] std::int32_t threshold(doc_id lowest) noexcept {
        return positive_ ? best_.threshold(lowest) : (std::numeric_limits<std::int32_t>::min)();
    }

    /// Upper bound of the contribution of any smaller tf, given that of this one: a tf factor is
    /// off by a few roundings to float.
    [[nodiscard]] static std::int32_t raised(std::int32_t contribution) noexcept {
        return contribution + (contribution >> 18) + 1;
    }

    index_snapshot const& index_;
    array_ref<term_id const> terms_;
    array_ref<std::uint32_t const> places_;
    std::uint32_t slop_;
    posting_scoring scoring_;
    search_options const& options_;
    topk_scores best_;
    /// whether all that hold the phrase score above 0; if not, none is left out
    bool positive_ = false;
    std::int32_t threshold_ = 0;     ///< sums up to this cannot enter
    std::vector<placed_list> words_; ///< rarest first
    std::vector<phrase_word> phrase_;
};

} // namespace detail
TRAWL_END_NAMESPACE
