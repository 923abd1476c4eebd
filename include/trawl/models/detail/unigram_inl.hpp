// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of unigram.hpp.

#include <trawl/models/detail/unigram.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <trawl/detail/buffer.hpp>
#include <trawl/models/detail/token_vocabulary.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE unigram::unigram(token_vocabulary const& pieces, buffer<double> scores,
    std::uint32_t unknown, bool byte_fallback)
    : scores_(std::move(scores)), unknown_(unknown), byte_fallback_(byte_fallback) {
    whole_ = std::make_unique<wholeness[]>(pieces.size());
    auto least = scores_.empty() ? 0.0 : scores_[0];
    for (auto const score : scores_) least = score < least ? score : least;
    unknown_score_ = least - 10; // as SentencePiece
    for (std::size_t byte = 0; byte < 256; ++byte) {
        constexpr std::string_view digits = "0123456789ABCDEF";
        char const name[] = {'<', '0', 'x', digits[byte / 16], digits[byte % 16], '>'};
        bytes_[byte] = byte_fallback ? pieces.find({name, sizeof name}) : token_vocabulary::none;
    }
}

TRAWL_INLINE void unigram::split(
    token_vocabulary const& pieces, std::string_view word, workspace& work, token_list& out) const {
    auto const size = static_cast<std::uint32_t>(word.size());
    auto& begins = work.begins;
    begins.clear();
    pieces.trie().prefixes(word, [&](std::uint32_t id, std::size_t bytes) {
        begins.push_back({id, bytes});
    });
    auto const whole =
        !begins.empty() && begins.back().bytes == size ? begins.back().id : token_vocabulary::none;
    if (whole != token_vocabulary::none && whole_[whole].load(std::memory_order_relaxed) == 1) {
        out.push_back({whole, {0, size}});
        return;
    }
    auto& paths = work.paths;
    paths.assign(word.size() + 1, {});
    for (std::uint32_t at = 0; at < size;) {
        auto const lead = static_cast<unsigned char>(word[at]);
        auto const bytes = lead < 0x80 ? 1u : lead < 0xE0 ? 2u : lead < 0xF0 ? 3u : 4u;
        auto const here = paths[at].score;
        auto const improve = [&](std::size_t length, double score, std::uint32_t id) {
            auto& path = paths[at + length];
            if (path.from == token_vocabulary::none || score > path.score) path = {score, at, id};
        };
        bool known = false;
        auto const extend = [&](std::uint32_t id, std::size_t length) {
            improve(length, scores_[id] + here, id);
            known = known || length == bytes;
        };
        if (at == 0) {
            for (auto const& one : begins) extend(one.id, one.bytes);
        } else {
            pieces.trie().prefixes(word.substr(at), extend);
        }
        if (!known) improve(bytes, unknown_score_ + here, unknown_);
        at += bytes;
    }
    // Backwards along the best path, then in order.
    auto const begin = out.size();
    for (auto last = size; last > 0;) {
        auto first = paths[last].from;
        if (paths[last].id != unknown_) {
            out.push_back({paths[last].id, {first, last}});
        } else {
            while (first > 0 && paths[first].id == unknown_) first = paths[first].from;
            add_unknown(pieces, word, {first, last}, out);
        }
        last = first;
    }
    for (auto i = begin, j = out.size(); i + 1 < j;) std::swap(out[i++], out[--j]);
    if (whole != token_vocabulary::none) {
        auto const is_best = out.size() == begin + 1 && out[begin].id == whole;
        whole_[whole].store(is_best ? 1 : 2, std::memory_order_relaxed);
    }
}

// The last byte first, as the rest of the word.
TRAWL_INLINE void unigram::add_unknown(
    token_vocabulary const& pieces, std::string_view word, byte_span place, token_list& out) const {
    auto const text = word.substr(place.first, place.last - place.first);
    auto const id = pieces.find(text);
    bool all = byte_fallback_ && id == token_vocabulary::none;
    for (auto const c : text)
        all = all && bytes_[static_cast<unsigned char>(c)] != token_vocabulary::none;
    if (!all) {
        out.push_back({id == token_vocabulary::none ? unknown_ : id, place});
        return;
    }
    for (auto i = text.size(); i > 0; --i)
        out.push_back({bytes_[static_cast<unsigned char>(text[i - 1])], place});
}

TRAWL_INLINE void unigram::describe(std::string& out) const {
    out += byte_fallback_ ? '\1' : '\0';
    if (scores_.empty()) return;
    out.append(reinterpret_cast<char const*>(scores_.data()), scores_.size() * sizeof(double));
}

} // namespace detail
TRAWL_END_NAMESPACE
