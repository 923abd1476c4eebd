// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of error.hpp.

#include <trawl/error.hpp>

#include <charconv>
#include <cstdlib>
#include <string>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE void append_text(std::string& out, text_or_number const& item) {
    char buffer[64];
    auto const number = [&](auto value) {
        out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
    };
    switch (item.kind_) {
    case text_or_number::kind::text:
        out.append(item.text_);
        return;
    case text_or_number::kind::character:
        out.push_back(item.character_);
        return;
    case text_or_number::kind::whole:
        return number(item.whole_);
    case text_or_number::kind::natural:
        return number(item.natural_);
    case text_or_number::kind::single:
        return number(item.single_);
    case text_or_number::kind::real:
        return number(item.real_);
    }
}

TRAWL_INLINE std::string join(text_or_number const& a, text_or_number const& b,
    text_or_number const& c, text_or_number const& d, text_or_number const& e,
    text_or_number const& f, text_or_number const& g, text_or_number const& h,
    text_or_number const& i, text_or_number const& j, text_or_number const& k,
    text_or_number const& l, text_or_number const& m, text_or_number const& n,
    text_or_number const& o, text_or_number const& p) {
    std::string out;
    for (auto const* const item : {&a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n, &o, &p})
        append_text(out, *item);
    return out;
}

TRAWL_INLINE void fail(errc code, std::string const& text) {
#if TRAWL_HAS_EXCEPTIONS
    throw error(code, text);
#else
    static_cast<void>(code);
    static_cast<void>(text);
    TRAWL_ON_ERROR(text.c_str());
    ::std::abort();
#endif
}

} // namespace detail
TRAWL_END_NAMESPACE
