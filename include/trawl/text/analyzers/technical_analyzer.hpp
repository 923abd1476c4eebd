// SPDX-License-Identifier: MIT
#pragma once

/// For collections of codes and paths where only the exact name counts.

#include <algorithm>
#include <cstdint>
#include <string_view>

#include <trawl/core/concepts.hpp>
#include <trawl/text/detail/identifier.hpp>

TRAWL_BEGIN_NAMESPACE

/// Folds case and accents, then takes `[a-z0-9]+(?:[._/-][a-z0-9]+)*`: identifiers are one token,
/// whole.
///
///     GET /api/v3/cursors   get | api/v3/cursors
///     #8821, PROD-4817      8821 | prod-4817
///
/// Letters outside ASCII after folding separate. A term has at most 255 bytes; what is longer is
/// cut into several. Thread-safe; allocates nothing. O(n).
class technical_analyzer {
public:
    /// Hands the tokens of a text (UTF-8; any bytes are allowed) to sink.
    /// @throws trawl::error (invalid_argument) if the text has 4 GiB or more.
    void analyze(std::string_view text, token_sink sink) const {
        std::uint32_t position = 0;
        detail::split<rules>(
            text, [&](detail::identifier const& found) { sink(found.whole(position++)); });
    }

private:
    struct rules {
        static detail::char_class kind(detail::folded_character const& c) noexcept {
            using detail::char_class;
            switch (c.kind) {
            case char_class::letter:
            case char_class::digit:
                return ascii(c.text) ? c.kind : char_class::separator;
            case char_class::joiner:
                return c.text == ":" || c.text == "#" ? char_class::separator : char_class::joiner;
            case char_class::ignored:
                return char_class::ignored;
            default:
                return char_class::separator;
            }
        }

        static bool ascii(std::string_view text) noexcept {
            return std::all_of(text.begin(), text.end(),
                [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
        }
    };
};

static_assert(analyzer<technical_analyzer>);

TRAWL_END_NAMESPACE
