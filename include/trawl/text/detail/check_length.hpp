// SPDX-License-Identifier: MIT
#pragma once

/// The longest text that an analyzer takes.

#include <cstdint>
#include <string_view>

#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// @throws trawl::error (invalid_argument) if the text has 4 GiB or more: offsets have 32 bits.
inline void check_length(std::string_view text) {
    if (text.size() > std::uint32_t{0xFFFFFFFF}) {
        fail(errc::invalid_argument,
            join("analyze: the text has ", text.size(), " bytes, at most 4294967295 are allowed"));
    }
}

} // namespace detail
TRAWL_END_NAMESPACE
