// SPDX-License-Identifier: MIT
#pragma once

/// BERT's normaliser, word splitter and WordPiece in one pass over a text: the same tokens that
/// text_normaliser, word_splitter and word_piece give one after the other.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <trawl/config.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/models/detail/aligned_text.hpp>
#include <trawl/models/detail/token_list.hpp>
#include <trawl/models/detail/token_vocabulary.hpp>
#include <trawl/models/detail/word_piece.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// BERT's normaliser.
struct bert_rules {
    bool clean = true;
    bool split_chinese = true;
    bool drop_accents = true;
    bool lower = true;
};

/// What the ASCII characters are by some rules.
class bert_words {
public:
    bert_words() = default;
    bert_words(bert_rules rules, token_vocabulary const& pieces, word_piece const& model);

    /// Appends the tokens of bytes of a text; stops behind the word that exceeds `most` tokens.
    void split(std::string_view text, byte_span span, token_vocabulary const& pieces,
        word_piece const& model, std::size_t most, token_list& out) const;

private:
    friend class bert_scan;

    enum class action : unsigned char { letter, space, punctuation, drop, other };

    bert_rules rules_ = {};
    action actions_[256] = {};
    char lower_[128] = {};
    std::uint32_t single_[128] = {}; ///< the token of a punctuation mark
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/bert_words_inl.hpp>
#endif
