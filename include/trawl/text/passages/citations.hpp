// SPDX-License-Identifier: MIT
#pragma once

/// What an answer's citations show, and what they do not; and which part failed when an answer is
/// wrong.

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/filter.hpp>
#include <trawl/core/words.hpp>
#include <trawl/error.hpp>
#include <trawl/text/detail/sentence.hpp>
#include <trawl/text/passages/context.hpp>

TRAWL_BEGIN_NAMESPACE

/// Holds for every report, however clean.
inline constexpr std::string_view citation_caveat =
    "A cited id shows which passage the answer names, not that the passage says so: read it.";

/// Keys, each once. A citation is what stands in square brackets without white space; several may
/// share brackets, with commas or semicolons between. What a ( follows is a link, no citation.
struct citation_report {
    /// passages of the context, in the order of first citation
    std::vector<std::string> cited = {};
    std::vector<std::string> invented = {};       ///< cited, but not in the context
    std::vector<std::string> outside_filter = {}; ///< cited and in the context, but not eligible
    /// not eligible and in the context, though not cited: what the model read, it may have used
    std::vector<std::string> ineligible_uncited = {};
    /// sentences that state something and cite nothing
    std::vector<std::string> without_citation = {};
    /// the answer says that the context does not hold it
    bool abstains = false;
};

namespace detail {

inline void add_once(std::vector<std::string>& keys, std::string_view key) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.emplace_back(key);
}

// The keys of the citation that a text begins with, and how many bytes it takes; no keys if there
// is none.
struct citation {
    std::vector<std::string_view> keys = {};
    std::size_t size = 0;
};

[[nodiscard]] inline citation citation_at(std::string_view text) {
    citation out;
    auto const close = text.find(']');
    if (text.substr(0, 1) != "[" || close == std::string_view::npos
        || text.substr(close + 1, 1) == "(")
        return {};
    auto inside = text.substr(1, close - 1);
    while (!inside.empty()) {
        auto const end = (std::min)(inside.find_first_of(",;"), inside.size());
        auto const key = trimmed(inside.substr(0, end));
        if (key.find_first_of(" \t\r\n\f\v[") != std::string_view::npos) return {};
        if (!key.empty()) out.keys.push_back(key);
        inside.remove_prefix((std::min)(end + 1, inside.size()));
    }
    if (!out.keys.empty()) out.size = close + 1;
    return out;
}

[[nodiscard]] inline bool has_word(std::string_view text) noexcept {
    return std::any_of(text.begin(), text.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')
               || (static_cast<unsigned char>(c) & 0x80u) != 0;
    });
}

/// The sentences of a text, trimmed; a line's end ends one, too.
[[nodiscard]] inline std::vector<std::string_view> sentences(std::string_view text) {
    std::vector<std::string_view> out;
    for (std::size_t at = 0; at < text.size();) {
        auto const line = (std::min)(text.find('\n', at), text.size());
        while (at < line) {
            auto const end = past_sentence(text, at, line);
            if (auto const found = trimmed(text.substr(at, end - at)); !found.empty())
                out.push_back(found);
            at = end;
        }
        at = line + 1;
    }
    return out;
}

// Takes the citations out of a sentence; calls visit(key, leading), leading while no word has come
// before.
template <class Visit>
[[nodiscard]] std::string without_citations(std::string_view sentence, Visit&& visit) {
    std::string rest;
    while (!sentence.empty()) {
        auto const found = citation_at(sentence);
        bool const leading = !has_word(rest);
        for (auto const key : found.keys) visit(key, leading);
        if (found.size == 0) rest += sentence.front();
        sentence.remove_prefix((std::max)(found.size, std::size_t{1}));
    }
    return rest;
}

} // namespace detail

