// SPDX-License-Identifier: MIT
#pragma once

/// All that the files of a tokenizer say.

#include <cstdint>

#include <trawl/config.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/models/detail/added_tokens.hpp>
#include <trawl/models/detail/bert_words.hpp>
#include <trawl/models/detail/text_normaliser.hpp>
#include <trawl/models/detail/token_vocabulary.hpp>
#include <trawl/models/detail/unigram.hpp>
#include <trawl/models/detail/word_piece.hpp>
#include <trawl/models/detail/word_splitter.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

enum class subword_model : unsigned char { word_piece, unigram };

/// A place in what the model is given: the tokens of a text, or a special token.
struct template_item {
    std::uint8_t text = 0; ///< 0 or 1; 255 for a special token
    std::uint32_t id = 0;  ///< of the special token
    std::uint32_t type = 0;
};

struct tokenizer_parts {
    text_normaliser normaliser = {};
    bool has_bert_rules = false; ///< the normaliser is BERT's, by these rules
    bert_rules bert = {};
    word_splitter splitter = {};
    bool bert_splits = false; ///< the splitter is BERT's
    subword_model model = subword_model::word_piece;
    token_vocabulary vocabulary = {}; ///< indexed
    word_piece pieces = {};
    unigram grams = {};
    added_tokens added = {};
    buffer<template_item> single = {};
    buffer<template_item> pair = {};
};

} // namespace detail
TRAWL_END_NAMESPACE
