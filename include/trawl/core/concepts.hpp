// SPDX-License-Identifier: MIT
#pragma once

/// What the components of a search must offer. Each concept asks for no more than its users need;
/// tests/core has for each the smallest type that satisfies it and a near miss that does not.

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE

template <class A>
concept analyzer = requires(A const& a, std::string_view text, token_sink sink) {
    /** Passes the tokens of a text to sink, in order. Positions never fall; offsets are in bytes. Thread-safe. */
    { a.analyze(text, sink) } -> std::same_as<void>;
};

template <class E>
concept embedder = requires(
    E const& e, std::span<std::string_view const> texts, text_role role, matrix_view<float> out) {
    { e.dim() } -> std::same_as<std::size_t>;
    /** Fills all of out [texts x dim] or throws. A row does not depend on the other texts of the batch. */
    { e.embed(texts, role, out) } -> std::same_as<void>;
};

template <class R>
concept retriever = requires(R const& r, query const& q, search_options const& options) {
    /** At most k hits, in the order of by_rank, inside the filter. Empty if the query has nothing for it. */
    { r.search(q, options) } -> std::same_as<ranking>;
};

template <class R>
concept scoring_retriever = retriever<R>
                            && requires(R const& r, query const& q, std::span<doc_id const> ids,
                                search_options const& options) {
                                   /** One hit for each id that it holds, in the order given, with the bits that search would give; 0
        where nothing matches. Ids that it lacks are left out; k is ignored. */
                                   { r.score(q, ids, options) } -> std::same_as<std::vector<hit>>;
                               };

/// A retriever that reads conditions out of a query, such as required and forbidden terms. In a
/// pipeline they bind every arm. If another arm has documents with higher ids, it must offer
/// next_id(), as indexes do, so that the set of documents covers them; otherwise these documents
/// are excluded.
template <class R>
concept conditional_retriever =
    retriever<R> && requires(R const& r, query const& q, std::size_t universe) {
        /** The documents that meet the conditions, over [0, universe) at least; nothing if the query has none. */
        { r.conditions(q, universe) } -> std::same_as<std::optional<doc_set>>;
    };

template <class F>
concept fusion_rule =
    std::copy_constructible<F> && requires(F const& f, std::span<ranking const> arms) {
        /** The union of the arms, in the order of by_rank. */
        { f(arms) } -> std::same_as<ranking>;
        /** Throws if the rule cannot fuse this number of arms. */
        { f.validate(arms.size()) } -> std::same_as<void>;
    };

template <class R>
concept reranker =
    requires(R const& r, query const& q, std::span<candidate const> batch, std::span<float> out) {
        /** Scores the whole batch or throws; higher is better. */
        { r(q, batch, out) } -> std::same_as<void>;
    };

template <class D>
concept diversifier = std::copy_constructible<D>
                      && requires(D const& d, query const& q, std::span<hit const> candidates,
                          matrix_view<float const> vectors, std::size_t k) {
                             /** Picks k, in order of picking. Row i of vectors belongs to candidate i; zero if it has none. The first
        k of k + 1 picks are the picks for k. */
                             { d(q, candidates, vectors, k) } -> std::same_as<ranking>;
                         };

template <class S>
concept text_source = requires(S const& s, doc_id id) {
    /** A view that is valid during the search, or a string. */
    { s.text(id) } -> std::convertible_to<std::string_view>;
} || requires(S const& s, doc_id id) {
    { s(id) } -> std::convertible_to<std::string_view>;
};

template <class S>
concept vector_source = requires(S const& s, doc_id id, std::span<float> out) {
    { s.dim() } -> std::same_as<std::size_t>;
    /** False: this document has none, and out is zeroed. */
    { s.copy_vector(id, out) } -> std::same_as<bool>;
};

TRAWL_END_NAMESPACE
