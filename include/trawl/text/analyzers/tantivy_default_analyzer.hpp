// SPDX-License-Identifier: MIT
#pragma once

/// The terms of Tantivy's tokenizer "default".

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <trawl/core/concepts.hpp>
#include <trawl/text/detail/character_runs.hpp>

TRAWL_BEGIN_NAMESPACE

/// Rows of alphanumeric characters, in lower case; a row of 40 bytes or more is left out and leaves
/// its position empty. No accents are folded, no marks belong to words but alphabetic ones.
///
///     Don't x_y café CO₂    don | t | x | y | café | co₂
///
/// Thread-safe. O(n).
class tantivy_default_analyzer {
public:
    /// Hands the tokens of a text (UTF-8; any bytes are allowed) to sink.
    /// @throws trawl::error (invalid_argument) if the text has 4 GiB or more.
    void analyze(std::string_view text, token_sink sink) const {
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
};

static_assert(analyzer<tantivy_default_analyzer>);

TRAWL_END_NAMESPACE
