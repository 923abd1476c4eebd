// SPDX-License-Identifier: MIT
#pragma once

/// Folds one place of a text after the other: what analyzers read in place of its bytes.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <trawl/text/detail/unicode.hpp>
#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// What a folded character is to the word splitter.
enum class char_class : unsigned char {
    separator,
    letter,
    hebrew, ///< a letter beside which " stays inside a word
    digit,
    katakana,
    ideograph,  ///< of a script without blanks between words: Han, Hiragana, Thai, …
    mark,       ///< stays with the letter before it
    ignored,    ///< accents, soft hyphens, joiners without width: as if not there
    kana_mark,  ///< ー ヵ ヶ: continues Katakana, or the ideographs before it
    joiner,     ///< . _ / - : # join two runs to an identifier
    mid_letter, ///< inside a word between letters
    mid_number, ///< inside a word between digits
    mid_both,   ///< inside a word between two letters or two digits
    quote,      ///< inside a word between Hebrew letters
    plus,       ///< two of them end a word: C++
    sharp,      ///< a # that joins nothing; it ends a word of one letter: C#
};

/// One character of the folded text. The view lives as long as that of its piece.
struct folded_character {
    std::string_view text = {};
    char_class kind = char_class::separator;
};

inline constexpr std::string_view ascii_folded{
    "\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0B\x0C\r\x0E\x0F"
    "\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1B\x1C\x1D\x1E\x1F"
    " !\"#$%&'()*+,-./"
    "0123456789:;<=>?@abcdefghijklmnopqrstuvwxyz[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~\x7F",
    128};

// The class of each ASCII character.
inline constexpr auto ascii_classes = [] {
    constexpr std::string_view joiners = "._/-:#";
    std::array<char_class, 128> out{};
    for (std::size_t c = 0; c < out.size(); ++c) {
        auto const letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        auto const joins = joiners.find(static_cast<char>(c)) != joiners.npos;
        out[c] = letter                 ? char_class::letter
                 : c >= '0' && c <= '9' ? char_class::digit
                 : joins                ? char_class::joiner
                 : c == ',' || c == ';' ? char_class::mid_number
                 : c == '\''            ? char_class::mid_both
                 : c == '"'             ? char_class::quote
                 : c == '+'             ? char_class::plus
                                        : char_class::separator;
    }
    return out;
}();

[[nodiscard]] constexpr char_class class_of(word_break kind) noexcept {
    switch (kind) {
    case word_break::letter:
        return char_class::letter;
    case word_break::hebrew_letter:
        return char_class::hebrew;
    case word_break::number:
        return char_class::digit;
    case word_break::katakana:
        return char_class::katakana;
    case word_break::hiragana:
    case word_break::ideograph:
    case word_break::complex:
        return char_class::ideograph;
    case word_break::extend:
    case word_break::zwj:
    case word_break::format:
        return char_class::mark;
    case word_break::mid_letter:
        return char_class::mid_letter;
    case word_break::mid_number:
        return char_class::mid_number;
    case word_break::mid_both:
    case word_break::single_quote:
        return char_class::mid_both;
    default:
        return char_class::separator;
    }
}

/// The class of a character outside ASCII. Japanese writes iteration marks and ヶ within words of
/// ideographs (佐々木, 関ヶ原), where UAX #29 sees letters of other kinds.
[[nodiscard]] inline char_class class_of(char32_t code, properties known) noexcept {
    if (code - 0x3005 <= 0x30FC - 0x3005) {
        if (code <= 0x3006 || code == 0x303B) return char_class::ideograph; // 々 〆 〻
        if (code == 0x30FC || code == 0x30F5 || code == 0x30F6) return char_class::kana_mark;
    }
    return class_of(known.kind());
}

/// What a character that folds to something else folds to; it may be nothing.
[[nodiscard]] inline std::string_view folded_form(char32_t code) noexcept {
    auto block = std::size_t{code >> 6};
    if (block >= fold_blocks.size()) block = fold_blocks.size() - 1;
    auto const place = fold_values[std::size_t{fold_blocks[block]} * 64 + (code & 63)];
    return folded_text.substr(place >> 6, place & 63);
}

