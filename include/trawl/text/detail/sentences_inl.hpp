// SPDX-License-Identifier: MIT
#pragma once

/// Body of sentences.hpp.

#include <trawl/text/passages/sentences.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

#include <trawl/text/detail/blanks.hpp>
#include <trawl/text/detail/sentence.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE std::vector<std::string_view> sentences(std::string_view text) {
    std::vector<std::string_view> out;
    for (std::size_t at = 0; at < text.size();) {
        auto line = text.find('\n', at);
        if (line == text.npos) line = text.size();
        while (at < line) {
            auto const end = detail::past_sentence(text, at, line);
            TRAWL_COUNT(end - at);
            auto const found = detail::trimmed(text.substr(at, end - at));
            if (!found.empty()) out.push_back(found);
            at = end;
        }
        at = line + 1;
    }
    return out;
}

TRAWL_END_NAMESPACE
