// SPDX-License-Identifier: MIT
#pragma once

/// Puts back what a rewriting has lost.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/error.hpp>
#include <trawl/pipeline/rewriting.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// Whether all tokens of `wanted` come in `text` one after the other.
[[nodiscard]] inline bool holds(std::string_view text, std::string_view wanted) {
    auto const terms_of = [](std::string_view from) {
        std::vector<std::string> terms;
        standard_analyzer{}.analyze(from, [&](token const& t) { terms.emplace_back(t.term); });
        return terms;
    };
    auto const all = terms_of(text);
    auto const part = terms_of(wanted);
    return std::search(all.begin(), all.end(), part.begin(), part.end()) != all.end();
}

/// Puts back what the new text has lost, if asked to; says so in the notes either way.
inline void restore_lost(
    std::string_view before, std::string& after, bool protect, std::vector<std::string>& notes) {
    for (auto const word : words_to_keep(before)) {
        if (holds(after, word)) continue;
        notes.push_back(join("the rewriting lost '", word, protect ? "', put back" : "'"));
        if (protect) after.append(" ").append(word);
    }
}

} // namespace detail
TRAWL_END_NAMESPACE