// Combining diacritical marks, Hebrew points, Arabic harakat, tatweel. In step with ACCENTS of
// make_unicode_tables.py.
[[nodiscard]] constexpr bool is_accent(char32_t code) noexcept {
    constexpr char32_t ranges[][2] = {{0x300, 0x36F}, {0x591, 0x5BD}, {0x5BF, 0x5BF},
        {0x5C1, 0x5C2}, {0x5C4, 0x5C5}, {0x5C7, 0x5C7}, {0x610, 0x61A}, {0x640, 0x640},
        {0x64B, 0x65F}, {0x670, 0x670}, {0x6D6, 0x6DC}, {0x6DF, 0x6E4}, {0x6E7, 0x6E8},
        {0x6EA, 0x6ED}, {0x8CA, 0x8E1}, {0x8E3, 0x8FF}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},
        {0x20D0, 0x20FF}, {0xFE20, 0xFE2F}};
    for (auto const& range : ranges) {
        if (code <= range[1]) return code >= range[0];
    }
    return false;
}

/// A character and those after it that may change it, folded together: decomposed, put into
/// canonical order and composed again, as UAX #15 has it.
class folded_cluster {
public:
    /// Folds the cluster that begins at text[at], valid UTF-8 there; returns its bytes in the text.
    /// Of very many marks, those after the first 31 are a cluster of their own.
    std::size_t fold(std::string_view text, std::size_t at) noexcept {
        size_ = 0;
        std::size_t bytes = 0;
        for (std::size_t count = 0; count < 32 && size_ < capacity / 2 && at + bytes < text.size();
             ++count) {
            auto const c = decode_utf8(text, at + bytes);
            auto const known = properties_of(c.code);
            if (c.bytes == 0 || (count > 0 && !known.continues())) break;
            auto const form =
                known.folds() ? folded_form(c.code) : text.substr(at + bytes, c.bytes);
            for (std::size_t i = 0; i < form.size();) {
                auto const part = decode_utf8(form, i);
                decompose(part.code);
                i += part.bytes;
            }
            bytes += c.bytes;
        }
        order();
        compose();
        drop_accents();
        compose();
        end_ = text_.data();
        for (std::size_t i = 0; i < size_; ++i) end_ = encode_utf8(codes_[i], end_);
        return bytes;
    }

    [[nodiscard]] std::string_view text() const noexcept {
        return {text_.data(), static_cast<std::size_t>(end_ - text_.data())};
    }

private:
    static constexpr std::size_t capacity = 64; // one character folds to 20 at most, a mark to few

    static constexpr char32_t hangul = 0xAC00;
    static constexpr char32_t leading = 0x1100;  // the first of 19 leading consonants
    static constexpr char32_t vowel = 0x1161;    // of 21
    static constexpr char32_t trailing = 0x11A7; // before the first of 27

    void decompose(char32_t code) noexcept {
        if (code >= hangul && code < hangul + 11172) {
            auto const i = code - hangul;
            codes_[size_++] = leading + i / 588;
            codes_[size_++] = vowel + i % 588 / 28;
            if (i % 28 != 0) codes_[size_++] = trailing + i % 28;
            return;
        }
        std::size_t first = 0;
        for (auto last = decomposed_pairs.size() / 3; first < last;) {
            auto const middle = (first + last) / 2;
            if (decomposed_pairs[middle * 3] < code) {
                first = middle + 1;
            } else {
                last = middle;
            }
        }
        if (first * 3 < decomposed_pairs.size() && decomposed_pairs[first * 3] == code) {
            decompose(decomposed_pairs[first * 3 + 1]);
            code = decomposed_pairs[first * 3 + 2];
        }
        codes_[size_++] = code;
    }

