// SPDX-License-Identifier: MIT
#pragma once

/// Late interaction: scores a document by how well its token vectors match those of the query.

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include <trawl/core/concepts.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/holding.hpp>

TRAWL_BEGIN_NAMESPACE

template <class S>
concept token_vector_source = requires(S const& s, doc_id id) {
    /** [tokens x dim], valid during the search; no rows: the document has none. */
    { s(id) } -> std::convertible_to<matrix_view<float const>>;
};

namespace detail {

using tokens_of_document = function_ref<matrix_view<float const>(doc_id)>;

void score_maxsim(query const& q, std::span<candidate const> batch, std::span<float> out,
    tokens_of_document tokens);

[[nodiscard]] explanation explain_maxsim(
    query const& q, candidate const& c, tokens_of_document tokens);

} // namespace detail

/// MaxSim as a reranker: score(d) = sum, over the query's tokens, of the largest dot product with a
/// token of d. The products are cosines if the vectors have unit length. A document without token
/// vectors has score 0. Dot products have 16 lanes and the same bits on every machine; they are
/// added in double, first token to last, and rounded to float once.
///
/// It reads no text: .rerank(trawl::maxsim(tokens), trawl::no_text{}). The source is held as
/// pipelines hold their parts (core/holding.hpp).
/// @tparam Source  Its holder; deduced.
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
    /// @throws trawl::error (invalid_argument) if the query has no token vectors;
    /// (dimension_mismatch); (not_finite) naming the document whose dot products are not finite, or
    /// the query's token.
    /// @par Complexity  O(tokens of the query * tokens of the documents * dim).
    void operator()(query const& q, std::span<candidate const> batch, std::span<float> out) const {
        detail::score_maxsim(q, batch, out, tokens());
    }

    /// Which token of the document answers which token of the query.
    [[nodiscard]] explanation explain(query const& q, candidate const& c) const {
        return detail::explain_maxsim(q, c, tokens());
    }

private:
    struct call {
        Source const* source;
        matrix_view<float const> operator()(doc_id id) const { return source->get()(id); }
    };
    // Valid in the full expression that calls it, as function_ref's argument.
    [[nodiscard]] call tokens() const noexcept { return {&tokens_}; }

    Source tokens_;
};

template <class S>
maxsim(S&&) -> maxsim<detail::held<S>>;

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/rerank/detail/maxsim_inl.hpp>
#endif
