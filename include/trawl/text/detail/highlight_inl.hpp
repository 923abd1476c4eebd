// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of highlight.hpp.

#include <trawl/text/passages/highlight.hpp>

#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/text/passages/passage_finder.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Passes the tokens of a query's text to sink, but for single characters of scripts without blanks
/// that are only a part of another token.
TRAWL_INLINE void analyze_asked(std::string_view text,
    function_ref<void(std::string_view, token_sink)> analyze, token_sink sink) {
    std::size_t covered = 0; // up to here the text is in tokens of more than a character
    std::size_t from = 0;    // of the last of them
    analyze(text, [&](token const& t) {
        if (!is_unspaced_character(t.term)) {
            from = t.begin;
            covered = t.end;
        } else if (t.begin >= from && t.end <= covered) {
            return;
        }
        sink(t);
    });
}

TRAWL_INLINE highlighted_passage highlight_query(std::string_view text, query const& q,
    function_ref<void(std::string_view, token_sink)> analyze, highlight_options const& options) {
    std::unordered_map<std::string, std::size_t> terms; // numbers of weights
    std::vector<double> weights;
    auto const ask = [&](std::string_view term, double weight) {
        auto const [place, is_new] = terms.try_emplace(std::string(term), weights.size());
        if (is_new) weights.push_back(0);
        weights[place->second] += weight;
    };
    for (auto const& [term, weight] : q.terms) {
        if (!is_finite(weight)) {
            fail(errc::invalid_argument,
                join("highlight: the weight of '", term, "' must be finite, is ", weight));
        }
        ask(term, weight);
    }
    if (q.terms.empty()) analyze_asked(q.text, analyze, [&](token const& t) { ask(t.term, 1); });
    std::vector<text_match> matches;
    std::string term;
    analyze(text, [&](token const& t) {
        term.assign(t.term);
        auto const found = terms.find(term);
        if (found != terms.end()) matches.push_back({t.begin, t.end, found->second});
    });
    return passage_finder(text, std::move(matches), weights).passage(options);
}

} // namespace detail
TRAWL_END_NAMESPACE