/// Compares an answer with the context that it was made from. A citation covers the sentence that
/// it stands in; one that stands before the first word of a sentence covers the sentence before, if
/// that has none.
/// @param eligible  what may be cited, the filter of the search
/// @par Complexity O(bytes of the answer), and O(passages) for each citation.
[[nodiscard]] inline citation_report check_citations(
    std::string_view answer, context const& given, filter eligible = {}) {
    citation_report out;
    auto const note = [&](std::string_view key) {
        auto const at = std::find_if(given.passages.begin(), given.passages.end(),
            [key](passage const& p) { return p.key == key; });
        if (at == given.passages.end()) return detail::add_once(out.invented, key);
        detail::add_once(out.cited, key);
        if (!eligible.admits(at->id)) detail::add_once(out.outside_filter, key);
    };
    bool open = false; // the sentence before has no citation yet
    for (auto const sentence : detail::sentences(answer)) {
        bool cites = false;
        auto const said =
            detail::without_citations(sentence, [&](std::string_view key, bool leading) {
                note(key);
                if (leading && open) {
                    out.without_citation.pop_back();
                    open = false;
                } else {
                    cites = true;
                }
            });
        if (said.find(no_answer) != std::string::npos) {
            out.abstains = true;
            open = false;
        } else if (detail::has_word(said)) {
            open = !cites;
            if (open) out.without_citation.emplace_back(sentence);
        }
    }
    for (auto const& p : given.passages) {
        bool const cited = std::find(out.cited.begin(), out.cited.end(), p.key) != out.cited.end();
        if (!cited && !eligible.admits(p.id)) detail::add_once(out.ineligible_uncited, p.key);
    }
    return out;
}

/// Lines for people, the caveat last.
[[nodiscard]] inline std::string to_text(citation_report const& report) {
    std::string out;
    auto const line = [&](std::string_view what, std::vector<std::string> const& items) {
        out += detail::join(what, ": ");
        if (items.empty()) out += "none";
        for (std::size_t i = 0; i < items.size(); ++i)
            out += detail::join(i == 0 ? "" : ", ", items[i]);
        out += '\n';
    };
    line("cited", report.cited);
    line("invented ids", report.invented);
    line("cited but outside the filter", report.outside_filter);
    line("ineligible in the context, though uncited", report.ineligible_uncited);
    line("statements without a citation", report.without_citation);
    if (report.abstains) out += "the answer says that the context does not hold it\n";
    return out + detail::join(citation_caveat, "\n");
}

/// Where a wrong answer went wrong: each kind is mended in another place.
enum class failure_kind : unsigned char {
    none, ///< the answer is right
    /// no arm found an answering document: other words, another arm, a larger window
    not_found,
    ranked_too_low, ///< found, but below what the context took: fusion, reranking
    ineligible,     ///< the answer rests on a document outside the filter: filter inside the arms
    wrong_answer,   ///< the right passage was there: the model, or its instruction
};

/// "not found", …
[[nodiscard]] constexpr std::string_view name_of(failure_kind kind) noexcept {
    constexpr std::string_view names[] = {"none", "not found", "ranked too low", "ineligible",
        "answered wrongly from the right context"};
    return names[static_cast<std::size_t>(kind)];
}

/// The first of the kinds that explains a wrong answer: a cited document outside the filter, then
/// the right passage in the context, then in the ranking.
/// @param found   the whole ranking that the context was taken from
/// @param answering  the documents that hold the answer
/// @param is_right   whether somebody judged the answer right
/// @par Complexity O(hits * answering).
[[nodiscard]] inline failure_kind diagnose(std::span<hit const> found, context const& given,
    citation_report const& report, std::span<doc_id const> answering, bool is_right) {
    auto const answers = [&](auto const& item) {
        return std::find(answering.begin(), answering.end(), item.id) != answering.end();
    };
    if (is_right) return failure_kind::none;
    if (!report.outside_filter.empty()) return failure_kind::ineligible;
    if (std::any_of(given.passages.begin(), given.passages.end(), answers))
        return failure_kind::wrong_answer;
    return std::any_of(found.begin(), found.end(), answers) ? failure_kind::ranked_too_low
                                                            : failure_kind::not_found;
}

TRAWL_END_NAMESPACE
