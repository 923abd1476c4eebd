// SPDX-License-Identifier: MIT
#pragma once

/// The words that stemmers of western languages touch.

#include <string_view>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Whether a term consists of the letters a to z.
[[nodiscard]] inline bool is_lower_ascii(std::string_view term) noexcept {
    for (char const c : term) {
        if (c < 'a' || c > 'z') return false;
    }
    return true;
}

} // namespace detail
TRAWL_END_NAMESPACE
