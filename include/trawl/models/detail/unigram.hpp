// SPDX-License-Identifier: MIT
#pragma once

/// The Unigram model: a word is split into the pieces whose scores have the largest sum.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <trawl/config.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/models/detail/aligned_text.hpp>
#include <trawl/models/detail/piece_trie.hpp>
#include <trawl/models/detail/token_list.hpp>
#include <trawl/models/detail/token_vocabulary.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class unigram {
public:
    unigram() = default;
    /// @param scores  By id, finite: the logarithms of the pieces' probabilities.
    /// @param byte_fallback  Unknown text becomes the pieces <0x00> to <0xFF>, if they are all there.
    unigram(token_vocabulary const& pieces, buffer<double> scores, std::uint32_t unknown,
        bool byte_fallback);

    /// The best split of the bytes up to a place.
    struct best_path {
        double score = 0;
        std::uint32_t from = token_vocabulary::none; ///< where its last piece begins
        std::uint32_t id = 0;                        ///< of its last piece
    };

    /// Memory to work in.
    struct workspace {
        buffer<best_path> paths = {};          ///< by byte
        buffer<piece_trie::match> begins = {}; ///< the pieces with which a word begins
    };

    /// Appends the tokens of a word, their origins being bytes of the word. Unknown characters side by
    /// side are one token. O(bytes * length of the longest piece).
    void split(token_vocabulary const& pieces, std::string_view word, workspace& work,
        token_list& out) const;

    [[nodiscard]] std::uint32_t unknown() const noexcept { return unknown_; }

    /// Appends everything that decides the result, save the pieces.
    void describe(std::string& out) const;

private:
    void add_unknown(token_vocabulary const& pieces, std::string_view word, byte_span place,
        token_list& out) const;

    // Whether a piece, taken for a word, is best left whole: 0 not known yet, 1 yes, 2 no. It follows from the
    // pieces, so that it does not matter which thread finds out first.
    using wholeness = std::atomic<unsigned char>;

    buffer<double> scores_ = {};
    std::unique_ptr<wholeness[]> whole_ = {}; ///< by id
    double unknown_score_ = 0;                ///< of a character that no piece begins with
    std::uint32_t unknown_ = 0;
    bool byte_fallback_ = false;
    std::uint32_t bytes_[256] = {}; ///< the pieces of single bytes, or none
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/unigram_inl.hpp>
#endif
