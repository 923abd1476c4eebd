// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of unigram.hpp.

#include <trawl/models/detail/unigram.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <trawl/detail/buffer.hpp>
#include <trawl/models/detail/token_vocabulary.hpp>
#include <trawl/models/detail/word_bytes.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE unigram::unigram(token_vocabulary const& pieces, buffer<double> scores,
    std::uint32_t unknown, bool byte_fallback)
    : scores_(std::move(scores)), unknown_(unknown), byte_fallback_(byte_fallback) {
    auto least = scores_.empty() ? 0.0 : scores_[0];
    for (auto const score : scores_) least = score < least ? score : least;
    unknown_score_ = least - 10; // as SentencePiece
    for (std::size_t byte = 0; byte < 256; ++byte) {
        constexpr std::string_view digits = "0123456789ABCDEF";
        char const name[] = {'<', '0', 'x', digits[byte / 16], digits[byte % 16], '>'};
        bytes_[byte] = byte_fallback ? pieces.find({name, sizeof name}) : token_vocabulary::none;
    }
}

TRAWL_INLINE void unigram::split(token_vocabulary const& pieces, word_bytes const& word,
    buffer<best_path>& paths, token_list& out) const {
    auto const text = word.text();
    paths.assign(text.size() + 1, {});
    auto const improve = [&](std::size_t first, std::size_t last, double score, std::uint32_t id) {
        auto& path = paths[last];
        if (path.from != token_vocabulary::none && !(score > path.score)) return;
        path = {score, static_cast<std::uint32_t>(first), id};
    };
    for (std::size_t at = 0; at < text.size();) {
        auto const lead = static_cast<unsigned char>(text[at]);
        auto const bytes = std::size_t{lead < 0x80 ? 1u : lead < 0xE0 ? 2u : lead < 0xF0 ? 3u : 4u};
        auto const here = paths[at].score;
        bool known = false;
        pieces.trie().prefixes(text.substr(at), [&](std::uint32_t id, std::size_t length) {
            improve(at, at + length, scores_[id] + here, id);
            known = known || length == bytes;
        });
        if (!known) improve(at, at + bytes, unknown_score_ + here, unknown_);
        at += bytes;
    }
    // Backwards along the best path, then in order.
    auto const begin = out.size();
    for (auto last = text.size(); last > 0;) {
        auto first = std::size_t{paths[last].from};
        if (paths[last].id != unknown_) {
            out.push_back({paths[last].id, word.origin(first, last)});
        } else {
            while (first > 0 && paths[first].id == unknown_) first = paths[first].from;
            add_unknown(pieces, word, first, last, out);
        }
        last = first;
    }
    for (auto i = begin, j = out.size(); i + 1 < j;) std::swap(out[i++], out[--j]);
}

// The last byte first, as the rest of the word.
TRAWL_INLINE void unigram::add_unknown(token_vocabulary const& pieces, word_bytes const& word,
    std::size_t first, std::size_t last, token_list& out) const {
    auto const text = word.text().substr(first, last - first);
    auto const origin = word.origin(first, last);
    auto const id = pieces.find(text);
    bool all = byte_fallback_ && id == token_vocabulary::none;
    for (auto const c : text)
        all = all && bytes_[static_cast<unsigned char>(c)] != token_vocabulary::none;
    if (!all) {
        out.push_back({id == token_vocabulary::none ? unknown_ : id, origin});
        return;
    }
    for (auto i = text.size(); i > 0; --i)
        out.push_back({bytes_[static_cast<unsigned char>(text[i - 1])], origin});
}

TRAWL_INLINE void unigram::describe(std::string& out) const {
    out += byte_fallback_ ? '\1' : '\0';
    if (scores_.empty()) return;
    out.append(reinterpret_cast<char const*>(scores_.data()), scores_.size() * sizeof(double));
}

} // namespace detail
TRAWL_END_NAMESPACE
