// SPDX-License-Identifier: MIT
#pragma once

/// Where sentences end.

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <trawl/text/passages/markdown.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The byte past the sentence that begins at `at`, and past the blanks after it; `end` if it is the
/// last one. A sentence ends with . ! ? and a blank before anything but a small letter, or with the
/// full-width marks.
[[nodiscard]] inline std::size_t past_sentence(
    std::string_view text, std::size_t at, std::size_t end) noexcept {
    for (; at < end; ++at) {
        auto const rest = text.substr(at, end - at);
        if (rest.starts_with("\xE3\x80\x82") || rest.starts_with("\xEF\xBC\x81")
            || rest.starts_with("\xEF\xBC\x9F")) {
            return at + 3;
        }
        if (rest.front() != '.' && rest.front() != '!' && rest.front() != '?') continue;
        auto const after = (std::min)(rest.find_first_not_of(".!?\"')]*_`"), rest.size());
        auto const next = (std::min)(rest.find_first_not_of(blanks, after), rest.size());
        if (next > after && (next == rest.size() || rest[next] < 'a' || rest[next] > 'z'))
            return at + next;
        at += after - 1;
    }
    return end;
}

} // namespace detail
TRAWL_END_NAMESPACE