    void drop_accents() noexcept {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < size_; ++i) {
            if (!is_accent(codes_[i])) codes_[kept++] = codes_[i];
        }
        size_ = kept;
    }

    void order() noexcept {
        for (std::size_t i = 0; i < size_; ++i) {
            auto const code = codes_[i];
            auto const rank = ranks_[i] =
                static_cast<unsigned char>(value_in(combining_classes, code));
            auto to = i;
            for (; rank != 0 && to > 0 && ranks_[to - 1] > rank; --to) {
                codes_[to] = codes_[to - 1];
                ranks_[to] = ranks_[to - 1];
            }
            codes_[to] = code;
            ranks_[to] = rank;
        }
    }

    void compose() noexcept {
        std::size_t kept = 0;
        std::size_t starter = capacity; // none yet
        std::uint32_t last = 0;         // the rank of the mark before, if it follows the starter
        for (std::size_t i = 0; i < size_; ++i) {
            auto const code = codes_[i];
            auto const rank = value_in(combining_classes, code);
            if (starter < kept && (starter + 1 == kept || last < rank)) {
                if (auto const whole = composed(codes_[starter], code); whole != 0) {
                    codes_[starter] = whole;
                    continue;
                }
            }
            if (rank == 0) starter = kept;
            last = rank;
            codes_[kept++] = code;
        }
        size_ = kept;
    }

    [[nodiscard]] static char32_t composed(char32_t a, char32_t b) noexcept {
        if (a >= leading && a < leading + 19 && b >= vowel && b < vowel + 21) {
            return hangul + (a - leading) * 588 + (b - vowel) * 28;
        }
        if (a >= hangul && a < hangul + 11172 && (a - hangul) % 28 == 0 && b > trailing
            && b < trailing + 28) {
            return a + (b - trailing);
        }
        std::size_t first = 0;
        for (auto last = composed_pairs.size() / 3; first < last;) {
            auto const middle = (first + last) / 2;
            auto const letter = composed_pairs[middle * 3];
            if (letter < a || (letter == a && composed_pairs[middle * 3 + 1] < b)) {
                first = middle + 1;
            } else {
                last = middle;
            }
        }
        auto const found = composed_pairs.substr(first * 3, 3);
        return found.size() == 3 && found[0] == a && found[1] == b ? found[2] : 0;
    }

    std::array<char32_t, capacity> codes_;
    std::array<unsigned char, capacity> ranks_;
    std::array<char, capacity * 4> text_;
    char* end_ = text_.data();
    std::size_t size_ = 0;
};

/// What stands at one place of a text, folded.
struct folded_piece {
    /// lives until the next one is folded; empty: as if it were not there
    std::string_view text = {};
    std::size_t bytes = 1; ///< that it takes in the text
    char_class kind = char_class::separator;
    bool single = true; ///< one character, and kind is its class
};

/// Folds what stands at text[at], at < text.size(). A byte that is not UTF-8 becomes U+FFFD, a
/// separator.
[[nodiscard]] inline folded_piece fold_at(
    std::string_view text, std::size_t at, folded_cluster& cluster) noexcept {
    auto const byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x80) return {ascii_folded.substr(byte, 1), 1, ascii_classes[byte]};
    auto const c = decode_utf8(text, at);
    if (c.bytes == 0) return {"\xEF\xBF\xBD"};
    auto const known = properties_of(c.code);
    auto const next = at + c.bytes;
    if (known.continues()
        || (next < text.size() && static_cast<unsigned char>(text[next]) >= 0x80
            && properties_of(decode_utf8(text, next).code).continues())) {
        auto const bytes = cluster.fold(text, at);
        return {cluster.text(), bytes, char_class::ignored, false};
    }
    if (known.folds()) return {folded_form(c.code), c.bytes, char_class::ignored, false};
    return {text.substr(at, c.bytes), c.bytes, class_of(c.code, known)};
}

/// Calls visit(folded_character const&) for each character of the piece; once, with an ignored one,
/// if there is none.
template <class Visit>
void for_each_character(folded_piece const& piece, Visit&& visit) {
    if (piece.single || piece.text.empty()) return visit(folded_character{piece.text, piece.kind});
    for (std::size_t i = 0; i < piece.text.size();) {
        auto const c = decode_utf8(piece.text, i);
        auto const kind =
            c.code < 0x80 ? ascii_classes[c.code] : class_of(c.code, properties_of(c.code));
        visit(folded_character{piece.text.substr(i, c.bytes), kind});
        i += c.bytes;
    }
}

} // namespace detail
TRAWL_END_NAMESPACE
