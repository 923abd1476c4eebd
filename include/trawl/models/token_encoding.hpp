// SPDX-License-Identifier: MIT
#pragma once

/// The result of a tokenizer, and its options.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

/// The tokens of a text, or of a pair of texts. All arrays have one element per token.
struct token_encoding {
    std::vector<std::uint32_t> ids = {};
    /// Token type (segment) ids: 0 for the first text, 1 for the second if the model distinguishes them.
    std::vector<std::uint32_t> types = {};
    /// The bytes [begin, end) of the text that a token was made of; `texts` says which text. Both are 0
    /// for a special token that was added.
    std::vector<std::uint32_t> begins = {};
    std::vector<std::uint32_t> ends = {};
    /// The text that a token came from: 0 or 1; 255 for a special token that was added.
    std::vector<std::uint8_t> texts = {};
    bool truncated = false; ///< the text has more tokens than max_tokens allowed

    [[nodiscard]] std::size_t size() const noexcept { return ids.size(); }
};

/// Which text of a pair is cut if both do not fit.
enum class truncation : unsigned char {
    longest_first, ///< the one with more tokens, until they have equally many; then both in turn
    only_first,
    only_second,
};

struct encode_options {
    /// The largest number of tokens in the result, special tokens included. A text loses its end.
    std::size_t max_tokens = static_cast<std::size_t>(-1);
    bool add_special = true; ///< add the model's special tokens, such as [CLS] and [SEP]
    truncation cut = truncation::longest_first; ///< for pairs
};

/// The ids of special tokens; none if the vocabulary lacks one. They are recognised by BERT's and
/// RoBERTa's names: [PAD] or <pad>, [CLS] or <s>, [SEP] or </s>, [MASK] or <mask>.
struct special_tokens {
    std::optional<std::uint32_t> unknown = {};
    std::optional<std::uint32_t> padding = {};
    std::optional<std::uint32_t> begin = {};     ///< [CLS], <s>
    std::optional<std::uint32_t> separator = {}; ///< [SEP], </s>
    std::optional<std::uint32_t> mask = {};
};

/// Settings of BERT's normalizer, which a vocab.txt does not contain.
struct wordpiece_options {
    bool lower_case = true;
    /// Remove accents; by default, if lower_case is on.
    std::optional<bool> strip_accents = {};
    bool split_cjk = true; ///< make each Chinese character a word
};

TRAWL_END_NAMESPACE
