// SPDX-License-Identifier: MIT
#pragma once

/// What each technique of a search contributes: alone, added to those before it, left out of the
/// whole.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/bootstrap.hpp>
#include <trawl/eval/multiple_comparisons.hpp>
#include <trawl/eval/search_outcome.hpp>
#include <trawl/eval/significance.hpp>
#include <trawl/eval/table.hpp>

TRAWL_BEGIN_NAMESPACE

struct ablation_options {
    std::string measure = "the measure"; ///< as sentences call it
    /// one a question, or none at all: a column for each label
    std::vector<std::string> labels = {};
    double confidence = 0.95;
    std::size_t randomisations = 100'000;
    std::uint64_t seed = 1;
    /// null: the calling thread alone; changes nothing else
    trawl::executor const* executor = nullptr;
};

enum class ablation_kind : unsigned char {
    whole,    ///< all techniques
    alone,    ///< this one only
    added,    ///< the techniques up to this one, against those before it
    left_out, ///< all but this one, against the whole
};

[[nodiscard]] constexpr std::string_view name_of(ablation_kind kind) noexcept {
    constexpr std::string_view names[] = {"whole", "alone", "added", "left out"};
    return names[static_cast<unsigned char>(kind)];
}
struct ablation_row {
    ablation_kind kind = ablation_kind::whole;
    std::string technique = {};
    search_outcome outcome = {};
    double mean = 0;
    std::vector<double> by_label = {};   ///< means, in the order of ablation::labels
    std::optional<interval> change = {}; ///< of the mean, against what it is compared with
    double difference = 0;               ///< the mean change
    double p = 1;                        ///< Fisher's randomisation, corrected for all rows by Holm
};
struct ablation {
    std::vector<std::string> labels = {};
    std::vector<ablation_row> rows = {};
    std::vector<std::string> sentences = {}; ///< what a person should take away, one a technique
};
/// Runs the search with every technique alone, the first one, two, three …, all, and all but each;
/// each combination once.
/// @param techniques  Names, in the order in which they are added.
/// @param search   Searches with those techniques whose flag is set; none if the combination makes
/// no sense
///                    (a reranker alone): its rows are left out.
/// @throws trawl::error (invalid_argument) for no techniques, if the whole makes no sense or there
/// are no questions, (dimension_mismatch) if an outcome or the labels are not one a question.
[[nodiscard]] ablation ablate(std::span<std::string const> techniques,
    function_ref<std::optional<search_outcome>(std::vector<bool> const&)> search,
    ablation_options const& options = {});

/// What each technique contributes; ineligible@k has a column if an outcome has it.
[[nodiscard]] table to_table(ablation const& a, ablation_options const& options = {});

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/ablation_inl.hpp>
#endif
