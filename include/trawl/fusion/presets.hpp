// SPDX-License-Identifier: MIT
#pragma once

/// Rules set up as other systems have them: the same scores on the same input. They compute in
/// float and order ties by chance or by their own ids; here sums are in double, rounded once, and
/// ties go by id.

#include <utility>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/fusion/dbsf.hpp>
#include <trawl/fusion/normaliser.hpp>
#include <trawl/fusion/rrf.hpp>
#include <trawl/fusion/weighted_sum.hpp>

TRAWL_BEGIN_NAMESPACE

/// Elasticsearch's rrf retriever: sum of weight / (rank_constant + rank).
[[nodiscard]] inline rrf elastic_rrf(double rank_constant = 60, std::vector<double> weights = {}) {
    return {.k = rank_constant, .weights = std::move(weights)};
}

/// Elasticsearch's linear retriever: sum of weight * normalised score; its normalizers none, minmax
/// and l2_norm are normaliser::none, min_max and l2. A constant or single-hit list is 1 under
/// minmax.
[[nodiscard]] inline weighted_sum elastic_linear(
    std::vector<double> weights = {}, std::vector<normaliser> norms = {}) {
    return {.weights = std::move(weights), .norm = normaliser::none, .norms = std::move(norms)};
}

/// OpenSearch's normalization processor with arithmetic_mean: sum of weight * normalised score /
/// sum of weights, where a missing document counts as 0. Under min_max the lowest hit of an arm is
/// .001 and a single or constant list 1.
/// @param norm  min_max or l2; its z_score does not keep the order of scores.
/// @throws trawl::error (invalid_argument) for another norm or for weights that are not finite and
/// >= 0.
[[nodiscard]] inline weighted_sum opensearch(
    std::vector<double> weights = {0.5, 0.5}, normaliser norm = normaliser::min_max) {
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

/// Qdrant's rrf: sum of 1 / (rank / weight + k - 1), which is weight / (weight (k - 1) + rank): a
/// weight stretches ranks. The k of 60 elsewhere is 61 here.
/// @param k  > 1.
/// @throws trawl::error (invalid_argument) for weights that are not finite and > 0.
[[nodiscard]] inline rrf qdrant_rrf(double k = 2, std::vector<double> weights = {}) {
    detail::check_weights("qdrant_rrf", weights, weights.size());
    std::vector<double> ks;
    for (double const w : weights) ks.push_back(detail::rounded(w == 0 ? k - 1 : w * (k - 1)));
    return {.k = k - 1, .weights = std::move(weights), .ks = std::move(ks)};
}

/// Qdrant's dbsf: sample deviation, not clamped, .5 for a single or constant list.
[[nodiscard]] inline dbsf qdrant_dbsf() {
    return {.sigma = deviation::sample, .clamp = false, .constant = 0.5};
}

/// Weaviate's rankedFusion of a keyword and a vector search: weight / (60 + rank - 1), weights 1 -
/// alpha and alpha.
[[nodiscard]] inline rrf weaviate_ranked(double alpha = 0.75) {
    return {.k = 59, .weights = {detail::rounded(1 - alpha), alpha}};
}

/// Weaviate's relativeScoreFusion of a keyword and a vector search: min-max, weights 1 - alpha and
/// alpha.
[[nodiscard]] inline weighted_sum weaviate_relative(double alpha = 0.75) {
    return {.weights = {detail::rounded(1 - alpha), alpha}};
}

/// LangChain's EnsembleRetriever: sum of weight / (c + rank). (A document that repeats in an arm
/// counts once here, each time there.)
/// @param weights  Its default is 1 / arms each.
[[nodiscard]] inline rrf langchain(std::vector<double> weights = {0.5, 0.5}, double c = 60) {
    return {.k = c, .weights = std::move(weights)};
}

/// ranx.fuse(norm = "min-max", method = "wsum"), its default: a single or constant list is 0, as if
/// it were missing. (ranx divides by 1e-9 where all scores are closer than that.)
[[nodiscard]] inline weighted_sum ranx(std::vector<double> weights) {
    return {.weights = std::move(weights), .constant = 0.0};
}

TRAWL_END_NAMESPACE
