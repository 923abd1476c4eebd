// SPDX-License-Identifier: MIT
#pragma once

/// Shows a person where a text answers a query: marks the matches and cuts the best passage. For
/// structured queries (phrases, prefixes, exclusions) include trawl/lexical/highlight.hpp.

#include <string_view>

#include <trawl/core/concepts.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/core/words.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>
#include <trawl/text/passages/passage_finder.hpp>

TRAWL_BEGIN_NAMESPACE

namespace detail {

[[nodiscard]] highlighted_passage highlight_query(std::string_view text, query const& q,
    function_ref<void(std::string_view, token_sink)> analyze, highlight_options const& options);

} // namespace detail

/// Cuts the passage that is most relevant to a query out of a text and marks its matches.
///
///     highlight(text, {.text = "refund"}, english_analyzer{}, {.before = "**", .after = "**"}).text
///
/// A match is a token of the text whose term is one of the query's terms. Matches that overlap or
/// touch are marked as one. Where a script has no blanks between words, query texts are analysed
/// into overlapping pairs of characters; a single character is marked only if it was asked for
/// alone.
///
/// The passage contains the matches within `options.length` bytes whose distinct terms have the
/// highest total weight; among equals, the one with more matches, then the first. It is extended to
/// whole sentences as far as they fit, else to whole words, and never cuts a character. Without a
/// match it is the beginning of the text. Marks and text are copied verbatim: for HTML, mark with
/// bytes that the text cannot contain, escape the result, then replace them.
/// @param q  q.terms, as the analyzer gives them, if there are any, else q.text. A term of the text
/// has weight 1 for each time that it is repeated.
/// @param a  the analyzer of the index.
/// @throws trawl::error (invalid_argument) if a weight is not finite, or if a text is too long for
/// the analyzer.
/// @par Complexity O(n + m log m) besides the analysis, for n bytes and m matches, and O(m) memory.
template <analyzer A = standard_analyzer>
[[nodiscard]] highlighted_passage highlight(
    std::string_view text, query const& q, A const& a = {}, highlight_options const& options = {}) {
    auto const analyze = [&a](std::string_view of, token_sink sink) { a.analyze(of, sink); };
    return detail::highlight_query(text, q, analyze, options);
}

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/text/detail/highlight_inl.hpp>
#endif
