// SPDX-License-Identifier: MIT
#pragma once

/// Ablation: what each technique of a search contributes, alone, added to a baseline, and left out
/// of the whole search.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/enum_count.hpp>
#include <trawl/core/executor.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/eval/bootstrap.hpp>
#include <trawl/eval/search_outcome.hpp>
#include <trawl/eval/table.hpp>

TRAWL_BEGIN_NAMESPACE

struct ablation_options {
    std::string measure = "the measure"; ///< its name in sentences
    /// A label for each query, or empty. Each distinct label becomes a column of means.
    std::vector<std::string> labels = {};
    double confidence = 0.95; ///< of the intervals, in (0, 1); p < 1 - confidence is significant
    std::size_t randomisations = 100'000;
    std::uint64_t seed = 1;
    /// Null: the calling thread does the work. The results are the same.
    trawl::executor const* pool = nullptr;
};

enum class ablation_kind : unsigned char {
    whole,    ///< all techniques
    alone,    ///< one technique only
    added,    ///< the baseline and one technique, compared with the baseline
    left_out, ///< all techniques but one, compared with the whole
};

template <>
inline constexpr std::size_t enum_count<ablation_kind> = 4;

[[nodiscard]] constexpr std::string_view name_of(ablation_kind kind) noexcept {
    constexpr std::string_view names[enum_count<ablation_kind>] = {
        "whole", "alone", "added", "left out"};
    return names[static_cast<unsigned char>(kind)];
}

struct ablation_row {
    ablation_kind kind = ablation_kind::whole;
    std::string technique = {};
    std::string baseline = {}; ///< the techniques that it is compared with; empty: none
    search_outcome outcome = {};
    double mean = 0;
    std::vector<double> by_label = {};   ///< means, in the order of ablation::labels
    double difference = 0;               ///< mean minus that of the baseline
    std::optional<interval> change = {}; ///< bootstrap interval of the difference
    double p = 1; ///< Fisher's randomisation test, corrected by Holm for all rows
};

struct ablation {
    std::vector<std::string> labels = {}; ///< distinct, in byte order
    std::vector<ablation_row> rows = {};
    std::vector<std::string> sentences = {}; ///< a conclusion for each technique
};

/// Runs a search with several combinations of techniques, each combination once: each technique
/// alone, each added to its baseline, and the whole search without each.
///
/// The baseline of a technique is the combination of all techniques before it; if that makes no
/// sense, as for the first one, the next techniques are added to it until it does. A sentence says
/// that a technique helps or harms only if adding it and leaving it out agree: what looks harmful in
/// the whole may only be spoilt by a later stage.
/// @param techniques  Names, in the order in which they are added.
/// @param search  Searches with the techniques whose flag is set. Returns none for a combination
/// that makes no sense (a reranker alone); its rows are left out.
/// @throws trawl::error (invalid_argument) if there are no techniques or no queries, or the whole
/// search has no outcome; (dimension_mismatch) if an outcome or the labels have another number of
/// queries.
[[nodiscard]] ablation ablate(std::span<std::string const> techniques,
    function_ref<std::optional<search_outcome>(std::vector<bool> const&)> search,
    ablation_options const& options = {});

/// The rows of an ablation. There is a column for ineligible@k if an outcome has it.
[[nodiscard]] table to_table(ablation const& a, ablation_options const& options = {});

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/ablation_inl.hpp>
#endif
