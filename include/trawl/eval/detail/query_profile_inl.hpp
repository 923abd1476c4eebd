// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of query_profile.hpp.

#include <trawl/eval/query_profile.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/function_ref.hpp>
#include <trawl/detail/number_text.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/detail/sentences.hpp>
#include <trawl/eval/table.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] constexpr bool is_lower(char c) noexcept { return c >= 'a' && c <= 'z'; }
[[nodiscard]] constexpr bool is_upper(char c) noexcept { return c >= 'A' && c <= 'Z'; }
[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_letter(char c) noexcept {
    return is_lower(c) || is_upper(c) || (c & 0x80) != 0;
}

// A capital letter at the beginning: ASCII, or the Latin-1 capitals of UTF-8 (À to Þ).
[[nodiscard]] inline bool begins_with_capital(std::string_view word) noexcept {
    if (is_upper(word[0])) return true;
    return word.size() > 1 && word[0] == '\xC3' && static_cast<unsigned char>(word[1]) >= 0x80
           && static_cast<unsigned char>(word[1]) <= 0x9E && word[1] != '\x97';
}

// A word of a query, and what it shows.
struct profiled_word {
    std::string_view text; // without the punctuation around it
    bool identifier = false;
    bool code = false;
    bool acronym = false;
    bool capital = false;      // begins with a capital letter, the rest is small
    bool after_a_stop = false; // begins a sentence
};

// Years, round numbers and numbers of up to three digits count something; others name something.
[[nodiscard]] inline bool names_something(std::string_view digits) noexcept {
    if (digits.size() <= 3) return false;
    if (digits.size() == 4 && (digits.substr(0, 2) == "19" || digits.substr(0, 2) == "20"))
        return false;
    return digits.substr(digits.size() - 2) != "00";
}

[[nodiscard]] inline profiled_word profiled(std::string_view word) noexcept {
    profiled_word out;
    auto const keeps = [](char c) { return is_letter(c) || is_digit(c); };
    bool numbered = false; // "#12": the number of something
    while (!word.empty() && !keeps(word.front())) {
        numbered = word.front() == '#' || (numbered && word.front() == '-');
        word.remove_prefix(1);
    }
    while (!word.empty() && !keeps(word.back())) word.remove_suffix(1);
    out.text = word;
    if (word.empty()) return out;
    std::size_t digits = 0;
    std::size_t uppers = 0;
    std::size_t letters = 0;
    for (std::size_t i = 0; i < word.size(); ++i) {
        digits += is_digit(word[i]) ? 1u : 0u;
        uppers += is_upper(word[i]) ? 1u : 0u;
        letters += is_letter(word[i]) ? 1u : 0u;
        // Not "e.g." and "and/or".
        auto const inner = i > 0 && i + 1 < word.size();
        auto const sign = word[i] == '_' || word[i] == ':' || word[i] == '#'
                          || (word[i] == '.' && word.size() > 3) || word[i] == '/';
        auto const choice = word[i] == '/' && word.find('/') == word.rfind('/')
                            && word.find_first_not_of("abcdefghijklmnopqrstuvwxyz/") == word.npos;
        if (inner && sign && !choice) out.identifier = true;
        if (i > 0 && is_upper(word[i]) && is_lower(word[i - 1])) out.identifier = true;
    }
    out.code = digits == word.size() ? numbered || names_something(word) : digits > 0;
    out.acronym = uppers >= 2 && uppers == letters && digits == 0;
    // "I'm" is no name.
    out.capital = begins_with_capital(word) && uppers <= 1 && digits == 0 && letters > 1
                  && !(word[0] == 'I' && !is_letter(word[1]))
                  && word.substr(0, 4) != "I\xE2\x80\x99";
    return out;
}

[[nodiscard]] inline std::vector<profiled_word> words_of(std::string_view text) {
    std::vector<profiled_word> out;
    bool stopped = true;
    for (std::size_t begin = 0; begin < text.size();) {
        auto const end = (std::min)(text.find_first_of(" \t\r\n", begin), text.size());
        auto const raw = text.substr(begin, end - begin);
        begin = end + 1;
        auto word = profiled(raw);
        word.after_a_stop = stopped;
        if (!raw.empty()) stopped = std::string_view(".?!:").find(raw.back()) != raw.npos;
        if (!word.text.empty()) out.push_back(word);
    }
    return out;
}

[[nodiscard]] inline bool has_quotation(std::string_view text) noexcept {
    if (std::count(text.begin(), text.end(), '"') >= 2
        || std::count(text.begin(), text.end(), '`') >= 2)
        return true;
    return text.find("\xE2\x80\x9C") != text.npos || text.find("\xE2\x80\x9E") != text.npos
           || text.find("\xC2\xAB") != text.npos; // “ „ «
}

// A proper name: a capitalised word inside a sentence. German capitalises every noun: there only
// two such words in a row are a name. A title of nothing but capitalised words shows nothing.
[[nodiscard]] inline bool has_name(std::span<profiled_word const> words, bool nouns_have_capitals) {
    bool any_small = false;
    for (auto const& w : words) any_small = any_small || is_lower(w.text[0]);
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i].acronym) return true;
        if (!words[i].capital || words[i].after_a_stop || !any_small) continue;
        if (!nouns_have_capitals) return true;
        if (i > 0 && words[i - 1].capital && !words[i - 1].after_a_stop) return true;
    }
    return false;
}

