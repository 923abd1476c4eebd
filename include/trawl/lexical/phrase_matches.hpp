// SPDX-License-Identifier: MIT
#pragma once

/// How often a phrase stands in a text, with its words in place or nearly.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/lexical/word_store.hpp>

namespace trawl::inline v0_1::detail {

/// A phrase, in the terms of an index.
struct phrase_words {
    std::span<std::uint32_t const> terms = {};
    std::span<std::uint32_t const> places = {}; ///< where each term stands in the phrase
    std::uint32_t slop = 0;
};

/// Memory that serves one document after the other.
struct phrase_room {
    /// Of each word: where the phrase would begin if this occurrence were its own.
    std::vector<std::vector<std::int64_t>> begins = {};
    std::vector<std::size_t> next = {}; ///< the occurrence at hand
};

/// Finds the shortest stretches of one document that hold a phrase.
class phrase_matches {
public:
    /// @param id  of a document that holds each of the terms.
    phrase_matches(phrase_words const& phrase, word_store const& words, doc_id id, phrase_room& room)
        : phrase_(phrase), begins_(room.begins), next_(room.next) {
        if (begins_.size() < phrase.terms.size()) begins_.resize(phrase.terms.size());
        for (auto& begins : begins_) begins.clear();
        next_.assign(phrase.terms.size(), 0);
        words.for_each(id, [&](placed_word const& w) {
            for (std::size_t i = 0; i < next_.size(); ++i) {
                if (phrase_.terms[i] != w.term) continue;
                auto const begin = std::int64_t{w.position} - std::int64_t{phrase_.places[i]};
                if (begins_[i].empty() || begins_[i].back() != begin) begins_[i].push_back(begin);
            }
        });
    }

    /// Each stretch that is out of line by at most the slop counts 1 / (1 + that).
    [[nodiscard]] float frequency() && {
        for (std::size_t i = 0; i < next_.size(); ++i) {
            if (begins_[i].empty()) return 0; // a file whose positions are damaged
        }
        double total = 0;
        for (auto [least, most] = reach();;) {
            bool const apart = all_apart();
            bool ended = false;
            for (std::size_t i = 0; i < next_.size(); ++i) {
                if (begins_[i][next_[i]] == least && ++next_[i] == begins_[i].size()) ended = true;
            }
            auto const following = ended ? std::pair{most, most} : reach();
            // Not the shortest here if one that begins later ends as early.
            bool const shortest = ended || following.second > most;
            if (shortest && apart && most - least <= std::int64_t{phrase_.slop}) {
                total = rounded(total + rounded(1 / rounded(static_cast<double>(most - least + 1))));
            }
            if (ended) return static_cast<float>(total);
            std::tie(least, most) = following;
        }
    }

private:
    /// The first and the last begin of the occurrences at hand.
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> reach() const {
        auto least = begins_[0][next_[0]];
        auto most = least;
        for (std::size_t i = 1; i < next_.size(); ++i) {
            least = (std::min)(least, begins_[i][next_[i]]);
            most = (std::max)(most, begins_[i][next_[i]]);
        }
        return {least, most};
    }

    /// Whether a word that the phrase has twice stands in two places.
    [[nodiscard]] bool all_apart() const {
        auto const place = [&](std::size_t i) {
            return begins_[i][next_[i]] + std::int64_t{phrase_.places[i]};
        };
        for (std::size_t i = 0; i < next_.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (phrase_.terms[i] == phrase_.terms[j] && place(i) == place(j)) return false;
            }
        }
        return true;
    }

    phrase_words phrase_;
    std::vector<std::vector<std::int64_t>>& begins_;
    std::vector<std::size_t>& next_;
};

} // namespace trawl::inline v0_1::detail
