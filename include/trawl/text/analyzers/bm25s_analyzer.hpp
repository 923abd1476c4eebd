// SPDX-License-Identifier: MIT
#pragma once

/// The terms of bm25s.tokenize(texts, stopwords="english").

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <trawl/core/concepts.hpp>
#include <trawl/text/detail/character_runs.hpp>
#include <trawl/text/token_filter.hpp>

TRAWL_BEGIN_NAMESPACE

/// Python's lower case, its `\b\w\w+\b` and the 33 English stop words: rows of two or more letters,
/// numbers and underscores. No stemming, no folding. Words of one character are lost (C++), and
/// words of scripts that write vowels as marks are broken at them; the standard analyzer does
/// neither.
///
///     Don't C++ x_y café    don | x_y | café
///
/// Stop words leave no gap: positions count what is left. Thread-safe; copies share the list. O(n).
class bm25s_analyzer {
public:
    /// Hands the tokens of a text (UTF-8; any bytes are allowed) to sink.
    /// @throws trawl::error (invalid_argument) if the text has 4 GiB or more.
    void analyze(std::string_view text, token_sink sink) const {
        std::uint32_t position = 0;
        std::string term;
        detail::for_each_run(text, is_word, [&](std::size_t begin, std::size_t end) {
            // The dot of a lowered capital İ is no letter: the word ends there.
            while (begin < end) {
                auto const dotted = text.substr(begin, end - begin).find("\xC4\xB0");
                auto const stop = dotted == std::string_view::npos ? end : begin + dotted + 2;
                if (lowered(text.substr(begin, stop - begin), term) > 1 && stop_words_(term)) {
                    sink({term, position++, static_cast<std::uint32_t>(begin),
                        static_cast<std::uint32_t>(stop)});
                }
                begin = stop;
            }
        });
    }

private:
    static bool is_word(char32_t c) noexcept {
        return c == '_' || (detail::value_in(detail::alphanumerics, c) & 2) != 0;
    }

    // Writes the word in lower case to out; returns its characters. A last capital sigma becomes ς.
    static std::size_t lowered(std::string_view word, std::string& out) {
        out.clear();
        std::size_t characters = 0;
        for (std::size_t at = 0; at < word.size(); ++characters) {
            auto const c = detail::decode_utf8(word, at);
            at += c.bytes;
            auto const last_sigma = c.code == 0x3A3 && at == word.size() && characters > 0;
            detail::append_utf8(last_sigma ? char32_t{0x3C2} : detail::lower(c.code), out);
        }
        return characters;
    }

    stop_words stop_words_ = stop_words::english();
};

static_assert(analyzer<bm25s_analyzer>);

TRAWL_END_NAMESPACE
