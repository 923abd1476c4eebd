// SPDX-License-Identifier: MIT
#pragma once

/// Terms between blanks, as they are: what rank_bm25 and bm25s are given for the golden figures.

#include <cstdint>
#include <string_view>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/lexical/bm25_index.hpp>

namespace test {

struct whitespace {
    void analyze(std::string_view text, trawl::token_sink sink) const {
        std::uint32_t position = 0;
        for (std::size_t begin = 0; begin < text.size();) {
            auto const end = (std::min)(text.find(' ', begin), text.size());
            if (end > begin) {
                sink({text.substr(begin, end - begin), position++,
                    static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
            }
            begin = end + 1;
        }
    }
};

using index = trawl::basic_bm25_index<whitespace>;

inline std::vector<trawl::bm25_variant> all_variants() {
    std::vector<trawl::bm25_variant> variants;
    for (std::size_t i = 0; i < trawl::detail::bm25_variants; ++i) {
        variants.push_back(static_cast<trawl::bm25_variant>(i));
    }
    return variants;
}

static_assert(trawl::analyzer<whitespace> && trawl::scoring_retriever<index>);

} // namespace test
