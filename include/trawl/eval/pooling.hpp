// SPDX-License-Identifier: MIT
#pragma once

/// Pooling: which documents people should judge. The first documents of several systems are judged
/// together, so that no system is measured by judgements of another system's documents only.

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <trawl/eval/qrels.hpp>
#include <trawl/eval/run.hpp>

TRAWL_BEGIN_NAMESPACE

/// Pools the first `depth` documents of every run. Each document of a query becomes one judgement
/// of grade -1: pooled, not judged. They are in the byte order of keys, which reveals no rank.
/// @throws trawl::error (invalid_argument) if depth is 0 or a run is null.
/// @par Complexity O(n log n), n = runs * queries * depth.
[[nodiscard]] qrels pool(std::span<run const* const> runs, std::size_t depth);

/// A document of a pool, borrowed from it.
struct pooled_document {
    std::string_view query = {};
    std::string_view key = {};
    friend bool operator==(pooled_document const&, pooled_document const&) = default;
};

/// The documents of a pool that have no grade of 0 or more in `judged`, by query, then key.
[[nodiscard]] std::vector<pooled_document> left_to_judge(qrels const& pooled, qrels const& judged);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/pooling_inl.hpp>
#endif
