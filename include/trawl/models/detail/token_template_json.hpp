// SPDX-License-Identifier: MIT
#pragma once

/// How tokenizer.json describes which special tokens are added: post_processor.

#include <trawl/config.hpp>
#include <trawl/models/detail/json_reader.hpp>
#include <trawl/models/detail/tokenizer_parts.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Sets the order of tokens. @throws trawl::error (parse) naming what is not supported.
void read_template(json_reader& in, tokenizer_parts& out);

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/token_template_json_inl.hpp>
#endif
