// SPDX-License-Identifier: MIT
#pragma once

/// Late interaction: a document is as good as its tokens answer those of the question.

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include <trawl/core/concepts.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/holding.hpp>
#include <trawl/core/late_interaction.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

template <class S>
concept token_vector_source = requires(S const& s, doc_id id) {
    /** [tokens x dim], valid during the search; no rows: the document has none. */
    { s(id) } -> std::convertible_to<matrix_view<float const>>;
};

/// MaxSim as a reranker: score(d) = sum over the question's tokens of the largest dot product with
/// a token of d. Cosines, if the vectors are of unit length. A document without token vectors has
/// score 0. Dot products have 16 lanes and the same bits on every machine; they are added in
/// double, first token to last, and rounded to float once.
///
/// Reads no text: .rerank(trawl::maxsim(tokens), trawl::no_text{}). An lvalue is borrowed, an
/// rvalue owned, a shared_ptr shared.
/// @tparam Source Its holder; deduced.
/// @par Source Khattab, Zaharia, "ColBERT: efficient and effective passage search via
/// contextualized late interaction over BERT", SIGIR 2020.
template <class Source>
class maxsim {
public:
    template <class S>
        requires(!std::same_as<std::remove_cvref_t<S>, maxsim>
                 && std::same_as<detail::held<S>, Source>
                 && token_vector_source<detail::held_target<S>>)
    explicit maxsim(S&& tokens)
        : tokens_((detail::require_object(tokens, "maxsim: the token vectors"),
            std::forward<S>(tokens))) {}

    /// @param q  Its token_vectors, [tokens x dim].
    /// @throws trawl::error (invalid_argument) if the question has no token vectors;
    /// (dimension_mismatch); (not_finite) naming the document whose dot products are not finite, or
    /// the question's token.
    /// @par Complexity O(tokens of the question * tokens of the documents * dim).
    void operator()(query const& q, std::span<candidate const> batch, std::span<float> out) const {
        if (out.size() != batch.size()) {
            detail::fail(
                errc::dimension_mismatch, detail::join("maxsim: ", batch.size(),
                                              " candidates, room for ", out.size(), " scores"));
        }
        check(q);
        maxsim_scorer scorer(q.token_vectors);
        for (std::size_t i = 0; i < batch.size(); ++i)
            out[i] = scorer.score(tokens_.get()(batch[i].id), batch[i].id);
    }

    /// Which token of the document answers which of the question.
    [[nodiscard]] explanation explain(query const& q, candidate const& c) const {
        check(q);
        return maxsim_scorer(q.token_vectors).explain(tokens_.get()(c.id), c.id);
    }

private:
    static void check(query const& q) {
        if (q.token_vectors.empty()) {
            detail::fail(errc::invalid_argument,
                "maxsim: the query has no token vectors: set query::token_vectors");
        }
        check_token_vectors("maxsim: the query's", q.token_vectors);
    }

    Source tokens_;
};

template <class S>
maxsim(S&&) -> maxsim<detail::held<S>>;

TRAWL_END_NAMESPACE
