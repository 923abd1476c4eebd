// SPDX-License-Identifier: MIT
#pragma once

/// What of a collection may be searched: all of it, or the documents for which a condition is true;
/// as it is at each call, or as it was at one moment.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/collection/condition.hpp>
#include <trawl/collection/document.hpp>
#include <trawl/collection/options.hpp>
#include <trawl/collection/search.hpp>
#include <trawl/core/doc_set.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/core/words.hpp>
#include <trawl/lexical/lexical_segments.hpp>
#include <trawl/pipeline/any_retriever.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {
class collection_engine;
struct collection_state;
} // namespace detail

/// The vectors of the passages of a view at one moment: a vector_source for diversifiers and
/// drop_near_duplicates. Passages outside the view have none.
class collection_vectors {
public:
    [[nodiscard]] std::size_t dim() const noexcept;
    /// As flat_index::copy_vector.
    bool copy_vector(doc_id passage, std::span<float> out) const;

private:
    friend class collection_view;
    collection_vectors(std::shared_ptr<detail::collection_state const> state, std::size_t space,
        std::shared_ptr<doc_set const> inside)
        : state_(std::move(state)), space_(space), inside_(std::move(inside)) {}

    std::shared_ptr<detail::collection_state const> state_;
    std::size_t space_;
    std::shared_ptr<doc_set const> inside_;
};

/// A handle to a collection, or to those of its documents for which a condition is true: no query can
/// widen it. Nothing of other documents shows in hits, counts, facets, completions, corrections,
/// explanations, scores (N, df and average lengths are those of the documents inside) or errors. It
/// is no authentication: whoever holds the collection itself can search all of it.
///
/// Copies share the collection, which stays open, and locked, as long as one of them lives;
/// snapshots keep files only. Any number of threads may use one; each call sees what was committed
/// last when it began, or, of a snapshot, what was committed when the snapshot was taken: all arms
/// the same.
class collection_view {
public:
    /// The best passages for a text: those that contain its words and, where there is an embedder or
    /// a vector is given, those whose vectors are near. The text is read in the language of
    /// trawl/lexical/query_syntax.hpp; its +, -, phrases and fields are conditions on every hit,
    /// whichever arm found it. An empty query without a vector gives the documents of the filter in
    /// the order in which they were committed.
    /// @throws trawl::error (unknown_id, invalid_argument) for a condition, a field or a vector space
    /// that the collection does not have, listing those it has; (parse) for a cursor or, in strict
    /// syntax, a text that cannot be read; (dimension_mismatch, not_finite, weight_count); what the
    /// embedder throws.
    /// @par Complexity  that of the arms; O(rows / 64) for a filter. `count`, `facets` and `sort` read
    /// all postings of the query's words.
    [[nodiscard]] collection_result search(
        std::string_view text, collection_search_options const& options = {}) const;

    /// Why a passage has its score in such a search, through the fusion down to the arms. A leaf of
    /// value 0 says why it has none; a passage outside the view does not exist.
    /// @param key  of the passage, or of a document with a single one.
    [[nodiscard]] explanation explain(std::string_view text, std::string_view key,
        collection_search_options const& options = {}) const;

    /// The document of a key as it was put; nothing if there is none.
    [[nodiscard]] std::optional<document> get(std::string_view key) const;

    /// How many documents there are, and how many passages.
    /// @par Complexity  O(1); with a condition O(rows).
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] std::size_t passages() const;

    /// Calls visit(key) for each document, in the order of their ids, until it returns false.
    void for_each_key(function_ref<bool(std::string_view)> visit) const;

    /// Words that begin with a prefix, most documents first.
    [[nodiscard]] std::vector<counted_term> completions(
        std::string_view prefix, std::size_t n = 10) const;

    /// The text with unknown words replaced by the nearest known ones; nothing if all are known.
    [[nodiscard]] std::optional<std::string> corrected(std::string_view text) const;

    /// This view at this moment: later commits do not show.
    [[nodiscard]] collection_view snapshot() const;

    /// The documents of this view for which the condition is true, too.
    /// @throws trawl::error as validate(where, the collection's fields).
    [[nodiscard]] collection_view view(condition where) const;

    /// The arms, to build any hybrid_search of: the words, and the vectors of a space (empty: the
    /// first). They search this view as it is now.
    /// @throws trawl::error (unknown_id) for a space that does not exist.
    [[nodiscard]] any_retriever words() const;
    [[nodiscard]] any_retriever vectors(std::string_view space = {}) const;

    /// What the stages and the filter of such a hybrid_search need besides: the vectors of a space
    /// (empty: the first), and the passages for which a condition is true.
    /// @throws trawl::error (unknown_id) for a space that does not exist; as validate(where, fields()).
    [[nodiscard]] collection_vectors stored_vectors(std::string_view space = {}) const;
    [[nodiscard]] doc_set matching(condition const& where) const;

    /// The hits of a ranking that such a hybrid_search gave for a text: those inside the view, with
    /// their scores, and with snippets and scores by arm as search() gives them for the text.
    /// @param options  of which highlight, syntax, vector, vectors and statistics count.
    /// @throws trawl::error as search().
    [[nodiscard]] std::vector<collection_hit> hits(std::span<hit const> found,
        std::string_view text, collection_search_options const& options = {}) const;

    /// The passage of an id that an arm gave, its key and the key of its parent; empty if it is not
    /// there. For the stages of a hybrid_search.
    [[nodiscard]] std::string text(doc_id passage) const;
    [[nodiscard]] std::string key(doc_id passage) const;
    [[nodiscard]] std::string parent(doc_id passage) const;

    [[nodiscard]] std::vector<metadata_field> fields() const;

    /// The options that make a collection like this one: its fields, texts, vector spaces with the
    /// embedders of this process, analyzer, parameters and chunks.
    [[nodiscard]] collection_options options() const;

private:
    friend class collection;
    struct searched;

    collection_view(std::shared_ptr<detail::collection_engine const> engine, condition where)
        : engine_(std::move(engine)), where_(std::move(where)) {}

    [[nodiscard]] std::shared_ptr<detail::collection_state const> state() const;

    std::shared_ptr<detail::collection_engine const> engine_;
    std::shared_ptr<detail::collection_state const> pinned_ = {}; ///< null: the newest
    condition where_;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/collection/detail/view_inl.hpp>
#include <trawl/collection/detail/view_search_inl.hpp>
#endif
