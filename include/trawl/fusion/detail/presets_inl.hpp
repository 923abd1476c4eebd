// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of fusion/presets.hpp.

#include <trawl/fusion/presets.hpp>

#include <utility>

#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/fusion/detail/formula.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE rrf elastic_rrf(double rank_constant, std::vector<double> weights) {
    return {.k = rank_constant, .weights = std::move(weights)};
}

TRAWL_INLINE weighted_sum elastic_linear(
    std::vector<double> weights, std::vector<normaliser> norms) {
    return {.weights = std::move(weights), .norm = normaliser::none, .norms = std::move(norms)};
}

TRAWL_INLINE weighted_sum opensearch(std::vector<double> weights, normaliser norm) {
    if (norm != normaliser::min_max && norm != normaliser::l2) {
        detail::fail(errc::invalid_argument,
            detail::join("opensearch: norm is ", name_of(norm), ", must be min-max or l2"));
    }
    detail::check_weights("opensearch", weights, weights.size());
    auto const total = detail::sum_of(weights);
    for (double& w : weights) w = detail::divided(w, total);
    return {.weights = std::move(weights),
        .norm = norm,
        .least = norm == normaliser::min_max ? 0.001 : 0};
}

TRAWL_INLINE rrf qdrant_rrf(double k, std::vector<double> weights) {
    detail::check_weights("qdrant_rrf", weights, weights.size());
    std::vector<double> ks;
    for (double const w : weights) ks.push_back(detail::rounded(w == 0 ? k - 1 : w * (k - 1)));
    return {.k = k - 1, .weights = std::move(weights), .ks = std::move(ks)};
}

TRAWL_INLINE dbsf qdrant_dbsf() {
    return {.sigma = deviation::sample,
        .clamp = false,
        .constant = 0.5,
        .missing = missing_score::zero};
}

TRAWL_INLINE rrf weaviate_ranked(double alpha) {
    return {.k = 59, .weights = {detail::rounded(1 - alpha), alpha}};
}

TRAWL_INLINE weighted_sum weaviate_relative(double alpha) {
    return {.weights = {detail::rounded(1 - alpha), alpha}};
}

TRAWL_INLINE rrf langchain(std::vector<double> weights, double c) {
    return {.k = c, .weights = std::move(weights)};
}

TRAWL_INLINE weighted_sum ranx(std::vector<double> weights) {
    return {.weights = std::move(weights), .constant = 0.0};
}

TRAWL_END_NAMESPACE
