// SPDX-License-Identifier: MIT
#pragma once

/// Body of bm25s_analyzer.hpp.

#include <trawl/text/analyzers/bm25s_analyzer.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <trawl/text/detail/character_runs.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// Writes the word in lower case to out; returns its characters. A last capital sigma becomes ς.
[[nodiscard]] inline std::size_t python_lower(std::string_view word, std::string& out) {
    out.clear();
    std::size_t characters = 0;
    for (std::size_t at = 0; at < word.size(); ++characters) {
        auto const c = decode_utf8(word, at);
        at += c.bytes;
        auto const last_sigma = c.code == 0x3A3 && at == word.size() && characters > 0;
        append_utf8(last_sigma ? char32_t{0x3C2} : lower(c.code), out);
    }
    return characters;
}

} // namespace detail

TRAWL_INLINE void bm25s_analyzer::analyze(std::string_view text, token_sink sink) const {
    std::uint32_t position = 0;
    std::string term;
    auto const is_word = [](char32_t c) {
        return c == '_' || (detail::value_in(detail::alphanumerics, c) & 2) != 0;
    };
    detail::for_each_run(text, is_word, [&](std::size_t begin, std::size_t end) {
        // The lower case of İ is i and a dot above, which is no letter: the word ends there.
        while (begin < end) {
            auto const dotted = text.substr(begin, end - begin).find("\xC4\xB0");
            auto const stop = dotted == std::string_view::npos ? end : begin + dotted + 2;
            if (detail::python_lower(text.substr(begin, stop - begin), term) > 1
                && stop_words_(term)) {
                sink({term, position++, static_cast<std::uint32_t>(begin),
                    static_cast<std::uint32_t>(stop)});
            }
            begin = stop;
        }
    });
}

TRAWL_END_NAMESPACE
