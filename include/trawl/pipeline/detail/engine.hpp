// SPDX-License-Identifier: MIT
#pragma once

/// Runs a pipeline: the query, the arms, the fusion, the stages; and follows a document through all
/// of them.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <trawl/core/doc_set.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/pipeline/cursor.hpp>
#include <trawl/pipeline/detail/parts.hpp>
#include <trawl/pipeline/detail/query_steps.hpp>
#include <trawl/pipeline/report.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct pipeline_settings {
    std::size_t window = 50;
    std::vector<std::size_t> windows = {}; ///< one an arm; empty: window for all
    bool complete = false;
    failure_policy failures = failure_policy::fail;
};

/// A pipeline as the engine sees it.
struct pipeline_view {
    std::span<arm_ref const> arms;
    rule_ref rule;
    query_steps_ref steps;
    std::span<stage_ref const> stages;
    pipeline_settings const& settings;
};

/// The members of searchable of the same names.
[[nodiscard]] ranking page_of(pipeline_view const& pipeline, query const& q, std::size_t offset,
    search_options const& options);
[[nodiscard]] cursor pages_of(
    pipeline_view const& pipeline, query const& q, search_options const& options);
[[nodiscard]] search_report report_of(
    pipeline_view const& pipeline, query const& q, search_options const& options);
[[nodiscard]] explanation explanation_of(
    pipeline_view const& pipeline, query const& q, doc_id id, search_options const& options);
[[nodiscard]] std::optional<doc_set> pipeline_conditions(
    pipeline_view const& pipeline, query const& q, std::size_t universe);
[[nodiscard]] doc_id next_id_of(pipeline_view const& pipeline);

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/pipeline/detail/engine_inl.hpp>
#endif
