// SPDX-License-Identifier: MIT
#pragma once

/// The pieces of a tokenizer's vocabulary, by their ids and by their texts.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <trawl/config.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/models/detail/piece_trie.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Filled by add(), then indexed once. Of two pieces with the same text, or the same id, the later one
/// counts.
class token_vocabulary {
public:
    static constexpr std::uint32_t none = piece_trie::none;

    void add(std::string_view text, std::uint32_t id) {
        pieces_.push_back({texts_.size(), text.size(), id});
        texts_ += text;
        if (id >= size_) size_ = std::size_t{id} + 1;
    }

    /// Makes find(), text() and prefixes() usable.
    void index();

    /// How many were added.
    [[nodiscard]] std::size_t count() const noexcept { return pieces_.size(); }
    /// One more than the largest id.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// The text of a piece, empty for an id that none has.
    [[nodiscard]] std::string_view text(std::uint32_t id) const noexcept {
        if (id >= by_id_.size() || by_id_[id] == none) return {};
        return text_of(pieces_[by_id_[id]]);
    }
    /// The id of a piece, or none.
    [[nodiscard]] std::uint32_t find(std::string_view text) const noexcept {
        return trie_.find(text);
    }
    [[nodiscard]] piece_trie const& trie() const noexcept { return trie_; }
    /// The pieces that begin with `prefix`, without it.
    [[nodiscard]] piece_trie behind(std::string_view prefix) const;

    /// Appends texts and ids.
    void describe(std::string& out) const;

private:
    struct piece {
        std::size_t begin = 0;
        std::size_t bytes = 0;
        std::uint32_t id = 0;
    };

    [[nodiscard]] std::string_view text_of(piece const& of) const noexcept {
        return std::string_view(texts_).substr(of.begin, of.bytes);
    }

    std::string texts_ = {};
    buffer<piece> pieces_ = {};
    buffer<std::uint32_t> by_id_ = {}; ///< which piece
    std::size_t size_ = 0;
    piece_trie trie_ = {};
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/token_vocabulary_inl.hpp>
#endif
