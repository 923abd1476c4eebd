// SPDX-License-Identifier: MIT
#pragma once

/// Body of extractive_answerer.hpp.

#include <trawl/text/passages/extractive_answerer.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/text/passages/sentences.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE std::string quote_best(std::string_view question, context const& given,
    function_ref<void(std::string_view, token_sink)> analyze) {
    std::vector<std::string> asked;
    analyze(question, [&](token const& t) { asked.emplace_back(t.term); });
    std::sort(asked.begin(), asked.end());
    asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
    std::vector<std::size_t> seen(asked.size()); // the last passage, counted from 1, with the term
    passage const* best = nullptr;
    std::size_t most = 0;
    std::size_t number = 0;
    for (auto const& p : given.passages) {
        ++number;
        std::size_t shared = 0;
        analyze(p.text, [&](token const& t) {
            TRAWL_COUNT(1);
            auto const at = std::lower_bound(asked.begin(), asked.end(), t.term);
            if (at == asked.end() || *at != t.term) return;
            auto& last = seen[static_cast<std::size_t>(at - asked.begin())];
            if (last != number) ++shared;
            last = number;
        });
        if (shared <= most) continue;
        most = shared;
        best = &p;
    }
    std::string out;
    if (best == nullptr) return out;
    for (auto const sentence : sentences(best->text))
        out += join(out.empty() ? "" : " ", sentence, " [", best->key, "]");
    return out;
}

} // namespace detail
TRAWL_END_NAMESPACE