[[nodiscard]] inline std::string lower_ascii(std::string_view text) {
    std::string out(text);
    for (auto& c : out) c = is_upper(c) ? static_cast<char>(c + 32) : c;
    return out;
}

struct language_words {
    std::string_view name;
    std::string_view words; ///< between spaces
};

inline constexpr std::array<language_words, 6> languages{{
    {"en", " the of and to in is how what does for with which are can do why "},
    {"de", " der die das und ist wie was ein eine nicht mit für von werden kann ich "},
    {"fr", " le la les des et est une comment que pour dans qui du pas je "},
    {"es", " el los las y es una cómo qué para en por con del se un "},
    {"it", " il gli e è una come che per di con del non si sono "},
    {"nl", " de het een en is hoe wat voor niet met van kan ik op "},
}};

} // namespace detail

TRAWL_INLINE query_profile profile_of(
    std::span<std::string_view const> queries, function_ref<bool(std::string_view)> is_rare) {
    query_profile out{.queries = queries.size()};
    std::array<std::size_t, detail::languages.size()> votes{};
    for (auto const text : queries) {
        for (auto const& word : detail::words_of(text)) {
            auto const wanted = detail::join(" ", detail::lower_ascii(word.text), " ");
            for (std::size_t l = 0; l < votes.size(); ++l) {
                votes[l] +=
                    detail::languages[l].words.find(wanted) != std::string_view::npos ? 1u : 0u;
            }
        }
    }
    auto const most = std::max_element(votes.begin(), votes.end());
    if (*most > 0 && std::count(votes.begin(), votes.end(), *most) == 1)
        out.language = detail::languages[static_cast<std::size_t>(most - votes.begin())].name;

    for (auto const text : queries) {
        auto const words = detail::words_of(text);
        bool identifier = false;
        bool code = false;
        bool rare = false;
        for (auto const& word : words) {
            identifier = identifier || word.identifier;
            code = code || word.code;
            rare = rare || is_rare(word.text);
        }
        auto const name = detail::has_name(words, out.language == "de");
        auto const quoted = detail::has_quotation(text);
        auto const exact = identifier || code || name || quoted;
        out.identifiers += identifier ? 1u : 0u;
        out.codes += code ? 1u : 0u;
        out.names += name ? 1u : 0u;
        out.quoted += quoted ? 1u : 0u;
        out.exact += exact ? 1u : 0u;
        out.rare += rare ? 1u : 0u;
        out.vague += !exact && !rare && words.size() <= 2 ? 1u : 0u;
        out.words += static_cast<double>(words.size());
    }
    if (queries.empty()) return out;
    auto const n = static_cast<double>(queries.size());
    for (auto* const share : {&out.identifiers, &out.codes, &out.names, &out.quoted, &out.rare,
             &out.exact, &out.vague, &out.words}) {
        *share /= n;
    }
    return out;
}

TRAWL_INLINE query_profile profile_of(std::span<std::string_view const> queries) {
    return profile_of(queries, [](std::string_view) { return false; });
}

