// SPDX-License-Identifier: MIT
#pragma once

/// The terms that Lucene's EnglishAnalyzer, and so Anserini by default, would give.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <trawl/text/analyzers/composed_analyzer.hpp>
#include <trawl/text/analyzers/word_analyzer.hpp>
#include <trawl/text/detail/unicode.hpp>
#include <trawl/text/stemmers/porter_stemmer.hpp>
#include <trawl/text/token_filter.hpp>

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
/// counts as one consonant; while the rules run, a single byte stands for it.
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
            auto const end = seen.begin() + static_cast<std::ptrdiff_t>(known);
            auto const place = std::find(seen.begin(), end, c.code) - seen.begin();
            if (place == static_cast<std::ptrdiff_t>(known)) seen[known++] = c.code;
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

/// UAX #29's words, possessives, lower case, 33 stop words, Porter's stemmer: EnglishAnalyzer of
/// Lucene 9.12. Nothing is folded but case, identifiers are not taken apart.
///
///     The café's 1990s running-shoes    café | 1990 | run | shoe     (positions 1 to 4)
///
/// Words of more than 64 characters are not stemmed. Thread-safe; copies share the list of stop
/// words.
class lucene_english_analyzer : public composed_analyzer<word_analyzer, detail::lucene_possessive,
                                    lower_case, stop_words, detail::lucene_porter> {
public:
    lucene_english_analyzer() : composed_analyzer({}, {}, {}, stop_words::english(), {}) {}
};

static_assert(analyzer<lucene_english_analyzer>);

TRAWL_END_NAMESPACE
