// SPDX-License-Identifier: MIT
#pragma once

/// Python's str.split(), which rank_bm25's users call.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <trawl/core/concepts.hpp>
#include <trawl/text/detail/character_runs.hpp>

TRAWL_BEGIN_NAMESPACE

/// What stands between blanks, as it is written and as long as it may be: for text that is analysed
/// already.
///
///     The cat, PROD-4817!    The | cat, | PROD-4817!
///
/// Thread-safe; allocates nothing. O(n).
class whitespace_analyzer {
public:
    /// Hands the tokens of a text (UTF-8; any bytes are allowed) to sink.
    /// @throws trawl::error (invalid_argument) if the text has 4 GiB or more.
    void analyze(std::string_view text, token_sink sink) const {
        detail::check_length(text);
        std::uint32_t position = 0;
        for (std::size_t at = 0; at < text.size();) {
            auto const begin = at;
            std::size_t blank = 0; // its bytes
            while (at < text.size()) {
                auto const c = detail::decode_utf8(text, at);
                if (c.bytes != 0 && is_blank(c.code)) {
                    blank = c.bytes;
                    break;
                }
                at += c.bytes == 0 ? 1 : c.bytes;
            }
            if (at > begin) {
                sink({text.substr(begin, at - begin), position++, static_cast<std::uint32_t>(begin),
                    static_cast<std::uint32_t>(at)});
            }
            at += blank;
        }
    }

private:
    static bool is_blank(char32_t c) noexcept {
        return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0
               || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029
               || c == 0x202F || c == 0x205F || c == 0x3000;
    }
};

static_assert(analyzer<whitespace_analyzer>);

TRAWL_END_NAMESPACE
