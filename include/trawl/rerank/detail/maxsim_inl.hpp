// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of rerank/maxsim.hpp.

#include <trawl/rerank/maxsim.hpp>

#include <trawl/core/late_interaction.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

inline void check_query_tokens(query const& q) {
    if (q.token_vectors.empty()) {
        fail(errc::invalid_argument,
            "maxsim: the query has no token vectors: set query::token_vectors");
    }
    check_token_vectors("maxsim: the query's", q.token_vectors);
}

TRAWL_INLINE void score_maxsim(query const& q, std::span<candidate const> batch,
    std::span<float> out, tokens_of_document tokens) {
    if (out.size() != batch.size()) {
        fail(errc::dimension_mismatch,
            join("maxsim: ", batch.size(), " candidates, room for ", out.size(), " scores"));
    }
    check_query_tokens(q);
    maxsim_scorer scorer(q.token_vectors);
    for (std::size_t i = 0; i < batch.size(); ++i)
        out[i] = scorer.score(tokens(batch[i].id), batch[i].id);
}

TRAWL_INLINE explanation explain_maxsim(
    query const& q, candidate const& c, tokens_of_document tokens) {
    check_query_tokens(q);
    return maxsim_scorer(q.token_vectors).explain(tokens(c.id), c.id);
}

} // namespace detail
TRAWL_END_NAMESPACE
