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

struct word_signs {
    bool identifier = false;
    bool code = false;
    bool name = false;
};

[[nodiscard]] constexpr bool is_letter(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
}
[[nodiscard]] constexpr bool is_upper(char c) noexcept { return c >= 'A' && c <= 'Z'; }
[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

// A word without the punctuation round it.
[[nodiscard]] inline std::string_view bare_word(std::string_view word) noexcept {
    auto const keeps = [](char c) { return is_letter(c) || is_digit(c); };
    while (!word.empty() && !keeps(word.front())) word.remove_prefix(1);
    while (!word.empty() && !keeps(word.back())) word.remove_suffix(1);
    return word;
}

[[nodiscard]] inline word_signs signs_of(std::string_view word) noexcept {
    std::size_t digits = 0;
    std::size_t uppers = 0;
    std::size_t letters = 0;
    word_signs out;
    for (std::size_t i = 0; i < word.size(); ++i) {
        digits += is_digit(word[i]) ? 1u : 0u;
        uppers += is_upper(word[i]) ? 1u : 0u;
        letters += is_letter(word[i]) ? 1u : 0u;
        auto const inner = i > 0 && i + 1 < word.size();
        if (inner && std::string_view("._/:#").find(word[i]) != std::string_view::npos)
            out.identifier = true;
        if (i > 0 && is_upper(word[i]) && word[i - 1] >= 'a' && word[i - 1] <= 'z')
            out.identifier = true;
    }
    // A number alone (a year, a count) is plain language.
    out.code = digits > 0 && digits < word.size();
    out.name = uppers >= 2 && uppers == letters && digits == 0;
    return out;
}

[[nodiscard]] inline bool has_quotation(std::string_view text) noexcept {
    if (std::count(text.begin(), text.end(), '"') >= 2
        || std::count(text.begin(), text.end(), '`') >= 2)
        return true;
    return text.find("\xE2\x80\x9C") != text.npos || text.find("\xE2\x80\x9E") != text.npos
           || text.find("\xC2\xAB") != text.npos; // “ „ «
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
    std::span<std::string_view const> questions, function_ref<bool(std::string_view)> is_rare) {
    query_profile out{.questions = questions.size()};
    std::array<std::size_t, detail::languages.size()> votes{};
    for (auto const text : questions) {
        bool identifier = false;
        bool code = false;
        bool name = false;
        bool rare = false;
        std::size_t words = 0;
        for (std::size_t begin = 0; begin < text.size();) {
            auto const end = (std::min)(text.find_first_of(" \t\r\n", begin), text.size());
            auto const word = detail::bare_word(text.substr(begin, end - begin));
            begin = end + 1;
            if (word.empty()) continue;
            ++words;
            auto const signs = detail::signs_of(word);
            identifier = identifier || signs.identifier;
            code = code || signs.code;
            name = name || signs.name;
            rare = rare || is_rare(word);
            auto const wanted = detail::join(" ", detail::lower_ascii(word), " ");
            for (std::size_t l = 0; l < votes.size(); ++l) {
                votes[l] +=
                    detail::languages[l].words.find(wanted) != std::string_view::npos ? 1u : 0u;
            }
        }
        auto const quoted = detail::has_quotation(text);
        out.identifiers += identifier ? 1u : 0u;
        out.codes += code ? 1u : 0u;
        out.names += name ? 1u : 0u;
        out.quoted += quoted ? 1u : 0u;
        out.rare += rare ? 1u : 0u;
        auto const exact = identifier || code || name || quoted || rare;
        out.exact += exact ? 1u : 0u;
        out.vague += !exact && words <= 2 ? 1u : 0u;
        out.words += static_cast<double>(words);
    }
    if (questions.empty()) return out;
    auto const n = static_cast<double>(questions.size());
    for (auto* const share : {&out.identifiers, &out.codes, &out.names, &out.quoted, &out.rare,
             &out.exact, &out.vague, &out.words}) {
        *share /= n;
    }
    auto const most = std::max_element(votes.begin(), votes.end());
    if (*most > 0 && std::count(votes.begin(), votes.end(), *most) == 1) {
        out.language = detail::languages[static_cast<std::size_t>(most - votes.begin())].name;
    }
    return out;
}

TRAWL_INLINE query_profile profile_of(std::span<std::string_view const> questions) {
    return profile_of(questions, [](std::string_view) { return false; });
}

namespace detail {

// What the texts and the results suggest beside the questions; each with the figure that it follows
// from.
inline void add_symptoms(
    std::vector<std::string>& out, query_profile const& profile, profile_evidence const& measured) {
    if (measured.texts == text_kind::reference) {
        out.push_back("The texts are reference works: give BM25 more weight than the dense arm.");
    }
    if (measured.texts == text_kind::dialogue) {
        out.push_back(
            "The texts are dialogue: give the dense arm as much weight as BM25, or more.");
    }
    if (measured.found && measured.first && *measured.found - *measured.first >= 0.1) {
        out.push_back(join("The right documents are there in the wrong order (",
            percent_text(*measured.found),
            " of the questions have an answer among the candidates, ",
            percent_text(*measured.first), " among the first hits): rerank."));
    }
    if (measured.repetition && *measured.repetition >= 0.2) {
        out.push_back(join(
            percent_text(*measured.repetition), " of the first hits repeat one before them: MMR."));
    }
    if (profile.questions > 0 && profile.vague >= 0.2) {
        out.push_back(join(percent_text(profile.vague),
            " of the questions are vague, two words at most: rewrite these, and only these."));
    }
}

} // namespace detail

TRAWL_INLINE std::vector<std::string> suggestions(
    query_profile const& profile, profile_evidence const& measured) {
    std::vector<std::string> out;
    if (profile.questions < 20) {
        out.push_back(detail::join("There are ", profile.questions,
            " questions; about twenty real ones are needed for a profile."));
    }
    detail::add_symptoms(out, profile, measured);
    auto const plain = 1 - profile.exact;
    std::string rule;
    // A share such as 6 of 20 is compared as a count.
    auto const n = static_cast<double>(profile.questions);
    if (profile.questions == 0) return out;
    if (profile.exact * n >= 0.3 * n - 1e-9) {
        rule = detail::percent_text(profile.exact)
               + " of the questions name something exact: BM25 beside the dense arm, fused by RRF.";
    } else if (plain * n >= 0.8 * n - 1e-9) {
        rule = detail::percent_text(plain)
               + " of the questions are plain language: the dense arm alone may do.";
    } else {
        rule =
            detail::percent_text(profile.exact)
            + " of the questions name something exact: only measuring decides whether BM25 helps.";
    }
    std::string evidence;
    for (auto const& [name, mean] : measured.systems) {
        evidence +=
            detail::join(evidence.empty() ? "" : ", ", name, " ", detail::fixed_text(mean, 4));
    }
    out.push_back(rule
                  + (evidence.empty() ? " Not measured yet."
                                      : " Measured, " + measured.measure + ": " + evidence + "."));
    return out;
}

TRAWL_INLINE table to_table(query_profile const& p, profile_evidence const& measured) {
    table out{.title = "Questions", .columns = {"", "value"}, .notes = suggestions(p, measured)};
    out.add({"questions", p.questions});
    out.add({"with something exact", p.exact});
    out.add({"  identifiers", p.identifiers});
    out.add({"  codes", p.codes});
    out.add({"  names in capitals", p.names});
    out.add({"  quotations", p.quoted});
    out.add({"  rare words", p.rare});
    out.add({"vague", p.vague});
    out.add({"words, mean", {p.words, 1}});
    out.add({"language", p.language.empty() ? "unknown" : p.language});
    return out;
}

TRAWL_END_NAMESPACE
