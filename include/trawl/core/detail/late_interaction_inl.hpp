// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of core/late_interaction.hpp.

#include <trawl/core/late_interaction.hpp>

#include <cstddef>
#include <string_view>
#include <utility>

#include <trawl/core/explanation.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/simd/dispatch.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE void maxsim_scorer::match(matrix_view<float const> document, doc_id id) {
    best_.clear();
    if (document.empty()) return;
    if (document.cols != query_.cols) {
        detail::fail(errc::dimension_mismatch,
            detail::join("maxsim: the token vectors of document ", id, " have ", document.cols,
                " values, the query's ", query_.cols));
    }
    rows_.clear();
    for (std::size_t i = 0; i < document.rows; ++i) rows_.push_back(document.row(i).data());
    products_.resize(document.rows);
    for (std::size_t t = 0; t < query_.rows; ++t) {
        detail::active_kernels().dot_rows(
            query_.row(t).data(), rows_.data(), document.rows, query_.cols, products_.data());
        auto const bad = detail::first_not_finite(products_);
        if (bad < document.rows) {
            detail::fail(errc::not_finite, detail::join("maxsim: token ", bad, " of document ", id,
                                               " has the dot product ", products_[bad]));
        }
        best_token best{products_[0], 0};
        for (std::size_t i = 1; i < document.rows; ++i)
            if (best.product < products_[i]) best = {products_[i], i};
        best_.push_back(best);
    }
}

TRAWL_INLINE float maxsim_scorer::score(matrix_view<float const> document, doc_id id) {
    match(document, id);
    double total = detail::rounded(0.0);
    for (auto const& best : best_) total = detail::rounded(total + best.product);
    return static_cast<float>(total);
}

TRAWL_INLINE explanation maxsim_scorer::explain(matrix_view<float const> document, doc_id id) {
    match(document, id);
    explanation sum{operation::sum, "maxsim: the query's tokens", 0, {}};
    for (std::size_t t = 0; t < best_.size(); ++t) {
        sum.children.push_back({operation::leaf,
            detail::join("token ", t, ": best is token ", best_[t].token, " of the document"),
            static_cast<double>(best_[t].product), {}});
    }
    sum.value = recompute(sum);
    explanation score{operation::round, "maxsim", 0, {}};
    score.children.push_back(std::move(sum));
    score.value = recompute(score);
    return score;
}

TRAWL_INLINE void check_token_vectors(std::string_view what, matrix_view<float const> tokens) {
    for (std::size_t i = 0; i < tokens.rows; ++i) {
        auto const row = tokens.row(i);
        auto const bad = detail::first_not_finite(row);
        if (bad < row.size()) {
            detail::fail(errc::not_finite,
                detail::join(what, " token ", i, " has the value ", row[bad], " at ", bad));
        }
    }
}

TRAWL_END_NAMESPACE
