// SPDX-License-Identifier: MIT
#pragma once

/// The trawl::error that a call throws, to look at.

#include "support/catch.hpp"

#include <string>
#include <string_view>

#include <trawl/error.hpp>

namespace support {

struct thrown {
    trawl::errc code;
    std::string text;

    /// Whether the message holds this, a name or a value.
    [[nodiscard]] bool names(std::string_view part) const {
        return text.find(part) != std::string::npos;
    }
};

/// Fails the test if the call throws none.
template <class Call>
thrown error_of(Call&& call) {
    try {
        call();
    } catch (trawl::error const& e) {
        return {e.code(), e.what()};
    }
    FAIL("no trawl::error was thrown");
    return {};
}

} // namespace support
