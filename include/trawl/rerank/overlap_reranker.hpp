// SPDX-License-Identifier: MIT
#pragma once

/// A reranker that needs no model: it counts what a text shares with the query.

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include <trawl/core/concepts.hpp>
#include <trawl/core/words.hpp>
#include <trawl/text/analyzers/english_analyzer.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

void score_overlap(query const& q, std::span<candidate const> batch, std::span<float> out,
    function_ref<void(std::string_view, token_sink)> analyze);

} // namespace detail

/// Scores a text by the number of distinct words that it shares with the query, plus 2 for each
/// distinct pair of words that are neighbours in both. The analyzer says what a word is and drops
/// stop words, so that the words on either side of one are neighbours. Words at one position are
/// alternatives, and neighbours of all words at the next position. The words of the query are its
/// weighted terms, if it has any, in the order given; else those of its text.
/// @par Complexity O(T log w) for T words in the texts of a batch and w words in the query; memory
/// O(w^2) at most.
template <analyzer Analyzer>
class basic_overlap_reranker {
public:
    basic_overlap_reranker() = default;
    explicit basic_overlap_reranker(Analyzer words) : analyzer_(std::move(words)) {}

    /// @param batch  n candidates, of which only the text is read.
    /// @param out    [n]; a score is a whole number >= 0, 0 if the query has no words.
    /// @throws trawl::error (dimension_mismatch) if the two differ in size.
    void operator()(query const& q, std::span<candidate const> batch, std::span<float> out) const {
        auto const analyze = [this](std::string_view text, token_sink sink) {
            analyzer_.analyze(text, sink);
        };
        detail::score_overlap(q, batch, out, analyze);
    }

private:
    Analyzer analyzer_ = {};
};

/// For English; stop words are dropped and stems compared. For another language, give
/// basic_overlap_reranker its analyzer.
using overlap_reranker = basic_overlap_reranker<english_analyzer>;

static_assert(reranker<overlap_reranker>);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/rerank/detail/overlap_reranker_inl.hpp>
#endif
