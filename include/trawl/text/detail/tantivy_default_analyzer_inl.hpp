// SPDX-License-Identifier: MIT
#pragma once

/// Body of tantivy_default_analyzer.hpp.

#include <trawl/text/analyzers/tantivy_default_analyzer.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <trawl/text/detail/character_runs.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE void tantivy_default_analyzer::analyze(std::string_view text, token_sink sink) const {
    std::uint32_t position = 0;
    std::string term;
    auto const alphanumeric = [](char32_t c) {
        return (detail::value_in(detail::alphanumerics, c) & 1) != 0;
    };
    detail::for_each_run(text, alphanumeric, [&](std::size_t begin, std::size_t end) {
        if (end - begin < 40) {
            term.clear();
            detail::append_lower(text.substr(begin, end - begin), term);
            sink({term, position, static_cast<std::uint32_t>(begin),
                static_cast<std::uint32_t>(end)});
        }
        ++position;
    });
}

TRAWL_END_NAMESPACE
