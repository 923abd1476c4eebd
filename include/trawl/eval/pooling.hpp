// SPDX-License-Identifier: MIT
#pragma once

/// Which documents people should judge: the first ones of several systems, pooled, so that no
/// system is measured by judgements that another one's documents alone have.

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/eval/qrels.hpp>
#include <trawl/eval/run.hpp>

TRAWL_BEGIN_NAMESPACE

/// The first `depth` documents of every run, each once a question, as judgements of grade -1:
/// pooled, not judged. In the byte order of keys, which gives no rank away.
/// @throws trawl::error (invalid_argument) if depth is 0 or a run is null.
/// @par Complexity O(n log n), n = runs * questions * depth.
[[nodiscard]] qrels pool(std::span<run const* const> runs, std::size_t depth);

/// A document of a pool. Borrowed from it.
struct pooled_document {
    std::string_view query = {};
    std::string_view key = {};
    friend bool operator==(pooled_document const&, pooled_document const&) = default;
};

/// What of a pool has no grade of 0 or more in `judged` yet, by question, then key.
[[nodiscard]] std::vector<pooled_document> left_to_judge(qrels const& pooled, qrels const& judged);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/pooling_inl.hpp>
#endif
