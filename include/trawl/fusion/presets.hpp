// SPDX-License-Identifier: MIT
#pragma once

/// Rules set up as other systems have them: the same scores on the same input. They compute in
/// float and order ties by chance or by their own ids; here sums are in double, rounded once, and
/// ties go by id.

#include <vector>

#include <trawl/fusion/dbsf.hpp>
#include <trawl/fusion/normaliser.hpp>
#include <trawl/fusion/rrf.hpp>
#include <trawl/fusion/weighted_sum.hpp>

TRAWL_BEGIN_NAMESPACE

/// Elasticsearch's rrf retriever: sum of weight / (rank_constant + rank).
[[nodiscard]] rrf elastic_rrf(double rank_constant = 60, std::vector<double> weights = {});

/// Elasticsearch's linear retriever: sum of weight * normalised score. Its normalizers none, minmax
/// and l2_norm are normaliser::none, min_max and l2. The hits of a constant or single-hit list are
/// 1 under minmax.
[[nodiscard]] weighted_sum elastic_linear(
    std::vector<double> weights = {}, std::vector<normaliser> norms = {});

/// OpenSearch's normalization processor with arithmetic_mean: sum of weight * normalised score /
/// sum of weights, where a missing document counts as 0. Under min_max the lowest hit of an arm is
/// .001, and the hits of a single-hit or constant list are 1.
/// @param norm  min_max or l2; OpenSearch's z_score does not keep the order of scores.
/// @throws trawl::error (invalid_argument) for another norm or for weights that are not finite and
/// >= 0.
[[nodiscard]] weighted_sum opensearch(
    std::vector<double> weights = {0.5, 0.5}, normaliser norm = normaliser::min_max);

/// Qdrant's rrf: sum of 1 / (rank / weight + k - 1), which is weight / (weight (k - 1) + rank): a
/// weight stretches ranks. The usual k of 60 is 61 here.
/// @param k  > 1.
/// @throws trawl::error (invalid_argument) for weights that are not finite and > 0.
[[nodiscard]] rrf qdrant_rrf(double k = 2, std::vector<double> weights = {});

/// Qdrant's dbsf: sample deviation, not clamped, .5 for a single or constant list, 0 for a missing
/// document.
[[nodiscard]] dbsf qdrant_dbsf();

/// Weaviate's rankedFusion of a keyword and a vector search: weight / (60 + rank - 1), weights 1 -
/// alpha and alpha.
[[nodiscard]] rrf weaviate_ranked(double alpha = 0.75);

/// Weaviate's relativeScoreFusion of a keyword and a vector search: min-max, weights 1 - alpha and
/// alpha.
[[nodiscard]] weighted_sum weaviate_relative(double alpha = 0.75);

/// LangChain's EnsembleRetriever: sum of weight / (c + rank). (A document that repeats in an arm
/// counts once here; LangChain counts it each time.)
/// @param weights  LangChain's default is 1 / arms each.
[[nodiscard]] rrf langchain(std::vector<double> weights = {0.5, 0.5}, double c = 60);

/// ranx.fuse(norm = "min-max", method = "wsum"), its default: the hits of a single-hit or constant
/// list are 0, like missing documents. (ranx divides by 1e-9 where all scores are closer than
/// that.)
[[nodiscard]] weighted_sum ranx(std::vector<double> weights);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/fusion/detail/presets_inl.hpp>
#endif
