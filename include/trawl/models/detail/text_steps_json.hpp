// SPDX-License-Identifier: MIT
#pragma once

/// How tokenizer.json describes the steps before the model: normalizer and pre_tokenizer.

#include <trawl/config.hpp>
#include <trawl/models/detail/json_reader.hpp>
#include <trawl/models/detail/tokenizer_parts.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Adds a normalizer. @throws trawl::error (parse) naming what is not supported.
void read_normaliser(json_reader& in, tokenizer_parts& out);
/// Adds a pre_tokenizer. @throws trawl::error (parse) naming what is not supported.
void read_splitter(json_reader& in, tokenizer_parts& out);
/// Adds the steps of BERT's normaliser.
void add_bert_rules(bert_rules rules, tokenizer_parts& out);

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/text_steps_json_inl.hpp>
#endif
