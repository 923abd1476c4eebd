// SPDX-License-Identifier: MIT
#pragma once

/// An answerer that needs no model and no network: it quotes.

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <trawl/core/concepts.hpp>
#include <trawl/text/analyzers/english_analyzer.hpp>
#include <trawl/text/passages/citations.hpp>
#include <trawl/text/passages/context.hpp>

TRAWL_BEGIN_NAMESPACE

/// Quotes the passage that shares the most distinct words with the question, the first of equals,
/// each sentence followed by the passage's id; nothing without context, or where no passage shares
/// a word. It understands nothing: it stands in for a model where there is none.
/// @par Complexity O(T log w) for T words of the context and w of the question.
template <analyzer Analyzer>
class basic_extractive_answerer {
public:
    basic_extractive_answerer() = default;
    explicit basic_extractive_answerer(Analyzer words) : analyzer_(std::move(words)) {}

    [[nodiscard]] std::string operator()(std::string_view question, context const& given) const {
        std::set<std::string, std::less<>> asked;
        analyzer_.analyze(question, [&](token const& t) { asked.emplace(t.term); });
        passage const* best = nullptr;
        std::size_t most = 0;
        for (auto const& p : given.passages) {
            std::set<std::string, std::less<>> shared;
            analyzer_.analyze(p.text, [&](token const& t) {
                if (asked.contains(t.term)) shared.emplace(t.term);
            });
            if (shared.size() <= most) continue;
            most = shared.size();
            best = &p;
        }
        return best == nullptr ? std::string() : quoted(*best);
    }

private:
    [[nodiscard]] static std::string quoted(passage const& p) {
        std::string out;
        for (auto const sentence : detail::sentences(p.text)) {
            out += detail::join(out.empty() ? "" : " ", sentence, " [", p.key, "]");
        }
        return out;
    }

    Analyzer analyzer_ = {};
};

/// For English.
using extractive_answerer = basic_extractive_answerer<english_analyzer>;

TRAWL_END_NAMESPACE
