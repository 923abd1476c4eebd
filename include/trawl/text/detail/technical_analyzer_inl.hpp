// SPDX-License-Identifier: MIT
#pragma once

/// Body of technical_analyzer.hpp.

#include <trawl/text/analyzers/technical_analyzer.hpp>

#include <cstdint>
#include <string_view>

#include <trawl/text/detail/identifier.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct technical_rules {
    static char_class kind(folded_character const& c) noexcept {
        switch (c.kind) {
        case char_class::letter:
        case char_class::digit:
            return ascii(c.text) ? c.kind : char_class::separator;
        case char_class::joiner:
            return c.text == ":"   ? char_class::separator
                   : c.text == "#" ? char_class::sharp
                                   : char_class::joiner;
        case char_class::ignored:
        case char_class::plus:
            return c.kind;
        default:
            return char_class::separator;
        }
    }

    static bool ascii(std::string_view text) noexcept {
        for (char const c : text) {
            if (!identifier::is_alphanumeric(c)) return false;
        }
        return true;
    }
};

} // namespace detail

TRAWL_INLINE void technical_analyzer::analyze(std::string_view text, token_sink sink) const {
    std::uint32_t position = 0;
    detail::split<detail::technical_rules>(
        text, [&](detail::identifier const& found) { sink(found.whole(position++)); });
}

TRAWL_END_NAMESPACE