namespace detail {

// What the texts and the results suggest beside the queries; each with the figure that it follows
// from.
inline void add_symptoms(
    std::vector<std::string>& out, query_profile const& profile, profile_evidence const& measured) {
    auto const both = measured.lexical && measured.dense;
    if (measured.texts == text_kind::reference && !(both && *measured.lexical < *measured.dense)) {
        out.push_back("The texts are reference works: give BM25 more weight than the dense arm.");
    }
    if (measured.texts == text_kind::dialogue && !(both && *measured.dense < *measured.lexical)) {
        out.push_back(
            "The texts are dialogue: give the dense arm as much weight as BM25, or more.");
    }
    if (measured.found && measured.first && *measured.found - *measured.first >= 0.1) {
        out.push_back(join("The right documents are there in the wrong order (",
            percent_text(*measured.found), " of the queries have an answer among the candidates, ",
            percent_text(*measured.first), " among the first hits): rerank."));
    }
    if (measured.repetition && *measured.repetition >= 0.2) {
        out.push_back(join(
            percent_text(*measured.repetition), " of the first hits repeat one before them: MMR."));
    }
    if (profile.queries > 0 && profile.vague >= 0.2) {
        out.push_back(join(percent_text(profile.vague),
            " of the queries are vague, two words at most: rewrite these, and only these."));
    }
}

// The arms that were measured, or those that the profile suggests.
[[nodiscard]] inline std::string arms_sentence(
    query_profile const& profile, profile_evidence const& measured) {
    // A share such as 6 of 20 is compared as a count.
    auto const n = static_cast<double>(profile.queries);
    auto const plain = 1 - profile.exact;
    auto const mostly_plain = plain * n >= 0.8 * n - 1e-9;
    auto const out = mostly_plain
                         ? percent_text(plain) + " of the queries are plain language"
                         : percent_text(profile.exact) + " of the queries name something exact";
    std::string figures;
    auto const figure = [&](std::string_view name, double mean) {
        figures += join(figures.empty() ? "" : ", ", name, " ", fixed_text(mean, 4));
    };
    if (measured.lexical) figure("BM25", *measured.lexical);
    if (measured.dense) figure("dense", *measured.dense);
    if (measured.fused) figure("fused by " + measured.fusion, *measured.fused);
    for (auto const& [name, mean] : measured.systems) figure(name, mean);
    auto const end = figures.empty() ? std::string(" Not measured yet.")
                                     : join(" Measured, ", measured.measure, ": ", figures, ".");
    if (measured.lexical && measured.dense && measured.fused) {
        auto const best = (std::max)(*measured.lexical, *measured.dense);
        auto const* const arm =
            *measured.lexical > *measured.dense ? "BM25 alone" : "the dense arm alone";
        if (*measured.fused > best) {
            return join(out, ", and BM25 and the dense arm, fused by ", measured.fusion,
                ", are better than either alone: keep both.", end);
        }
        return join(out, ", but ", arm, " is no worse than both fused by ", measured.fusion,
            ": use it alone, or tune the fusion.", end);
    }
    if (mostly_plain) return join(out, ": the dense arm alone may do.", end);
    if (profile.exact * n >= 0.3 * n - 1e-9)
        return join(out, ": try BM25 beside the dense arm, and measure their fusion.", end);
    return join(out, ": only measuring decides whether BM25 helps.", end);
}

} // namespace detail

TRAWL_INLINE std::vector<std::string> suggestions(
    query_profile const& profile, profile_evidence const& measured) {
    std::vector<std::string> out;
    if (profile.queries < 20) {
        out.push_back(detail::join("There are ", profile.queries,
            " queries; about twenty real ones are needed for a profile."));
    }
    detail::add_symptoms(out, profile, measured);
    if (profile.queries > 0) out.push_back(detail::arms_sentence(profile, measured));
    return out;
}

TRAWL_INLINE table to_table(query_profile const& p, profile_evidence const& measured) {
    table out{.title = "Queries", .columns = {"", "value"}, .notes = suggestions(p, measured)};
    out.add({"queries", p.queries});
    out.add({"exact", p.exact});
    out.add({"  identifiers", p.identifiers});
    out.add({"  codes", p.codes});
    out.add({"  names", p.names});
    out.add({"  quotations", p.quoted});
    out.add({"with a rare word", p.rare});
    out.add({"vague", p.vague});
    out.add({"words, mean", {p.words, 1}});
    out.add({"language", p.language.empty() ? "unknown" : p.language});
    return out;
}

TRAWL_END_NAMESPACE
