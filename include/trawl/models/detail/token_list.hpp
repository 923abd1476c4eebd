// SPDX-License-Identifier: MIT
#pragma once

/// Tokens as the models of a tokenizer give them.

#include <cstddef>
#include <cstdint>

#include <trawl/config.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/models/detail/aligned_text.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct found_token {
    std::uint32_t id = 0;
    byte_span origin = {};
};

using token_list = buffer<found_token>;

} // namespace detail
TRAWL_END_NAMESPACE
