// SPDX-License-Identifier: MIT
#pragma once

/// Rows of characters of one kind: how simple tokenizers find words.

#include <cstddef>
#include <string>
#include <string_view>

#include <trawl/text/detail/check_length.hpp>
#include <trawl/text/detail/unicode.hpp>
#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Calls visit(begin, end) for each longest row of characters that is_part(char32_t) takes. A byte
/// that is not UTF-8 is in none.
/// @throws trawl::error (invalid_argument) if the text has 4 GiB or more.
template <class IsPart, class Visit>
void for_each_run(std::string_view text, IsPart is_part, Visit&& visit) {
    check_length(text);
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size();) {
        auto const c = decode_utf8(text, at);
        auto const part = c.bytes != 0 && is_part(c.code);
        if (!part && begin < at) visit(begin, at);
        at += c.bytes == 0 ? 1 : c.bytes;
        if (!part) begin = at;
    }
    if (begin < text.size()) visit(begin, text.size());
}

/// Appends valid UTF-8 in lower case, character by character; İ becomes i and a dot above.
inline void append_lower(std::string_view text, std::string& out) {
    for (std::size_t at = 0; at < text.size();) {
        auto const c = decode_utf8(text, at);
        append_utf8(lower(c.code), out);
        if (c.code == 0x130) append_utf8(0x307, out);
        at += c.bytes;
    }
}

} // namespace detail
TRAWL_END_NAMESPACE
