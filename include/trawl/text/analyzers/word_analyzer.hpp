// SPDX-License-Identifier: MIT
#pragma once

/// Words as they are written: the base of analyzers that must not fold first.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <trawl/core/concepts.hpp>
#include <trawl/text/detail/identifier.hpp>
#include <trawl/text/detail/word_break.hpp>

TRAWL_BEGIN_NAMESPACE

/// The words of UAX #29 as Lucene's StandardTokenizer takes them: what lies between two boundaries
/// and holds a letter, a digit, a character of Han or Hiragana, or an emoji. A row of Thai, Lao,
/// Khmer or Burmese is one word. Terms are the text's own bytes, nothing is folded; what has more
/// than 255 UTF-16 units is cut.
///
///     Don't x.y wait_a 漢字 👍    Don't | x.y | wait_a | 漢 | 字 | 👍
///
/// A stemmer that knows accents stands on it:
///
///     composed_analyzer{word_analyzer{}, lower_case{}, snowball_stemmer{"french"}, folding{}}
///
/// Thread-safe; allocates nothing. O(n).
class word_analyzer {
public:
    /// Hands the tokens of a text (UTF-8; any bytes are allowed) to sink.
    /// @throws trawl::error (invalid_argument) if the text has 4 GiB or more.
    void analyze(std::string_view text, token_sink sink) const {
        detail::check_length(text);
        detail::word_breaks const breaks(text);
        std::uint32_t position = 0;
        for (std::size_t at = 0; at < text.size();) {
            auto const begin = at;
            at = breaks.next(at);
            auto const word = look(text, begin, at);
            if (!word.counts) continue;
            if (word.complex) {
                while (at < text.size()) {
                    auto const next = breaks.next(at);
                    if (!look(text, at, next).complex) break;
                    at = next;
                }
            }
            cut(text, begin, at, position, sink);
        }
    }

private:
    static constexpr std::size_t longest = 255;

    struct contents {
        bool counts = false;
        bool complex = false;
    };

    [[nodiscard]] static contents look(
        std::string_view text, std::size_t begin, std::size_t end) noexcept {
        using enum detail::word_break;
        contents out;
        for (auto at = begin; at < end;) {
            auto const c = detail::decode_utf8(text, at);
            at += c.bytes == 0 ? 1 : c.bytes;
            auto const known = detail::properties_of(c.code);
            auto const kind = known.kind();
            out.complex = out.complex || kind == complex;
            out.counts = out.counts || known.pictographic() || kind == letter
                         || kind == hebrew_letter || kind == number || kind == katakana
                         || kind == hiragana || kind == ideograph || kind == complex
                         || kind == regional_indicator || c.code == keycap;
        }
        return out;
    }

    static void cut(std::string_view text, std::size_t begin, std::size_t end,
        std::uint32_t& position, token_sink sink) {
        auto const hand_over = [&](std::size_t stop) {
            sink({text.substr(begin, stop - begin), position++, static_cast<std::uint32_t>(begin),
                static_cast<std::uint32_t>(stop)});
            begin = stop;
        };
        std::size_t units = 0; // of UTF-16
        for (auto at = begin; end - begin > longest && at < end;) {
            auto const bytes = detail::decode_utf8(text, at).bytes;
            auto const more = std::size_t{bytes == 4 ? 2u : 1u};
            if (units + more > longest) {
                hand_over(at);
                units = 0;
            }
            units += more;
            at += bytes == 0 ? 1 : bytes;
        }
        hand_over(end);
    }

    static constexpr char32_t keycap = 0x20E3; // makes an emoji of # and *
};

static_assert(analyzer<word_analyzer>);

TRAWL_END_NAMESPACE
