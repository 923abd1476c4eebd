// SPDX-License-Identifier: MIT
#pragma once

/// What the reranker and the index of late interaction share: which token of a document answers
/// which of the question.

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/simd/dispatch.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct token_workspace {
    std::vector<float const*> rows = {};
    std::vector<float> products = {};
};

/// Calls visit(token of the question, its largest product, the document's token) for each token of
/// the question; of equal products the first counts.
/// @param asked, document [tokens x dim]; a document of no tokens has nothing to visit.
/// @throws trawl::error (dimension_mismatch), (not_finite) naming the document and its token.
template <class Visit>
void for_each_best_token(matrix_view<float const> asked, matrix_view<float const> document,
    doc_id id, token_workspace& space, Visit&& visit) {
    if (document.empty()) return;
    if (document.cols != asked.cols) {
        fail(errc::dimension_mismatch, join("maxsim: the token vectors of document ", id, " have ",
                                           document.cols, " values, the question's ", asked.cols));
    }
    space.rows.clear();
    for (std::size_t i = 0; i < document.rows; ++i) space.rows.push_back(document.row(i).data());
    space.products.resize(document.rows);
    for (std::size_t t = 0; t < asked.rows; ++t) {
        active_kernels().dot_rows(asked.row(t).data(), space.rows.data(), document.rows, asked.cols,
            space.products.data());
        auto const bad = first_not_finite(space.products);
        if (bad < document.rows) {
            fail(errc::not_finite, join("maxsim: token ", bad, " of document ", id,
                                       " has the dot product ", space.products[bad]));
        }
        auto const best = std::max_element(space.products.begin(), space.products.end());
        visit(t, *best, static_cast<std::size_t>(best - space.products.begin()));
    }
}

/// The sum over the question's tokens, rounded, and what each of them found.
[[nodiscard]] inline explanation explain_maxsim(
    matrix_view<float const> asked, matrix_view<float const> document, doc_id id) {
    token_workspace space;
    explanation sum{operation::sum, "maxsim: the question's tokens", 0, {}};
    for_each_best_token(
        asked, document, id, space, [&](std::size_t token, float best, std::size_t at) {
            sum.parts.push_back(
                {operation::leaf, join("token ", token, ": best is token ", at, " of the document"),
                    static_cast<double>(best), {}});
        });
    sum.value = recompute(sum);
    explanation score{operation::round, "maxsim", 0, {}};
    score.parts.push_back(std::move(sum));
    score.value = recompute(score);
    return score;
}

/// @throws trawl::error (not_finite) naming the token.
inline void check_tokens(char const* what, matrix_view<float const> tokens) {
    for (std::size_t i = 0; i < tokens.rows; ++i) {
        auto const row = tokens.row(i);
        auto const bad = first_not_finite(row);
        if (bad < row.size())
            fail(errc::not_finite,
                join(what, " token ", i, " has the value ", row[bad], " at ", bad));
    }
}

} // namespace detail
TRAWL_END_NAMESPACE
