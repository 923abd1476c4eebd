// SPDX-License-Identifier: MIT
#pragma once

/// Rewriting a question before anything else reads it, without losing what must be found to the
/// letter.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>

TRAWL_BEGIN_NAMESPACE

template <class R>
concept query_rewriter = requires(R const& r, query const& q) {
    /** The text to search for instead of q.text; empty: leave it. */
    { r(q) } -> std::convertible_to<std::string>;
};

struct rewrite_options {
    /// what must be kept and is lost is put back at the end; false: only reported
    bool protect = true;
};

/// What a rewriting must keep: words with a digit, identifiers (runs of letters or digits joined by
/// single . _ / - : #), and what stands in double quotes; views into the text, in order.
[[nodiscard]] inline std::vector<std::string_view> words_to_keep(std::string_view text) {
    std::vector<std::string_view> kept;
    auto const quoted = [&](std::string_view open, std::string_view close) {
        for (auto from = text.find(open); from != text.npos; from = text.find(open, from)) {
            from += open.size();
            auto const to = text.find(close, from);
            if (to == text.npos) return;
            if (to > from) kept.push_back(text.substr(from, to - from));
            from = to + close.size();
        }
    };
    quoted("\"", "\"");
    quoted("\xE2\x80\x9C", "\xE2\x80\x9D"); // “ ”
    auto const joins = [](char c) {
        return std::string_view("._/-:#").find(c) != std::string_view::npos;
    };
    auto const digit = [](char c) { return c >= '0' && c <= '9'; };
    standard_analyzer{}.analyze(text, [&](token const& t) {
        auto const word = text.substr(t.begin, t.end - t.begin);
        auto const within = [&](std::string_view whole) {
            return word.data() >= whole.data()
                   && word.data() + word.size() <= whole.data() + whole.size();
        };
        if (std::none_of(word.begin(), word.end(), joins)
            && std::none_of(word.begin(), word.end(), digit))
            return;
        if (std::none_of(kept.begin(), kept.end(), within)) kept.push_back(word);
    });
    std::stable_sort(kept.begin(), kept.end(),
        [](std::string_view a, std::string_view b) { return a.data() < b.data(); });
    return kept;
}

namespace detail {

/// A pipeline without .rewrite().
struct no_rewriter {};

template <class Held>
struct question_rewriter {
    Held rewrite;
    rewrite_options options;
};

// Whether all tokens of `part` come in `text` one after the other.
[[nodiscard]] inline bool holds(std::string_view text, std::string_view part) {
    auto const terms_of = [](std::string_view from) {
        std::vector<std::string> terms;
        standard_analyzer{}.analyze(from, [&](token const& t) { terms.emplace_back(t.term); });
        return terms;
    };
    auto const all = terms_of(text);
    auto const wanted = terms_of(part);
    return std::search(all.begin(), all.end(), wanted.begin(), wanted.end()) != all.end();
}

/// Puts back what the new text has lost, if asked to; says so in the notes either way.
inline void restore_lost(
    std::string_view before, std::string& after, bool protect, std::vector<std::string>& notes) {
    for (auto const word : words_to_keep(before)) {
        if (holds(after, word)) continue;
        notes.push_back(join("the rewriting lost '", word, protect ? "', put back" : "'"));
        if (protect) after.append(" ").append(word);
    }
}

} // namespace detail
TRAWL_END_NAMESPACE
