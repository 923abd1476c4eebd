// SPDX-License-Identifier: MIT
#pragma once

/// Late interaction: a document is as good as its tokens answer those of the question.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/holding.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/simd/dispatch.hpp>
#include <trawl/error.hpp>

namespace trawl::inline v0_1 {

template <class S>
concept token_vector_source = requires(S const& s, doc_id id) {
    /** [tokens x dim], valid during the search; no rows: the document has none. */
    { s(id) } -> std::convertible_to<matrix_view<float const>>;
};

/// MaxSim as a reranker: score(d) = sum over the question's tokens of the largest dot product with a token of
/// d. Cosines, if the vectors are of unit length. A document without token vectors has score 0. Dot products
/// have 16 lanes and the same bits on every machine; they are added in double, first token to last, and
/// rounded to float once.
///
/// Reads no text: .rerank(trawl::maxsim(tokens), trawl::no_text{}). An lvalue is borrowed, an rvalue owned, a
/// shared_ptr shared.
/// @tparam Source  Its holder; deduced.
/// @par Source  Khattab, Zaharia, "ColBERT: efficient and effective passage search via contextualized late
/// interaction over BERT", SIGIR 2020.
template <class Source>
class maxsim {
public:
    template <class S>
        requires(std::same_as<detail::held<S>, Source>&& token_vector_source<detail::held_target<S>>)
    explicit maxsim(S&& tokens)
        : tokens_((detail::require_object(tokens, "maxsim: the token vectors"), std::forward<S>(tokens))) {}

    /// @param q  Its token_vectors, [tokens x dim].
    /// @throws trawl::error (invalid_argument) if the question has no token vectors; (dimension_mismatch);
    /// (not_finite) naming the document whose dot products are not finite, or the question's token.
    /// @par Complexity  O(tokens of the question * tokens of the documents * dim).
    void operator()(query const& q, std::span<candidate const> batch, std::span<float> out) const {
        if (out.size() != batch.size()) {
            detail::fail(errc::dimension_mismatch,
                detail::join("maxsim: ", batch.size(), " candidates, room for ", out.size(), " scores"));
        }
        check(q);
        workspace space;
        for (std::size_t i = 0; i < batch.size(); ++i) {
            double total = detail::rounded(0.0);
            for_each_best(q, batch[i].id, space,
                [&](std::size_t, float best, std::size_t) { total = detail::rounded(total + best); });
            out[i] = static_cast<float>(total);
        }
    }

    /// Which token of the document answers which of the question.
    [[nodiscard]] explanation explain(query const& q, candidate const& c) const {
        check(q);
        workspace space;
        explanation sum{operation::sum, "maxsim: the question's tokens", 0, {}};
        for_each_best(q, c.id, space, [&](std::size_t token, float best, std::size_t at) {
            sum.parts.push_back(
                {operation::leaf, detail::join("token ", token, ": best is token ", at, " of the document"),
                    static_cast<double>(best), {}});
        });
        sum.value = recompute(sum);
        explanation score{operation::round, "maxsim", 0, {}};
        score.parts.push_back(std::move(sum));
        score.value = recompute(score);
        return score;
    }

private:
    struct workspace {
        std::vector<float const*> rows = {};
        std::vector<float> products = {};
    };

    static void check(query const& q) {
        if (q.token_vectors.empty()) {
            detail::fail(errc::invalid_argument,
                "maxsim: the question has no token vectors: set query::token_vectors");
        }
        for (std::size_t i = 0; i < q.token_vectors.rows; ++i) {
            auto const row = q.token_vectors.row(i);
            auto const bad = detail::first_not_finite(row);
            if (bad < row.size()) {
                detail::fail(errc::not_finite, detail::join("maxsim: the question's token ", i,
                                                   " has the value ", row[bad], " at ", bad));
            }
        }
    }

    // Calls visit(token of the question, its largest product, the document's token) for each token.
    template <class Visit>
    void for_each_best(query const& q, doc_id id, workspace& space, Visit&& visit) const {
        matrix_view<float const> const document = tokens_.get()(id);
        if (document.empty()) return;
        auto const dim = q.token_vectors.cols;
        if (document.cols != dim) {
            detail::fail(
                errc::dimension_mismatch, detail::join("maxsim: the token vectors of document ", id, " have ",
                                              document.cols, " values, the question's ", dim));
        }
        space.rows.clear();
        for (std::size_t i = 0; i < document.rows; ++i) space.rows.push_back(document.row(i).data());
        space.products.resize(document.rows);
        for (std::size_t t = 0; t < q.token_vectors.rows; ++t) {
            detail::active_kernels().dot_rows(
                q.token_vectors.row(t).data(), space.rows.data(), document.rows, dim, space.products.data());
            auto const bad = detail::first_not_finite(space.products);
            if (bad < document.rows) {
                detail::fail(errc::not_finite, detail::join("maxsim: token ", bad, " of document ", id,
                                                   " has the dot product ", space.products[bad]));
            }
            auto const best = std::max_element(space.products.begin(), space.products.end());
            visit(t, *best, static_cast<std::size_t>(best - space.products.begin()));
        }
    }

    Source tokens_;
};

template <class S>
maxsim(S&&) -> maxsim<detail::held<S>>;

} // namespace trawl::inline v0_1
