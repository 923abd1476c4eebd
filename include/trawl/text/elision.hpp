// SPDX-License-Identifier: MIT
#pragma once

/// Elided articles: l'avion is about an avion.

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include <trawl/text/token_filter.hpp>

TRAWL_BEGIN_NAMESPACE

/// Takes an article and its apostrophe (' or ’) off the beginning of a word. Copies share the list
/// of articles.
class elision {
public:
    /// Articles without their apostrophe, folded here; a term may be written in capitals.
    elision(std::initializer_list<std::string_view> articles) : others_(articles) {}

    /// aujourd'hui and presqu'île stay whole: their beginnings are in no list.
    [[nodiscard]] static elision french() {
        return {
            "l", "m", "t", "qu", "n", "s", "j", "d", "c", "jusqu", "quoiqu", "lorsqu", "puisqu"};
    }
    [[nodiscard]] static elision italian() {
        return {"c", "l", "all", "dall", "dell", "nell", "sull", "coll", "pell", "gl", "agl",
            "dagl", "degl", "negl", "sugl", "un", "m", "t", "s", "v", "d"};
    }

    bool operator()(std::string& term) const {
        std::string_view const word = term;
        auto const ascii = word.find('\'');
        auto const curly = word.find("\xE2\x80\x99");
        if (ascii == curly) return true; // neither
        auto article = folded(word.substr(0, (std::min)(ascii, curly)));
        if (!others_(article)) term.erase(0, ascii < curly ? ascii + 1 : curly + 3);
        return true;
    }

private:
    stop_words others_; // lets through what is no article
};

static_assert(token_filter<elision>);

TRAWL_END_NAMESPACE
