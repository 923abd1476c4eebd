// SPDX-License-Identifier: MIT
#pragma once

/// The words of a query's text, as phrases and prefixes need them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/function_ref.hpp>
#include <trawl/lexical/detail/analyzer_ref.hpp>
#include <trawl/lexical/detail/prefix_place.hpp>
#include <trawl/lexical/detail/word_positions.hpp>
#include <trawl/text/surface.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct query_word {
    std::string surface = {};
    std::string term = {}; ///< empty: dropped by the analyzer
    std::uint32_t position = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool first = false; ///< of the tokens at its position: the whole of an identifier
};

/// All tokens of a text, at the analyzer's positions.
[[nodiscard]] inline std::vector<query_word> query_words(
    analyzer_ref analyze, std::string_view text) {
    std::vector<query_word> words;
    words.reserve(4); // as many as most queries have
    analyze(text, [&](surface_token const& t) {
        auto const first = words.empty() || words.back().position != t.indexed.position;
        words.push_back({std::string(t.surface), std::string(t.indexed.term), t.indexed.position,
            t.indexed.begin, t.indexed.end, first});
    });
    return words;
}

/// The last word of a prefix if the analyzer drops it, as a stop word ("for" of for*) or as too
/// short. It is analysed with an ending that keeps it from being dropped, which is then cut off. An
/// analyzer that offers surfaces passes such a word itself.
[[nodiscard]] inline std::optional<query_word> dropped_beginning(
    analyzer_ref analyze, std::string_view text) {
    std::size_t read = 0;
    std::uint32_t position = 0;
    analyze(text, [&](surface_token const& t) {
        read = (std::max)(read, std::size_t{t.indexed.end});
        position = t.indexed.position + 1;
    });
    auto const is_letter = [](char c) {
        return static_cast<unsigned char>(c) >= 0x80u || !separates_words(c);
    };
    auto const rest = text.substr((std::min)(read, text.size()));
    if (!std::any_of(rest.begin(), rest.end(), is_letter)) return std::nullopt;
    constexpr std::string_view ending = "zqzq"; // no word ends so
    auto words = query_words(analyze, std::string(text).append(ending));
    std::erase_if(words, [](query_word const& w) { return !w.first; });
    if (words.empty()) return std::nullopt;
    auto& word = words.back();
    if (word.surface.size() <= ending.size() || !word.surface.ends_with(ending))
        return std::nullopt;
    word.surface.resize(word.surface.size() - ending.size());
    word.term = word.surface;
    word.position = position;
    return std::move(word);
}

/// The words of a phrase at word positions: of an identifier its parts, of any other position the
/// first token.
[[nodiscard]] inline std::vector<query_word> phrase_words(
    analyzer_ref analyze, std::string_view text) {
    auto all = query_words(analyze, text);
    word_positions positions;
    for (auto const& word : all) positions.add({word.term, word.position, word.begin, word.end});
    positions.finish();
    std::vector<query_word> words;
    for (std::size_t i = 0; i < all.size();) {
        auto const group = i;
        auto const first = words.size();
        for (; i < all.size() && all[i].position == all[group].position; ++i) {
            auto at = words.size();
            while (at > first && words[at - 1].position > positions.all()[i]) --at;
            auto word = all[i];
            word.position = positions.all()[i];
            if (at == first || words[at - 1].position != word.position) {
                words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), std::move(word));
            } else if (word.end < words[at - 1].end) {
                words[at - 1] = std::move(word);
            }
        }
        if (words.size() == first + 1) { // not an identifier
            words.back() = all[group];
            words.back().position = positions.all()[group];
        }
    }
    return words;
}

} // namespace detail
TRAWL_END_NAMESPACE
