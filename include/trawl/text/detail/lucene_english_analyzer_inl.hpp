// SPDX-License-Identifier: MIT
#pragma once

/// Body of lucene_english_analyzer.hpp.

#include <trawl/text/analyzers/lucene_english_analyzer.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <trawl/text/analyzers/word_analyzer.hpp>
#include <trawl/text/detail/filter_tokens.hpp>
#include <trawl/text/detail/porter_word.hpp>
#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Lucene's EnglishPossessiveFilter: three kinds of apostrophe.
struct lucene_possessive {
    bool operator()(std::string& term) const {
        std::string_view const t = term;
        if (!t.ends_with('s') && !t.ends_with('S')) return true;
        auto const stem = t.substr(0, t.size() - 1);
        for (std::string_view const apostrophe : {"'", "\xE2\x80\x99", "\xEF\xBC\x87"}) {
            if (stem.ends_with(apostrophe)) {
                term.resize(stem.size() - apostrophe.size());
                break;
            }
        }
        return true;
    }
};

/// Porter's stemmer on any term, as Lucene runs it: 1990s becomes 1990. A character outside ASCII
/// counts as one consonant: a single byte replaces it while the rules run.
struct lucene_porter {
    bool operator()(std::string& term) const {
        constexpr auto longest = porter_word::longest;
        if (term.size() <= 2 || term.size() > 4 * longest) return true;
        std::array<char32_t, longest> seen{};
        std::size_t known = 0;
        std::string narrow;
        for (std::size_t at = 0; at < term.size();) {
            auto const c = decode_utf8(term, at);
            if (c.bytes == 0 || narrow.size() == longest) return true;
            at += c.bytes;
            if (c.code < 0x80) {
                narrow.push_back(static_cast<char>(c.code));
                continue;
            }
            std::size_t place = 0;
            while (place < known && seen[place] != c.code) ++place;
            if (place == known) seen[known++] = c.code;
            narrow.push_back(static_cast<char>(static_cast<unsigned char>(0x80 + place)));
        }
        if (narrow.size() <= 2) return true;
        porter_word(narrow).stem();
        term.clear();
        for (auto const c : narrow) {
            auto const byte = static_cast<unsigned char>(c);
            append_utf8(byte < 0x80 ? byte : seen[byte - 0x80u], term);
        }
        return true;
    }
};

} // namespace detail

TRAWL_INLINE lucene_english_analyzer::lucene_english_analyzer()
    : stop_words_(stop_words::english()) {}

TRAWL_INLINE void lucene_english_analyzer::analyze(std::string_view text, token_sink sink) const {
    detail::filter_tokens(word_analyzer{}, text, sink, [this](std::string& term) {
        return detail::lucene_possessive{}(term) && lower_case{}(term) && stop_words_(term)
               && detail::lucene_porter{}(term);
    });
}

TRAWL_INLINE void lucene_english_analyzer::analyze_surface(
    std::string_view text, surface_sink sink) const {
    detail::filter_surfaces(
        word_analyzer{}, text, sink,
        [](std::string& term) { return detail::lucene_possessive{}(term) && lower_case{}(term); },
        [this](std::string& term) { return stop_words_(term) && detail::lucene_porter{}(term); });
}

TRAWL_END_NAMESPACE
