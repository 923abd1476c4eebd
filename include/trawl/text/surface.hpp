// SPDX-License-Identifier: MIT
#pragma once

/// Surface forms: words as they were written, beside the terms that an analyzer makes of them.

#include <string>
#include <string_view>
#include <type_traits>

#include <trawl/core/concepts.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE

/// A word of a text. The surface is folded (case, accents) but neither stemmed nor removed as a
/// stop word; empty if the token did not stand in the text (a synonym). The token's term is empty if
/// the analyzer drops the word.
struct surface_token {
    std::string_view surface = {};
    token indexed = {};
};

using surface_sink = function_ref<void(surface_token const&)>;

/// Passes each word of a text to sink, those that the analyzer drops too. The words that it keeps
/// are the tokens of a.analyze(text), in the same order. An analyzer that stems or drops words
/// offers this as a member analyze_surface; the surface of any other is the term.
template <analyzer A>
void analyze_surface(A const& a, std::string_view text, surface_sink sink) {
    if constexpr (requires { a.analyze_surface(text, sink); }) {
        a.analyze_surface(text, sink);
    } else {
        a.analyze(text, [&](token const& t) { sink({t.term, t}); });
    }
}

/// Whether a token filter stems or drops words, so that surfaces bypass it. Such a filter declares
/// `static constexpr bool reduces_words = true`.
template <class Filter>
inline constexpr bool reduces_words = requires { requires Filter::reduces_words; };

namespace detail {

/// Passes each word of the base to sink: its surface through fold(term), its term through
/// reduce(term), too.
template <class Base, class Fold, class Reduce>
void filter_surfaces(Base const& base, std::string_view text, surface_sink sink, Fold const& fold,
    Reduce const& reduce) {
    std::string surface;
    std::string term;
    analyze_surface(base, text, [&](surface_token const& t) {
        surface.assign(t.surface);
        if (!surface.empty() && !fold(surface)) surface.clear();
        term.assign(t.indexed.term);
        if (!term.empty() && !(fold(term) && reduce(term))) term.clear();
        if (surface.empty() && term.empty()) return;
        sink({surface, {term, t.indexed.position, t.indexed.begin, t.indexed.end}});
    });
}

} // namespace detail
TRAWL_END_NAMESPACE
