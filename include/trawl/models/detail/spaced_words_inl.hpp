// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of spaced_words.hpp.

#include <trawl/models/detail/spaced_words.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <trawl/models/detail/aligned_text.hpp>
#include <trawl/models/detail/character.hpp>
#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE spaced_words::spaced_words(
    text_normaliser const& normaliser, word_splitter const& splitter) {
    auto const& steps = splitter.steps();
    auto const* const map = normaliser.only_map();
    auto const fits = (map != nullptr || normaliser.steps().empty()) && steps.size() == 2
                      && steps[0].kind == splitter_kind::white_space
                      && steps[1].kind == splitter_kind::metaspace && steps[1].splits
                      && steps[1].before == prepended::always && steps[1].blank >= 0x80;
    if (!fits) return;
    append_utf8(steps[1].blank, blank_);
    for (unsigned char c = 0; c < 128; ++c) {
        auto const space = kind_of(c).space();
        if (map == nullptr ? space : map->is_blank(c)) {
            kinds_[c] = kind::blank;
        } else if (!space && (map == nullptr || map->stays(c))) {
            kinds_[c] = kind::letter;
        }
    }
    if (map != nullptr) kinds_[0x0D] = kind::other; // it forms a cluster with a line feed
}

TRAWL_INLINE bool spaced_words::next(
    std::string_view text, byte_span& span, byte_span& part, bool& plain) const noexcept {
    auto const kind_at = [&](std::uint32_t at) {
        return kinds_[static_cast<unsigned char>(text[at])];
    };
    auto at = span.first;
    while (at < span.last && kind_at(at) == kind::blank) ++at;
    if (at == span.last) return false;
    auto const first = at;
    while (at < span.last && kind_at(at) == kind::letter) ++at;
    // A character that is not ASCII may join the one before it, be it a blank.
    plain = at == span.last
            || (kind_at(at) == kind::blank
                && (at + 1 == span.last || static_cast<unsigned char>(text[at + 1]) < 0x80));
    if (plain) {
        part = {first, at};
        span.first = at;
        return true;
    }
    // On to a blank that nothing joins, from the blank before the word.
    auto const ends = [&] {
        return kind_at(at) == kind::blank
               && (at + 1 == span.last || static_cast<unsigned char>(text[at + 1]) < 0x80);
    };
    while (at < span.last && !ends()) ++at;
    part = {first > span.first ? first - 1 : first, at};
    span.first = at;
    return true;
}

} // namespace detail
TRAWL_END_NAMESPACE
