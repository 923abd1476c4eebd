// SPDX-License-Identifier: MIT
#pragma once

/// Body of pipeline/rewriting.hpp.

#include <trawl/pipeline/rewriting.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE std::vector<std::string_view> words_to_keep(std::string_view text) {
    std::vector<std::string_view> kept;
    auto const quoted = [&](std::string_view open, std::string_view close) {
        for (auto from = text.find(open); from != text.npos; from = text.find(open, from)) {
            from += open.size();
            auto const to = text.find(close, from);
            if (to == text.npos) return;
            if (to > from) kept.push_back(text.substr(from, to - from));
            from = to + close.size();
        }
    };
    quoted("\"", "\"");
    quoted("\xE2\x80\x9C", "\xE2\x80\x9D"); // “ ”
    auto const joins = [](char c) {
        return std::string_view("._/-:#").find(c) != std::string_view::npos;
    };
    auto const digit = [](char c) { return c >= '0' && c <= '9'; };
    standard_analyzer{}.analyze(text, [&](token const& t) {
        auto const word = text.substr(t.begin, t.end - t.begin);
        auto const within = [&](std::string_view whole) {
            return word.data() >= whole.data()
                   && word.data() + word.size() <= whole.data() + whole.size();
        };
        if (std::none_of(word.begin(), word.end(), joins)
            && std::none_of(word.begin(), word.end(), digit))
            return;
        if (std::none_of(kept.begin(), kept.end(), within)) kept.push_back(word);
    });
    std::stable_sort(kept.begin(), kept.end(),
        [](std::string_view a, std::string_view b) { return a.data() < b.data(); });
    return kept;
}

TRAWL_END_NAMESPACE
