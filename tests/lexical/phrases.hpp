// SPDX-License-Identifier: MIT
#pragma once

/// Phrases found by trying all.

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lexical/whitespace.hpp"

namespace test {

inline std::vector<std::string> split(std::string const& text) {
    std::vector<std::string> words;
    whitespace{}.analyze(text, [&](trawl::token const& t) { words.emplace_back(t.term); });
    return words;
}

/// Shortest stretches by trying all: begins of each word, and of every combination its span.
inline double phrase_by_hand(
    std::vector<std::string> const& text, std::vector<std::string> const& words, int slop) {
    std::set<std::pair<int, int>> spans;
    std::vector<int> at(words.size());
    auto const place = [&](auto&& self, std::size_t i) -> void {
        if (i == words.size()) {
            int least = at[0];
            int most = at[0];
            for (std::size_t j = 1; j < at.size(); ++j) {
                least = (std::min)(least, at[j] - static_cast<int>(j));
                most = (std::max)(most, at[j] - static_cast<int>(j));
            }
            spans.insert({least, most});
            return;
        }
        for (std::size_t p = 0; p < text.size(); ++p) {
            at[i] = static_cast<int>(p);
            if (text[p] == words[i]) self(self, i + 1);
        }
    };
    place(place, 0);
    double total = 0;
    for (auto const& [least, most] : spans) {
        bool shortest = true;
        for (auto const& [other, last] : spans) {
            if ((other != least || last != most) && other >= least && last <= most)
                shortest = false;
        }
        if (shortest && most - least <= slop) total += 1.0 / (1 + most - least);
    }
    return total;
}

} // namespace test
