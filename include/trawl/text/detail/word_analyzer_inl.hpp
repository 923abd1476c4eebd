// SPDX-License-Identifier: MIT
#pragma once

/// Body of word_analyzer.hpp.

#include <trawl/text/analyzers/word_analyzer.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <trawl/text/detail/check_length.hpp>
#include <trawl/text/detail/word_break.hpp>
#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct word_contents {
    bool counts = false;
    bool complex = false;
};

[[nodiscard]] inline word_contents contents_of(std::string_view word) noexcept {
    using enum word_break;
    constexpr char32_t keycap = 0x20E3; // makes an emoji of # and *
    word_contents out;
    for (std::size_t at = 0; at < word.size();) {
        auto const c = decode_utf8(word, at);
        at += c.bytes == 0 ? 1 : c.bytes;
        auto const known = properties_of(c.code);
        auto const kind = known.kind();
        out.complex = out.complex || kind == complex;
        out.counts = out.counts || known.pictographic() || kind == letter || kind == hebrew_letter
                     || kind == number || kind == katakana || kind == hiragana || kind == ideograph
                     || kind == complex || kind == regional_indicator || c.code == keycap;
    }
    return out;
}

// Passes the word [begin, end) to sink, cut where it has more than 255 UTF-16 units.
inline void emit_word(std::string_view text, std::size_t begin, std::size_t end,
    std::uint32_t& position, token_sink sink) {
    constexpr std::size_t longest = 255;
    auto const emit = [&](std::size_t stop) {
        sink({text.substr(begin, stop - begin), position++, static_cast<std::uint32_t>(begin),
            static_cast<std::uint32_t>(stop)});
        begin = stop;
    };
    std::size_t units = 0; // of UTF-16
    for (auto at = begin; end - begin > longest && at < end;) {
        auto const bytes = decode_utf8(text, at).bytes;
        auto const more = std::size_t{bytes == 4 ? 2u : 1u};
        if (units + more > longest) {
            emit(at);
            units = 0;
        }
        units += more;
        at += bytes == 0 ? 1 : bytes;
    }
    emit(end);
}

} // namespace detail

TRAWL_INLINE void word_analyzer::analyze(std::string_view text, token_sink sink) const {
    detail::check_length(text);
    detail::word_breaks const breaks(text);
    std::uint32_t position = 0;
    for (std::size_t at = 0; at < text.size();) {
        auto const begin = at;
        at = breaks.next(at);
        auto const word = detail::contents_of(text.substr(begin, at - begin));
        if (!word.counts) continue;
        while (word.complex && at < text.size()) {
            auto const next = breaks.next(at);
            if (!detail::contents_of(text.substr(at, next - at)).complex) break;
            at = next;
        }
        detail::emit_word(text, begin, at, position, sink);
    }
}

TRAWL_END_NAMESPACE
