// SPDX-License-Identifier: MIT
#pragma once

/// A reranker that needs no model: it counts what a text shares with the question.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/words.hpp>
#include <trawl/error.hpp>
#include <trawl/text/analyzers/english_analyzer.hpp>

TRAWL_BEGIN_NAMESPACE

/// Scores a text by the distinct words it shares with the question, plus 2 for each distinct pair
/// of words that are neighbours in both. The analyzer says what a word is and leaves out stop
/// words, so that words on either side of one are neighbours. Words at one position are one
/// another's alternatives, neighbours of all words at the next. The question is its weighted terms,
/// if it has any, in the order given; else its text.
/// @par Complexity O(T log w) for T words of a batch's texts and w words of the question; memory
/// O(w^2) at most.
template <analyzer Analyzer>
class basic_overlap_reranker {
public:
    basic_overlap_reranker() = default;
    explicit basic_overlap_reranker(Analyzer words) : analyzer_(std::move(words)) {}

    /// @param batch  n candidates, of which only the text is read.
    /// @param out    [n]; a score is a whole number >= 0, 0 if the question has no words.
    /// @throws trawl::error (dimension_mismatch) if the two differ in size.
    void operator()(query const& q, std::span<candidate const> batch, std::span<float> out) const {
        if (out.size() != batch.size()) {
            detail::fail(
                errc::dimension_mismatch, detail::join("overlap_reranker: ", batch.size(),
                                              " candidates, room for ", out.size(), " scores"));
        }
        question const asked(analyzer_, q);
        for (std::size_t i = 0; i < batch.size(); ++i)
            out[i] = asked.overlap(analyzer_, batch[i].text);
    }

private:
    using word = std::uint32_t;
    using word_pair = std::pair<word, word>;

    // Calls visit(left, right) for each pair of neighbours in a sequence of words with positions.
    class neighbours {
    public:
        template <class Visit>
        void next(std::uint32_t position, word w, Visit&& visit) {
            if (position != position_ || here_.empty()) {
                std::swap(before_, here_);
                here_.clear();
                position_ = position;
            }
            here_.push_back(w);
            for (word const left : before_) visit(left, w);
        }

    private:
        std::uint32_t position_ = 0;
        std::vector<word> before_;
        std::vector<word> here_;
    };

    class question {
    public:
        question(Analyzer const& words, query const& q) {
            std::vector<std::pair<std::string, std::uint32_t>> tokens;
            if (q.terms.empty()) {
                words.analyze(q.text,
                    [&](token const& t) { tokens.emplace_back(std::string(t.term), t.position); });
            } else {
                for (auto const& t : q.terms) {
                    tokens.emplace_back(
                        std::string(t.term), static_cast<std::uint32_t>(tokens.size()));
                }
            }
            for (auto const& [term, position] : tokens) words_.push_back(term);
            sort_unique(words_);
            neighbours pairs;
            for (auto const& [term, position] : tokens) {
                pairs.next(
                    position, find(term), [&](word a, word b) { pairs_.emplace_back(a, b); });
            }
            sort_unique(pairs_);
        }

        [[nodiscard]] float overlap(Analyzer const& words, std::string_view text) const {
            if (words_.empty()) return 0;
            std::vector<bool> has_word(words_.size());
            std::vector<bool> has_pair(pairs_.size());
            std::size_t score = 0;
            auto const mark = [&](std::vector<bool>& has, std::size_t i, std::size_t worth) {
                if (!has[i]) score += worth;
                has[i] = true;
            };
            neighbours pairs;
            words.analyze(text, [&](token const& t) {
                auto const found = find(t.term);
                if (found != unknown) mark(has_word, found, 1);
                pairs.next(t.position, found, [&](word a, word b) {
                    auto const at = std::lower_bound(pairs_.begin(), pairs_.end(), word_pair(a, b));
                    if (at != pairs_.end() && *at == word_pair(a, b)) {
                        mark(has_pair, static_cast<std::size_t>(at - pairs_.begin()), 2);
                    }
                });
            });
            return static_cast<float>(score);
        }

    private:
        static constexpr word unknown = (std::numeric_limits<word>::max)();

        template <class T>
        static void sort_unique(std::vector<T>& items) {
            std::sort(items.begin(), items.end());
            items.erase(std::unique(items.begin(), items.end()), items.end());
        }

        [[nodiscard]] word find(std::string_view term) const {
            auto const at = std::lower_bound(words_.begin(), words_.end(), term);
            return at != words_.end() && *at == term ? static_cast<word>(at - words_.begin())
                                                     : unknown;
        }

        std::vector<std::string> words_;
        std::vector<word_pair> pairs_;
    };

    Analyzer analyzer_ = {};
};

/// For English; stop words are left out and stems compared. Other languages bring their analyzer.
using overlap_reranker = basic_overlap_reranker<english_analyzer>;

static_assert(reranker<overlap_reranker>);

TRAWL_END_NAMESPACE
