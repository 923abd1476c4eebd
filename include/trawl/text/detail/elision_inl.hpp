// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of elision.hpp.

#include <trawl/text/elision.hpp>

#include <string>
#include <string_view>

#include <trawl/text/folding.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE elision elision::french() {
    return {"l", "m", "t", "qu", "n", "s", "j", "d", "c", "jusqu", "quoiqu", "lorsqu", "puisqu"};
}

TRAWL_INLINE elision elision::italian() {
    return {"c", "l", "all", "dall", "dell", "nell", "sull", "coll", "pell", "gl", "agl", "dagl",
        "degl", "negl", "sugl", "un", "m", "t", "s", "v", "d"};
}

TRAWL_INLINE bool elision::operator()(std::string& term) const {
    std::string_view const word = term;
    auto const ascii = word.find('\'');
    auto const curly = word.find("\xE2\x80\x99");
    if (ascii == curly) return true; // neither
    auto article = folded(word.substr(0, ascii < curly ? ascii : curly));
    if (!articles_(article)) term.erase(0, ascii < curly ? ascii + 1 : curly + 3);
    return true;
}

TRAWL_END_NAMESPACE
