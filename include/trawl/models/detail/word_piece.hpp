// SPDX-License-Identifier: MIT
#pragma once

/// The WordPiece model: a word is split into the longest pieces, from left to right.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <trawl/config.hpp>
#include <trawl/models/detail/piece_trie.hpp>
#include <trawl/models/detail/token_list.hpp>
#include <trawl/models/detail/token_vocabulary.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class word_piece {
public:
    word_piece() = default;
    /// @param unknown  The id of a word that the pieces do not make up.
    /// @param prefix  What pieces begin with that do not begin a word.
    /// @param longest  Words of more characters are unknown.
    word_piece(token_vocabulary const& pieces, std::uint32_t unknown, std::string_view prefix,
        std::size_t longest)
        : continuing_(pieces.behind(prefix)),
          prefix_(prefix),
          unknown_(unknown),
          longest_(longest) {}

    /// Appends the tokens of a word of so many characters. origin(first, last) says where its bytes came
    /// from. O(bytes * length of the longest piece).
    template <class Origin>
    void split(token_vocabulary const& pieces, std::string_view word, std::size_t characters,
        token_list& out, Origin&& origin) const {
        auto const before = out.size();
        auto const* trie = &pieces.trie();
        std::size_t at = 0;
        while (at < word.size() && characters <= longest_) {
            auto const found = trie->longest(word.substr(at));
            if (found.bytes == 0) break;
            out.push_back({found.id, origin(at, at + found.bytes)});
            at += found.bytes;
            trie = &continuing_;
        }
        if (at == word.size()) return;
        out.resize(before);
        out.push_back({unknown_, origin(std::size_t{0}, word.size())});
    }

    [[nodiscard]] std::uint32_t unknown() const noexcept { return unknown_; }
    [[nodiscard]] std::string const& prefix() const noexcept { return prefix_; }
    [[nodiscard]] std::size_t longest() const noexcept { return longest_; }

private:
    piece_trie continuing_ = {}; ///< without their prefix
    std::string prefix_ = {};
    std::uint32_t unknown_ = 0;
    std::size_t longest_ = 0;
};

} // namespace detail
TRAWL_END_NAMESPACE
