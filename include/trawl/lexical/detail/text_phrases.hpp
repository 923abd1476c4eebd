// SPDX-License-Identifier: MIT
#pragma once

/// Where a phrase occurs in one text.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// A word of a text.
struct word_occurrence {
    std::uint32_t position; ///< see word_positions
    std::size_t begin;      ///< bytes
    std::size_t end;
};

/// A word of a phrase: its place there, and where the text contains it, ascending.
struct placed_word {
    std::uint32_t place;
    std::span<word_occurrence const> occurrences;
};

/// Calls visit(begin, end) for the bytes of each occurrence of a phrase. O(r w log) for r
/// occurrences of the rarest of its w words.
template <class Visit>
void for_each_exact(std::span<placed_word const> words, Visit&& visit) {
    auto const rarest = std::min_element(
        words.begin(), words.end(), [](placed_word const& a, placed_word const& b) {
            return a.occurrences.size() < b.occurrences.size();
        });
    for (auto const& found : rarest->occurrences) {
        if (found.position < rarest->place) continue;
        auto const start = found.position - rarest->place;
        auto begin = found.begin;
        auto end = found.end;
        bool whole = true;
        // The last word first: near the end of the text it is missing.
        for (auto i = words.size(); i-- > 0;) {
            auto const& word = words[i];
            auto const wanted = std::uint64_t{start} + word.place;
            auto const at = std::lower_bound(word.occurrences.begin(), word.occurrences.end(),
                wanted, [](word_occurrence const& o, std::uint64_t position) {
                    return o.position < position;
                });
            if (at == word.occurrences.end() || at->position != wanted) {
                whole = false;
                break;
            }
            begin = (std::min)(begin, at->begin);
            end = (std::max)(end, at->end);
        }
        if (whole) visit(begin, end);
    }
}

/// Calls visit(begin, end) for the bytes of each word in the shortest stretches that contain a
/// phrase out of place by at most the slop, as phrase_matches counts them. O(o w) for o occurrences
/// of its w words; O(o w^2) where it repeats a word.
template <class Visit>
void for_each_sloppy(std::span<placed_word const> words, std::int64_t slop, Visit&& visit) {
    std::vector<std::size_t> at(words.size());
    auto const start = [&](std::size_t i) {
        return std::int64_t{words[i].occurrences[at[i]].position} - words[i].place;
    };
    auto const reach = [&] {
        auto lowest = start(0);
        auto highest = lowest;
        for (std::size_t i = 1; i < words.size(); ++i) {
            lowest = (std::min)(lowest, start(i));
            highest = (std::max)(highest, start(i));
        }
        return std::pair{lowest, highest};
    };
    auto const apart = [&] {
        for (std::size_t i = 0; i < words.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (words[i].occurrences.data() == words[j].occurrences.data() && at[i] == at[j])
                    return false;
            }
        }
        return true;
    };
    for (auto const& word : words) {
        if (word.occurrences.empty()) return;
    }
    for (auto [lowest, highest] = reach();;) {
        auto const here = at;
        auto const fits = highest - lowest <= slop && apart();
        bool ended = false;
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (start(i) == lowest && ++at[i] == words[i].occurrences.size()) {
                --at[i];
                ended = true;
            }
        }
        auto const next = ended ? std::pair{highest, highest} : reach();
        if (fits && (ended || next.second > highest)) {
            for (std::size_t i = 0; i < words.size(); ++i) {
                auto const& found = words[i].occurrences[here[i]];
                visit(found.begin, found.end);
            }
        }
        if (ended) return;
        lowest = next.first;
        highest = next.second;
    }
}

} // namespace detail
TRAWL_END_NAMESPACE
