// SPDX-License-Identifier: MIT
#pragma once

/// Shows a person where a text matches a lexical_query.

#include <concepts>
#include <string_view>

#include <trawl/core/concepts.hpp>
#include <trawl/lexical/detail/analyzer_ref.hpp>
#include <trawl/lexical/lexical_query.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>
#include <trawl/text/passages/highlight.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] highlighted_passage highlight_lexical(std::string_view text, lexical_query const& q,
    analyzer_ref analyze, std::string_view field, highlight_options const& options);

} // namespace detail

/// Cuts the passage that is most relevant to a structured query out of a text and marks its
/// matches, as highlight does for a plain query (trawl/text/passages/highlight.hpp).
///
///     auto const q = parse_query("+\"dead lock\" mon* -printer");
///     highlight(text, q, english_analyzer{}).text     // <b>dead lock</b> … <b>money</b>
///
/// Marked are the words of `words` and `every`; the words that a prefix or a fuzzy word matches; of
/// a phrase only the places where it occurs, each as one mark, or with a slop word by word. Nothing
/// below a `must_not` is marked. Each distinct term, pattern or phrase has the weight of its query,
/// times the weights above it. Whether the text as a whole matches the query is not checked.
/// @param a  the analyzer of the index.
/// @param field  the name of the field that the text is of: queries restricted to another field are
/// ignored. Empty: fields are disregarded.
/// @throws trawl::error (invalid_argument, not_finite) for a weight that is not a number >= 0, a
/// fuzzy word whose edits are not 1 or 2, a query nested too deep, or a text too long for the
/// analyzer.
/// @par Complexity O(n + t p + o w + m log m) besides the analysis, for n bytes, t tokens, p
/// patterns, m matches, and o occurrences of the words of a phrase of w words; O(t) memory.
template <std::same_as<lexical_query> Query, analyzer A = standard_analyzer>
[[nodiscard]] highlighted_passage highlight(std::string_view text, Query const& q, A const& a = {},
    highlight_options const& options = {}, std::string_view field = {}) {
    return detail::highlight_lexical(text, q, detail::analyzer_ref(a), field, options);
}

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/lexical/detail/highlight_inl.hpp>
#endif
