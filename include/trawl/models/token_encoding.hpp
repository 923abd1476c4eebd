// SPDX-License-Identifier: MIT
#pragma once

/// What a tokenizer gives, and what it is told.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

/// The tokens of a text, or of a pair of texts. All arrays have the same length.
struct token_encoding {
    std::vector<std::uint32_t> ids = {};
    /// 0 for the first text and its special tokens, 1 for the second, where the model tells them apart.
    std::vector<std::uint32_t> types = {};
    /// Where the token's characters begin and end in the text that it came from, in bytes: in the first
    /// text or in the second, by `texts`. Both 0 for a special token that was added.
    std::vector<std::uint32_t> begins = {};
    std::vector<std::uint32_t> ends = {};
    /// Which text it came from: 0 or 1; 255 for a special token that was added.
    std::vector<std::uint8_t> texts = {};
    bool truncated = false; ///< tokens were left out, because there were more than max_tokens

    [[nodiscard]] std::size_t size() const noexcept { return ids.size(); }
};

/// What a pair of texts loses first if it has too many tokens.
enum class truncation : unsigned char {
    longest_first, ///< tokens of whichever text is longer, until both fit
    only_first,
    only_second,
};

struct encode_options {
    /// At most so many tokens, those that are added included. The end of a text is cut off.
    std::size_t max_tokens = static_cast<std::size_t>(-1);
    /// Whether the model's special tokens, such as [CLS] and [SEP], are added.
    bool add_special = true;
    truncation cut = truncation::longest_first; ///< of a pair
};

/// The tokens with a meaning of their own; none if the model lacks it.
struct special_tokens {
    std::optional<std::uint32_t> unknown = {};
    std::optional<std::uint32_t> padding = {};
    std::optional<std::uint32_t> begin = {};     ///< [CLS], <s>
    std::optional<std::uint32_t> separator = {}; ///< [SEP], </s>
    std::optional<std::uint32_t> mask = {};
};

/// How a vocab.txt is read, which says nothing about it.
struct wordpiece_options {
    bool lower_case = true;
    /// Whether accents are dropped; as lower_case if nothing is said.
    std::optional<bool> strip_accents = {};
    bool split_cjk = true; ///< each Chinese character is a word
};

TRAWL_END_NAMESPACE
