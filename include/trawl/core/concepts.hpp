// SPDX-License-Identifier: MIT
#pragma once

/// What the parts of a search must offer. Each concept is the least that its users need; tests/core
/// holds, for each, an archetype that just passes and a near miss that is refused.

#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE

template <class A>
concept analyzer = requires(A const& a, std::string_view text, token_sink sink) {
    /** Hands the tokens of a text to sink, in order. Positions never fall; offsets are bytes. Thread-safe. */
    { a.analyze(text, sink) } -> std::same_as<void>;
};

template <class E>
concept embedder = requires(
    E const& e, std::span<std::string_view const> texts, text_role role, matrix_view<float> out) {
    { e.dim() } -> std::same_as<std::size_t>;
    /** Fills out [texts x dim] whole or throws. A row does not depend on the rest of its batch. */
    { e.embed(texts, role, out) } -> std::same_as<void>;
};

template <class R>
concept retriever = requires(R const& r, query const& q, search_options const& options) {
    /** At most k hits, in the order of by_rank, inside the filter. No part for it in the query: empty. */
    { r.search(q, options) } -> std::same_as<ranking>;
};

template <class R>
concept scoring_retriever = retriever<R>
                            && requires(R const& r, query const& q, std::span<doc_id const> ids,
                                search_options const& options) {
                                   /** One hit for each id that it holds, in the order given: the bits that search would give, 0 where
        nothing matches. Ids that it lacks are left out; k is ignored. */
                                   { r.score(q, ids, options) } -> std::same_as<std::vector<hit>>;
                               };

template <class F>
concept fusion_rule =
    std::copy_constructible<F> && requires(F const& f, std::span<ranking const> arms) {
        /** The whole union of the arms, in the order of by_rank. */
        { f(arms) } -> std::same_as<ranking>;
        /** Throws if the rule cannot fuse so many arms. */
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
                             /** Picks k, in order of picking. Row i of vectors belongs to candidate i, zero if it has none. The pick
        of k is the beginning of the pick of k + 1. */
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
