// SPDX-License-Identifier: MIT
#pragma once

/// An answerer that needs no model and no network: it quotes.

#include <string>
#include <string_view>
#include <utility>

#include <trawl/core/concepts.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/core/words.hpp>
#include <trawl/text/analyzers/english_analyzer.hpp>
#include <trawl/text/passages/context.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] std::string quote_best(std::string_view question, context const& given,
    function_ref<void(std::string_view, token_sink)> analyze);

} // namespace detail

/// Quotes the passage that shares the most distinct terms with the question, the first of equals; the
/// passage's id follows each sentence. The answer is empty if no passage shares a term. Understands
/// nothing: it stands in for a model where there is none.
/// @par Complexity O(T log q), T terms of the context and q of the question.
template <analyzer Analyzer>
class basic_extractive_answerer {
public:
    basic_extractive_answerer() = default;
    explicit basic_extractive_answerer(Analyzer words) : analyzer_(std::move(words)) {}

    [[nodiscard]] std::string operator()(std::string_view question, context const& given) const {
        return detail::quote_best(question, given,
            [this](std::string_view text, token_sink sink) { analyzer_.analyze(text, sink); });
    }

private:
    Analyzer analyzer_ = {};
};

/// For English.
using extractive_answerer = basic_extractive_answerer<english_analyzer>;

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/text/detail/extractive_answerer_inl.hpp>
#endif
