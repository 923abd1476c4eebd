// SPDX-License-Identifier: MIT
#pragma once

/// Body of standard_analyzer.hpp.

#include <trawl/text/analyzers/standard_analyzer.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <trawl/text/detail/fold.hpp>
#include <trawl/text/detail/identifier.hpp>
#include <trawl/text/detail/unicode.hpp>
#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct standard_rules {
    static char_class kind(folded_character const& c) noexcept { return c.kind; }
};

inline void emit_parts(identifier const& found, std::uint32_t position, token_sink sink) {
    auto const runs = found.runs();
    std::size_t segment = 0; // first run of the path segment
    for (std::size_t i = 0; i < runs; ++i) {
        auto const last = i + 1 == runs;
        if (!last && found.joiner(i + 1) != '/') continue;
        if (segment > 0 && segment < i) sink(found.part(segment, i, position));
        if (i > 0 && !last) sink(found.part(0, i, position));
        segment = i + 1;
    }
    for (std::size_t i = 0; i < runs; ++i) sink(found.part(i, i, position));
}

enum class letter_case : unsigned char { none, lower, upper, digit };

[[nodiscard]] inline letter_case case_beyond_ascii(std::string_view text, std::size_t at) noexcept {
    auto const c = decode_utf8(text, at);
    auto const kind = properties_of(c.code).kind();
    if (kind == word_break::number) return letter_case::digit;
    if (kind != word_break::letter) return letter_case::none;
    return lower(c.code) == c.code ? letter_case::lower : letter_case::upper;
}

[[nodiscard]] inline letter_case case_of(std::string_view text, std::size_t at) noexcept {
    if (at >= text.size()) return letter_case::none;
    auto const c = static_cast<unsigned char>(text[at]);
    if (c >= 0x80) return case_beyond_ascii(text, at);
    return c >= 'a'               ? (c <= 'z' ? letter_case::lower : letter_case::none)
           : c >= 'A'             ? (c <= 'Z' ? letter_case::upper : letter_case::none)
           : c >= '0' && c <= '9' ? letter_case::digit
                                  : letter_case::none;
}

// Whether a word begins at text[at] within a run, after a character of case `before`: getUser,
// HTTPServer, HTML5Parser; not IPv4, URLs, PROD4817A.
[[nodiscard]] inline bool begins_word(
    std::string_view text, std::size_t at, letter_case before) noexcept {
    if (before == letter_case::none || case_of(text, at) != letter_case::upper) return false;
    if (before == letter_case::lower) return true;
    auto const next = at + decode_utf8(text, at).bytes;
    if (case_of(text, next) != letter_case::lower) return false;
    return before == letter_case::digit
           || case_of(text, next + decode_utf8(text, next).bytes) == letter_case::lower;
}

// The part [begin, end) of the text as a token, folded; parts of one character are left out.
inline void emit_word_of_run(std::string_view text, std::size_t begin, std::size_t end,
    std::uint32_t position, token_sink sink) {
    char term[identifier::capacity];
    std::size_t bytes = 0;
    folded_cluster cluster;
    auto const word = text.substr(0, end);
    for (auto at = begin; at < end;) {
        auto const piece = fold_at(word, at, cluster);
        if (piece.text.size() > sizeof term - bytes) return;
        std::memcpy(term + bytes, piece.text.data(), piece.text.size());
        bytes += piece.text.size();
        at += piece.bytes;
    }
    if (bytes == 0 || decode_utf8({term, bytes}, 0).bytes == bytes) return;
    sink({{term, bytes}, position, static_cast<std::uint32_t>(begin),
        static_cast<std::uint32_t>(end)});
}

// The words that capitals tell apart in a run, if there are several. None begins after a single
// character: OAuth, iPhone and mRNA are one word.
inline void emit_words_of_run(std::string_view text, token const& run, token_sink sink) {
    auto const inside = text.substr(0, run.end);
    auto lower = run.begin; // DNA: capitals alone are one word
    while (lower < run.end && static_cast<unsigned char>(text[lower]) < 'a') ++lower;
    if (lower == run.end) return;
    auto before = letter_case::none;
    std::size_t begin = run.begin;
    std::size_t characters = 0; // from begin on
    for (std::size_t at = run.begin; at < run.end; ++characters) {
        if (characters > 1 && begins_word(inside, at, before)) {
            emit_word_of_run(text, begin, at, run.position, sink);
            begin = at;
            characters = 0;
        }
        auto const plain = static_cast<unsigned char>(inside[at]) < 0x80;
        auto const bytes = plain ? 1 : decode_utf8(inside, at).bytes;
        if (auto const now = case_of(inside, at); now != letter_case::none) before = now;
        at += bytes == 0 ? 1 : bytes;
    }
    if (begin > run.begin) emit_word_of_run(text, begin, run.end, run.position, sink);
}

TRAWL_COLD inline void emit_words_of_runs(
    std::string_view text, identifier const& found, std::uint32_t position, token_sink sink) {
    for (std::size_t i = 0; i < found.runs(); ++i)
        emit_words_of_run(text, found.part(i, i, position), sink);
}

} // namespace detail

TRAWL_INLINE void standard_analyzer::analyze(std::string_view text, token_sink sink) const {
    std::uint32_t position = 0;
    detail::split<detail::standard_rules>(text, [&](detail::identifier const& found) {
        sink(found.whole(position));
        if (found.runs() > 1) {
            if (found.is_pair())
                sink(found.part(0, 0, position));
            else
                detail::emit_parts(found, position, sink);
        }
        if (found.has_capitals()) detail::emit_words_of_runs(text, found, position, sink);
        ++position;
    });
}

TRAWL_END_NAMESPACE
