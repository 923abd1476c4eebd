// SPDX-License-Identifier: MIT
#pragma once

/// Where sentences end.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <trawl/text/detail/blanks.hpp>
#include <trawl/text/detail/unicode.hpp>
#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The first byte in [at, end) that begins no blank; blanks are those of ASCII, NBSP and U+3000.
[[nodiscard]] inline std::size_t past_blanks(
    std::string_view text, std::size_t at, std::size_t end) noexcept {
    while (at < end) {
        auto const rest = text.substr(at, end - at);
        if (blanks.find(rest.front()) != blanks.npos) {
            ++at;
        } else if (rest.starts_with("\xC2\xA0")) {
            at += 2;
        } else if (rest.starts_with("\xE3\x80\x80")) {
            at += 3;
        } else {
            break;
        }
    }
    return at;
}

/// The first byte after the sentence that begins at `at` and the blanks after it; `end` if it is the
/// last one. Marks outside ASCII (。 ！ । ۔ ؟ …, Unicode's Sentence_Terminal) end a sentence wherever
/// they stand, . ! ? before a blank that no small letter follows. Closing brackets and quotation
/// marks belong to the sentence before. O(bytes of the sentence).
[[nodiscard]] inline std::size_t past_sentence(
    std::string_view text, std::size_t at, std::size_t end) noexcept {
    constexpr std::string_view ascii_ends = ".!?";
    constexpr std::string_view ascii_closers = ".!?\"')]*_`";
    constexpr char32_t full_width_stop = 0xFF0E;
    text = text.substr(0, end);
    auto const marks_at = [&](std::size_t i, utf8_character& c) -> std::uint32_t {
        c = decode_utf8(text, i);
        return c.code < 0x80 ? 0 : value_in(sentence_marks, c.code);
    };
    utf8_character c;
    while (at < end) {
        auto wide = false;
        if (static_cast<unsigned char>(text[at]) < 0x80) {
            auto const ends = ascii_ends.find(text[at]) != ascii_ends.npos;
            ++at;
            if (!ends) continue;
        } else {
            wide = (marks_at(at, c) & 1) != 0;
            at += c.bytes == 0 ? 1 : c.bytes;
            if (!wide) continue;
            // ３．５
            if (c.code == full_width_stop && at < end
                && properties_of(decode_utf8(text, at).code).kind() == word_break::number)
                continue;
        }
        while (at < end) { // further marks, and what closes
            auto const marks = marks_at(at, c);
            if (c.code < 0x80 ? c.bytes == 0 || ascii_closers.find(text[at]) == ascii_closers.npos
                              : (marks & (wide ? 3 : 7)) == 0)
                break;
            wide = wide || (marks & 1) != 0;
            at += c.bytes;
        }
        auto const next = past_blanks(text, at, end);
        if (wide || (next > at && (next == end || text[next] < 'a' || text[next] > 'z')))
            return next;
    }
    return end;
}

} // namespace detail
TRAWL_END_NAMESPACE
