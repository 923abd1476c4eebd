// SPDX-License-Identifier: MIT
#pragma once

/// The files that describe a tokenizer: tokenizer.json, vocab.txt, tokenizer_config.json.

#include <string_view>

#include <trawl/config.hpp>
#include <trawl/models/detail/tokenizer_parts.hpp>
#include <trawl/models/token_encoding.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// @throws trawl::error (parse), its text beginning "NAME: ", naming what is not supported.
[[nodiscard]] tokenizer_parts read_tokenizer_json(std::string_view json, std::string_view name);

/// @throws trawl::error (parse), its text beginning "NAME: ".
[[nodiscard]] tokenizer_parts read_vocabulary(
    std::string_view lines, std::string_view name, wordpiece_options options);

/// Reads a tokenizer_config.json.
/// @throws trawl::error (parse), its text beginning "NAME: ".
[[nodiscard]] wordpiece_options read_wordpiece_options(
    std::string_view json, std::string_view name);

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/tokenizer_files_inl.hpp>
#endif
