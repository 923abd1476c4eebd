// SPDX-License-Identifier: MIT
#pragma once

/// Unicode's word boundaries (UAX #29), to the letter: what the presets of other engines and
/// highlighting stand on.

#include <cstddef>
#include <string_view>

#include <trawl/text/detail/unicode.hpp>
#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Finds the boundaries of a text one after the other.
class word_breaks {
public:
    explicit word_breaks(std::string_view text) noexcept : text_(text) {}

    /// The first boundary after at, itself a boundary and < size(). A byte that is not UTF-8 stands
    /// alone.
    [[nodiscard]] std::size_t next(std::size_t at) const noexcept {
        auto here = look(at);
        auto raw = here.kind;            // of the character just before
        auto last = here.kind;           // the same, extending characters aside
        auto before = word_break::other; // last's predecessor in this word
        // if last is a regional indicator: whether an odd number stands in a row
        bool odd_indicators = true;
        for (auto i = at + here.bytes; i < text_.size();) {
            here = look(i);
            auto const kind = here.kind;
            auto const after = i + here.bytes;
            if (is_line_end(raw) || is_line_end(kind)) {
                if (raw != word_break::cr || kind != word_break::lf) return i;
            } else if (!(raw == word_break::zwj && here.pictographic)
                       && !(raw == word_break::blank && kind == word_break::blank) && !extends(kind)
                       && breaks(before, last, kind, after, odd_indicators)) {
                return i;
            }
            raw = kind;
            if (!extends(kind)) {
                odd_indicators = !(odd_indicators && last == word_break::regional_indicator);
                before = last;
                last = kind;
            }
            i = after;
        }
        return text_.size();
    }

private:
    struct character {
        word_break kind;
        bool pictographic;
        std::size_t bytes;
    };

    [[nodiscard]] character look(std::size_t at) const noexcept {
        auto const c = decode_utf8(text_, at);
        if (c.bytes == 0) return {word_break::other, false, 1};
        auto const known = properties_of(c.code);
        return {known.kind(), known.pictographic(), c.bytes};
    }

    // The first character at or after at that does not extend the one before it.
    [[nodiscard]] word_break following(std::size_t at) const noexcept {
        while (at < text_.size()) {
            auto const c = look(at);
            if (!extends(c.kind)) return c.kind;
            at += c.bytes;
        }
        return word_break::other;
    }

    [[nodiscard]] static bool is_line_end(word_break k) noexcept {
        return k == word_break::cr || k == word_break::lf || k == word_break::newline;
    }
    [[nodiscard]] static bool extends(word_break k) noexcept {
        return k == word_break::extend || k == word_break::zwj || k == word_break::format;
    }
    [[nodiscard]] static bool is_letter(word_break k) noexcept {
        return k == word_break::letter || k == word_break::hebrew_letter;
    }
    [[nodiscard]] static bool mid_letters(word_break k) noexcept {
        return k == word_break::mid_letter || k == word_break::mid_both
               || k == word_break::single_quote;
    }
    [[nodiscard]] static bool mid_numbers(word_break k) noexcept {
        return k == word_break::mid_number || k == word_break::mid_both
               || k == word_break::single_quote;
    }

    // Rules WB5 to WB999 between last and kind; after is where the text goes on.
    [[nodiscard]] bool breaks(word_break before, word_break last, word_break kind,
        std::size_t after, bool odd_indicators) const noexcept {
        using enum word_break;
        auto const counts = [](word_break k) {
            return is_letter(k) || k == number || k == katakana;
        };
        if (is_letter(last) || last == number) {
            if (is_letter(kind) || kind == number) return false; // WB5, 8 to 10
        }
        if (is_letter(last)) {
            if (last == hebrew_letter && kind == single_quote) return false; // WB7a
            if (mid_letters(kind)) return !is_letter(following(after));      // WB6
            if (last == hebrew_letter && kind == double_quote) {
                return following(after) != hebrew_letter; // WB7b
            }
        }
        // WB7
        if (is_letter(kind) && is_letter(before) && mid_letters(last)) return false;
        // WB7c
        if (kind == hebrew_letter && last == double_quote && before == hebrew_letter) return false;
        // WB12
        if (last == number && mid_numbers(kind)) return following(after) != number;
        // WB11
        if (kind == number && mid_numbers(last) && before == number) return false;
        // WB13
        if (last == katakana && kind == katakana) return false;
        // WB13a
        if (kind == connector) return !counts(last) && last != connector;
        // WB13b
        if (last == connector) return !counts(kind);
        // WB15, 16
        if (last == regional_indicator && kind == regional_indicator) return !odd_indicators;
        return true;
    }

    std::string_view text_;
};

} // namespace detail
TRAWL_END_NAMESPACE
