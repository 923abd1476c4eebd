// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of word_splitter.hpp.

#include <trawl/models/detail/word_splitter.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

#include <trawl/detail/buffer.hpp>
#include <trawl/models/detail/aligned_text.hpp>
#include <trawl/models/detail/character.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

inline void split_at_space(aligned_text const& text, word_span word, buffer<word_span>& out) {
    for (auto at = word.first; at < word.last;) {
        while (at < word.last && kind_of(text.codes[at]).space()) ++at;
        auto const first = at;
        while (at < word.last && !kind_of(text.codes[at]).space()) ++at;
        if (at > first) out.push_back({first, at});
    }
}

inline void split_at_punctuation(aligned_text const& text, word_span word, buffer<word_span>& out) {
    auto first = word.first;
    for (auto at = word.first; at < word.last; ++at) {
        if (!kind_of(text.codes[at]).punctuation()) continue;
        if (at > first) out.push_back({first, at});
        out.push_back({at, at + 1});
        first = at + 1;
    }
    if (word.last > first) out.push_back({first, word.last});
}

// Appends a word to `to`, with its blanks as the step has them.
inline void mark_blanks(splitter_step const& step, aligned_text const& text, std::uint32_t begin,
    word_span word, aligned_text& to, buffer<word_span>& out) {
    auto const shown = [&](std::uint32_t at) {
        return text.codes[at] == U' ' ? step.blank : text.codes[at];
    };
    auto first = static_cast<std::uint32_t>(to.size());
    auto const at_begin = (word.first == 0 ? begin : text.origins[word.first].first) == 0;
    auto const put =
        step.before == prepended::always || (step.before == prepended::first && at_begin);
    if (put && shown(word.first) != step.blank) to.append(step.blank, text.origins[word.first]);
    for (auto at = word.first; at < word.last; ++at) {
        auto const place = static_cast<std::uint32_t>(to.size());
        if (step.splits && shown(at) == step.blank && place > first) {
            out.push_back({first, place});
            first = place;
        }
        to.append(shown(at), text.origins[at]);
    }
    out.push_back({first, static_cast<std::uint32_t>(to.size())});
}

TRAWL_INLINE void word_splitter::apply(
    aligned_text& text, std::uint32_t begin, buffer<word_span>& words, aligned_text& spare) const {
    words.clear();
    if (text.size() == 0) return;
    words.push_back({0, static_cast<std::uint32_t>(text.size())});
    buffer<word_span> next;
    for (auto const& step : steps_) {
        next.clear();
        next.reserve(words.size());
        if (step.kind == splitter_kind::metaspace) {
            spare.clear();
            for (auto const word : words) mark_blanks(step, text, begin, word, spare, next);
            text.swap(spare);
        } else {
            for (auto const word : words) {
                if (step.kind == splitter_kind::white_space) {
                    split_at_space(text, word, next);
                } else {
                    split_at_punctuation(text, word, next);
                }
            }
        }
        words.swap(next);
    }
}

TRAWL_INLINE void word_splitter::describe(std::string& out) const {
    for (auto const& step : steps_) {
        out += static_cast<char>(step.kind);
        out += static_cast<char>(step.before);
        out += step.splits ? '\1' : '\0';
        out.append(reinterpret_cast<char const*>(&step.blank), sizeof step.blank);
    }
}

} // namespace detail
TRAWL_END_NAMESPACE
