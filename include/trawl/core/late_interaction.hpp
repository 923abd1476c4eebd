// SPDX-License-Identifier: MIT
#pragma once

/// MaxSim, the score of late interaction: how a document's token vectors answer a query's.

#include <cstddef>
#include <string_view>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// Scores documents against the token vectors of one query: the sum, over the query's tokens, of
/// the largest dot product with a token of the document. Of equal products the first token counts.
/// Reuses its memory from document to document, so one object serves one thread.
/// @par Source Khattab, Zaharia, "ColBERT", SIGIR 2020.
class maxsim_scorer {
public:
    /// @param query  [tokens x dim], finite; borrowed.
    explicit maxsim_scorer(matrix_view<float const> query) : query_(query) {}

    /// The score of a document; 0 if it has no tokens. Summed in double, first token of the query
    /// first, and rounded to float.
    /// @param document  [tokens x dim].
    /// @throws trawl::error (dimension_mismatch), or (not_finite) naming the document and its token.
    /// @par Complexity O(query tokens * document tokens * dim).
    [[nodiscard]] float score(matrix_view<float const> document, doc_id id);

    /// The same score, with the token of the document that answers each token of the query.
    [[nodiscard]] explanation explain(matrix_view<float const> document, doc_id id);

private:
    struct best_token {
        float product;
        std::size_t token;
    };

    // One entry for each token of the query, into best_.
    void match(matrix_view<float const> document, doc_id id);

    matrix_view<float const> query_;
    detail::buffer<float const*> rows_;
    std::vector<float> products_;
    std::vector<best_token> best_;
};

/// Refuses token vectors with a value that is NaN or infinite.
/// @param what  Names the tokens in the message: "maxsim: the query's".
/// @throws trawl::error (not_finite) naming the token and the place of the value.
void check_token_vectors(std::string_view what, matrix_view<float const> tokens);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/core/detail/late_interaction_inl.hpp>
#endif
