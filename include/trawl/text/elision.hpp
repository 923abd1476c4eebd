// SPDX-License-Identifier: MIT
#pragma once

/// Elided articles: the French l'avion is about an avion.

#include <initializer_list>
#include <string>
#include <string_view>

#include <trawl/text/token_filter.hpp>

TRAWL_BEGIN_NAMESPACE

/// Removes an article and its apostrophe (' or ’) from the beginning of a word. Copies share the list
/// of articles. O(length) for a term.
class elision {
public:
    /// @param articles  without their apostrophes, folded here; a term may be in capitals
    elision(std::initializer_list<std::string_view> articles) : articles_(articles) {}

    /// French articles. aujourd'hui and presqu'île stay whole: their beginnings are not in the list.
    [[nodiscard]] static elision french();
    [[nodiscard]] static elision italian();

    bool operator()(std::string& term) const;

private:
    stop_words articles_; // false for an article
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/text/detail/elision_inl.hpp>
#endif
