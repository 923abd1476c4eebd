// SPDX-License-Identifier: MIT
#pragma once

/// Queries with a known answer, made of the documents themselves, for collections that nobody has
/// judged: a piece is cut out of a document, and the document is what a search with that piece should
/// find (the inverse cloze task).

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/core/words.hpp>
#include <trawl/eval/qrels.hpp>

TRAWL_BEGIN_NAMESPACE

/// What is cut out of a document.
enum class pseudo_query_source : unsigned char {
    passage,        ///< some consecutive words of the text
    title,          ///< the title
    heading,        ///< a heading of markdown in the text
    first_sentence, ///< the first sentence of the text
};

/// "passage", "title", "heading", "first-sentence".
[[nodiscard]] constexpr std::string_view name_of(pseudo_query_source source) noexcept {
    constexpr std::string_view names[] = {"passage", "title", "heading", "first-sentence"};
    return names[static_cast<std::size_t>(source)];
}

struct pseudo_query_options {
    std::size_t count = 1000; ///< the highest number of queries
    std::uint64_t seed = 1;
    /// Taken in turn. A document that cannot give what its turn asks for gives a passage. Each kind errs
    /// in its own way: docs/tuning.md has figures of passages alone and of other mixtures.
    std::vector<pseudo_query_source> sources = {
        pseudo_query_source::passage, pseudo_query_source::title, pseudo_query_source::title};
    std::size_t min_words = 6;  ///< of a passage, at least 1
    std::size_t max_words = 12; ///< of a passage
    /// The numbers of words of real queries: a passage is as long as one of them, drawn at random.
    /// Empty: any length from min_words to max_words.
    std::vector<std::size_t> lengths = {};
};

/// A document as it is drawn from. The texts are borrowed for the call.
struct titled_text {
    std::string_view title = {};
    std::string_view text = {};
};

struct pseudo_query {
    doc_id document = no_doc; ///< the one right answer
    pseudo_query_source source = pseudo_query_source::passage;
    std::string query = {}; ///< the piece that was cut out
    std::string title = {}; ///< what the document has left: index this instead of it
    std::string text = {};
};

namespace detail {

[[nodiscard]] std::vector<pseudo_query> draw_pseudo_queries(std::span<titled_text const> documents,
    pseudo_query_options const& options, function_ref<void(std::string_view, token_sink)> analyze);

} // namespace detail

/// Draws queries, at most one from each document. Index the documents, with `title` and `text` of a
/// pseudo query in place of the document that it came from; what is learnt from the documents, such as
/// the directions of latent semantic analysis, must be learnt from what is left, too: an embedder that
/// has read a passage inside its document finds it there again. docs/tuning.md shows what that costs.
///
/// A piece is used only if it has two different terms at least, leaves the text five words, and stands
/// nowhere else in any document, word for word, so that one document answers it and its words are not
/// left behind. Words are those of word_analyzer.
/// @param analyzer  of the index; says which words are terms.
/// @return In ascending order of documents; fewer than count where too few documents serve. The same
/// documents, analyzer and options give the same queries.
/// @throws trawl::error (invalid_argument) if there are no sources, min_words is 0 or above max_words,
/// a length is 0, or there are more documents than doc_id can number.
/// @par Complexity O(bytes of the documents).
/// @par Source The task: Lee, Chang, Toutanova, "Latent retrieval for weakly supervised open domain
/// question answering", ACL 2019.
template <analyzer Analyzer>
[[nodiscard]] std::vector<pseudo_query> draw_pseudo_queries(std::span<titled_text const> documents,
    Analyzer const& words, pseudo_query_options const& options = {}) {
    return detail::draw_pseudo_queries(documents, options,
        [&](std::string_view text, token_sink sink) { words.analyze(text, sink); });
}

/// Judgements for evaluate and all else that takes qrels: each query has the key of its document, and
/// that document has grade 1.
/// @param key_of  The key of a document; valid until it is called again.
/// @throws trawl::error (duplicate_key) if two documents have the same key.
[[nodiscard]] qrels judgements_of(
    std::span<pseudo_query const> queries, function_ref<std::string_view(doc_id)> key_of);

/// The number of words of a text as pseudo_query_options::lengths counts them. O(n).
[[nodiscard]] std::size_t count_words(std::string_view text);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/pseudo_queries_inl.hpp>
#endif
