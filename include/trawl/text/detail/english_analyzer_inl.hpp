// SPDX-License-Identifier: MIT
#pragma once

/// Body of english_analyzer.hpp.

#include <trawl/text/analyzers/english_analyzer.hpp>

#include <string>
#include <string_view>

#include <trawl/text/analyzers/standard_analyzer.hpp>
#include <trawl/text/detail/filter_tokens.hpp>
#include <trawl/text/stemmers/porter_stemmer.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE english_analyzer::english_analyzer() : stop_words_(stop_words::english()) {}

TRAWL_INLINE void english_analyzer::analyze(std::string_view text, token_sink sink) const {
    detail::filter_tokens(standard_analyzer{}, text, sink, [this](std::string& term) {
        return possessive{}(term) && stop_words_(term) && porter_stemmer{}(term);
    });
}

TRAWL_INLINE void english_analyzer::analyze_surface(
    std::string_view text, surface_sink sink) const {
    detail::filter_surfaces(
        standard_analyzer{}, text, sink, [](std::string& term) { return possessive{}(term); },
        [this](std::string& term) { return stop_words_(term) && porter_stemmer{}(term); });
}

TRAWL_END_NAMESPACE
