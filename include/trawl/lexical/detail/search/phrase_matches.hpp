// SPDX-License-Identifier: MIT
#pragma once

/// How often a phrase occurs in a document, its words in place or within a slop.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>

#include <trawl/detail/floating_point.hpp>
#include <trawl/lexical/detail/postings/packed_positions.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// A word of a phrase in one document.
class phrase_word {
public:
    /// @param place  of the word in the phrase.
    phrase_word(std::uint32_t term, std::uint32_t place, position_run occurrences) noexcept
        : rest_(occurrences), term_(term), place_(place) {}

    /// Goes to the next occurrence that begins the phrase elsewhere; false if there is none.
    [[nodiscard]] bool next() noexcept {
        auto const before = begin_;
        while (rest_.left() > 0) {
            begin_ = std::int64_t{rest_.next()} - place_;
            if (begin_ != before) return true;
        }
        return false;
    }

    /// Where the phrase would begin if the occurrence at hand were its own.
    [[nodiscard]] std::int64_t begin() const noexcept { return begin_; }

    [[nodiscard]] bool at_once_with(phrase_word const& other) const noexcept {
        return term_ == other.term_ && begin_ + place_ == other.begin_ + other.place_;
    }

private:
    position_run rest_;
    std::int64_t begin_ = -0x100000000; ///< none yet: before any
    std::uint32_t term_;
    std::uint32_t place_;
};

/// Finds the shortest stretches of one document that hold a phrase.
class phrase_matches {
public:
    /// @param words  of the phrase, at places that ascend; they go through their occurrences.
    explicit phrase_matches(std::span<phrase_word> words) noexcept : words_(words) {}

    /// Each stretch that is out of line by at most the slop counts 1 / (1 + that).
    [[nodiscard]] float frequency(std::uint32_t slop) && {
        for (auto& word : words_) {
            if (!word.next()) return 0; // a file whose positions are damaged
        }
        return slop == 0 ? in_line() : within(std::int64_t{slop});
    }

    /// Upper bound of the frequency in a text that holds each word at least once and one of them
    /// `count` times. In line, each stretch has its own occurrence of it. Out of line, one
    /// occurrence is in at most as many stretches as there are words, for from one to the next a
    /// word goes past it; each counts half at most.
    [[nodiscard]] static float max_tf(
        std::uint32_t count, std::uint32_t slop, std::size_t words) noexcept {
        auto const stretches = slop == 0 || words <= 2 ? 1.0 : static_cast<double>(words) / 2;
        return static_cast<float>(rounded(static_cast<double>(count) * stretches));
    }

private:
    [[nodiscard]] float in_line() noexcept {
        std::uint64_t found = 0;
        auto begin = words_[0].begin();
        for (std::size_t agreeing = 1, i = 0;;) {
            if (agreeing == words_.size()) {
                ++found;
                if (!words_[i].next()) break;
                begin = words_[i].begin();
                agreeing = 1;
                continue;
            }
            i = i + 1 < words_.size() ? i + 1 : 0;
            auto& word = words_[i];
            while (word.begin() < begin) {
                if (!word.next()) return static_cast<float>(found);
            }
            agreeing = word.begin() == begin ? agreeing + 1 : 1;
            begin = word.begin();
        }
        return static_cast<float>(found);
    }

    [[nodiscard]] float within(std::int64_t slop) noexcept {
        double total = 0;
        for (auto [lowest, highest] = reach();;) {
            bool const apart = all_apart();
            bool ended = false;
            for (auto& word : words_) {
                if (word.begin() == lowest && !word.next()) ended = true;
            }
            auto const following = ended ? std::pair{highest, highest} : reach();
            // Not the shortest here if one that begins later ends as early.
            bool const shortest = ended || following.second > highest;
            if (shortest && apart && highest - lowest <= slop) {
                total = rounded(
                    total + rounded(1 / rounded(static_cast<double>(highest - lowest + 1))));
            }
            if (ended) return static_cast<float>(total);
            std::tie(lowest, highest) = following;
        }
    }

    /// The first and the last begin of the occurrences at hand.
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> reach() const noexcept {
        auto lowest = words_[0].begin();
        auto highest = lowest;
        for (auto const& word : words_.subspan(1)) {
            lowest = (std::min)(lowest, word.begin());
            highest = (std::max)(highest, word.begin());
        }
        return {lowest, highest};
    }

    /// Whether a word that the phrase has twice stands in two places.
    [[nodiscard]] bool all_apart() const noexcept {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (words_[i].at_once_with(words_[j])) return false;
            }
        }
        return true;
    }

    std::span<phrase_word> words_;
};

} // namespace detail
TRAWL_END_NAMESPACE
