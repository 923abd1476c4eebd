// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of text_normaliser.hpp.

#include <trawl/models/detail/text_normaliser.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

#include <trawl/detail/buffer.hpp>
#include <trawl/error.hpp>
#include <trawl/models/detail/aligned_text.hpp>
#include <trawl/models/detail/character.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Keeps the characters for which keep(character_kind, char32_t&) holds; it may change them.
template <class Keep>
void filter_text(aligned_text& text, Keep keep) {
    std::size_t to = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        auto code = text.codes[at];
        if (!keep(kind_of(code), code)) continue;
        text.codes[to] = code;
        text.origins[to++] = text.origins[at];
    }
    text.codes.resize(to);
    text.origins.resize(to);
}

/// Replaces each character by those that make(code, sink) passes on.
template <class Make>
void map_text(aligned_text& text, aligned_text& spare, Make make) {
    spare.clear();
    spare.codes.reserve(text.size());
    spare.origins.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        auto const origin = text.origins[at];
        make(text.codes[at], [&](char32_t code) { spare.append(code, origin); });
    }
    text.swap(spare);
}

// Marks behind a character stand by their combining class, in the order given where it is the same.
// O(characters): by counting.
inline void put_marks_in_order(aligned_text& text) {
    aligned_text run;
    auto const class_at = [&](std::size_t at) {
        return text.codes[at] < 0x300 ? 0 : kind_of(text.codes[at]).combining_class();
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
        auto last = class_at(at);
        if (last == 0) continue;
        auto const first = at;
        bool ordered = true;
        for (++at; at < text.size(); ++at) {
            auto const next = class_at(at);
            if (next == 0) break;
            ordered = ordered && next >= last;
            last = next;
        }
        if (ordered) continue;
        std::uint32_t begins[257] = {};
        for (auto i = first; i < at; ++i) ++begins[class_at(i) + 1];
        for (std::size_t i = 1; i < 257; ++i) begins[i] += begins[i - 1];
        run.codes.resize(at - first);
        run.origins.resize(at - first);
        for (auto i = first; i < at; ++i) {
            auto const place = begins[class_at(i)]++;
            run.codes[place] = text.codes[i];
            run.origins[place] = text.origins[i];
        }
        for (auto i = first; i < at; ++i) {
            text.codes[i] = run.codes[i - first];
            text.origins[i] = run.origins[i - first];
        }
    }
}

[[noreturn]] TRAWL_COLD inline void refuse_growth(std::size_t most) {
    fail(errc::model, join("tokenizer: its normalizer makes more than ", most,
                          " characters of a text, 32 times as many as there are and 65536"));
}

// `match(at)` gives how many characters from `at` on are replaced, 0 for none.
template <class Match>
void replace_text(aligned_text& text, aligned_text& spare, buffer<char32_t> const& content,
    std::size_t most, Match match) {
    spare.clear();
    for (std::size_t at = 0; at < text.size();) {
        auto const count = match(at);
        if (count == 0) {
            if (spare.size() == most) refuse_growth(most);
            spare.append(text.codes[at], text.origins[at]);
            ++at;
            continue;
        }
        if (content.size() > most - spare.size()) refuse_growth(most);
        for (auto const code : content) spare.append(code, text.origins[at + count - 1]);
        at += count;
    }
    text.swap(spare);
}

inline void strip_text(aligned_text& text, bool left) {
    std::size_t first = 0;
    auto last = text.size();
    if (left) {
        while (first < last && kind_of(text.codes[first]).space()) ++first;
    } else {
        while (last > first && kind_of(text.codes[last - 1]).space()) --last;
    }
    text.codes.resize(last);
    text.origins.resize(last);
    text.codes.erase(0, first);
    text.origins.erase(0, first);
}

inline void apply_step(
    normaliser_step const& step, std::size_t most, aligned_text& text, aligned_text& spare) {
    switch (step.kind) {
    case normaliser_kind::clean:
        filter_text(text, [](character_kind kind, char32_t& code) {
            if (!kind.dropped() && kind.space()) code = U' ';
            return !kind.dropped();
        });
        break;
    case normaliser_kind::split_chinese:
        map_text(text, spare, [](char32_t code, auto sink) {
            auto const alone = is_chinese(code);
            if (alone) sink(U' ');
            sink(code);
            if (alone) sink(U' ');
        });
        break;
    case normaliser_kind::nfd:
        map_text(text, spare, [](char32_t code, auto sink) { decompose(code, sink); });
        put_marks_in_order(text);
        break;
    case normaliser_kind::drop_accents:
        filter_text(text, [](character_kind kind, char32_t&) { return !kind.nonspacing(); });
        break;
    case normaliser_kind::drop_marks:
        filter_text(text, [](character_kind kind, char32_t&) { return !kind.mark(); });
        break;
    case normaliser_kind::lower:
        map_text(text, spare, [](char32_t code, auto sink) { lower_case(code, sink); });
        break;
    case normaliser_kind::map:
        break;
    case normaliser_kind::replace:
        replace_text(text, spare, step.content, most, [&](std::size_t at) {
            auto const size = step.pattern.size();
            if (text.size() - at < size) return std::size_t{0};
            for (std::size_t i = 0; i < size; ++i) {
                if (text.codes[at + i] != step.pattern[i]) return std::size_t{0};
            }
            return size;
        });
        break;
    case normaliser_kind::replace_blanks:
        replace_text(text, spare, step.content, most, [&](std::size_t at) {
            auto end = at;
            while (end < text.size() && text.codes[end] == U' ') ++end;
            return end - at < 2 ? std::size_t{0} : end - at;
        });
        break;
    case normaliser_kind::strip_left:
    case normaliser_kind::strip_right:
        strip_text(text, step.kind == normaliser_kind::strip_left);
        break;
    case normaliser_kind::prepend:
        if (text.size() == 0) break;
        if (text.size() + step.content.size() > most) refuse_growth(most);
        spare.clear();
        for (auto const code : step.content) spare.append(code, text.origins[0]);
        spare.codes.append(text.codes.data(), text.size());
        spare.origins.append(text.origins.data(), text.size());
        text.swap(spare);
        break;
    }
}

TRAWL_INLINE void text_normaliser::apply(aligned_text& text, aligned_text& spare) const {
    // A file may ask for texts that double with each step.
    auto const most = 32 * text.size() + 65536;
    for (auto const& step : steps_) {
        if (step.kind != normaliser_kind::map) {
            apply_step(step, most, text, spare);
        } else if (!maps_[step.map].apply(text, most)) {
            refuse_growth(most);
        }
        if (text.size() > most) refuse_growth(most);
    }
}

TRAWL_INLINE void text_normaliser::describe(std::string& out) const {
    for (auto const& step : steps_) {
        out += static_cast<char>(step.kind);
        for (auto const* const codes : {&step.pattern, &step.content}) {
            auto const bytes = codes->size() * sizeof(char32_t);
            out.append(reinterpret_cast<char const*>(&bytes), sizeof bytes);
            if (bytes > 0) out.append(reinterpret_cast<char const*>(codes->data()), bytes);
        }
    }
    for (auto const& map : maps_) out += map.bytes();
}

} // namespace detail
TRAWL_END_NAMESPACE
