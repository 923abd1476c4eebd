// SPDX-License-Identifier: MIT
#pragma once

/// Whether what was found may be used at all: relevance says nothing about that.

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/filter.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/number_text.hpp>
#include <trawl/eval/assessment.hpp>
#include <trawl/eval/evaluate.hpp>

TRAWL_BEGIN_NAMESPACE

/// ineligible@k: the share of the first k hits that lie outside a filter (another version, another
/// tenant, what was withdrawn), in [0, 1]; 0 is right. A shorter ranking is measured over the hits
/// that it has, an empty one is 0.
/// @throws trawl::error (invalid_argument) if k is 0.
struct ineligible {
    std::size_t k = 5;

    [[nodiscard]] double operator()(std::span<hit const> hits, filter eligible) const {
        detail::check_cutoff("ineligible", k);
        auto const first = hits.first((std::min)(k, hits.size()));
        auto const outside = std::count_if(
            first.begin(), first.end(), [&](hit const& h) { return !eligible.admits(h.id); });
        return first.empty() ? 0 : static_cast<double>(outside) / static_cast<double>(first.size());
    }
};

/// Puts ineligible@k beside the measures of an evaluation, as its last one, so that every table
/// shows it: how much of what counts as good may not be used. A question that the run lacks has 0.
/// @param found   The run that was measured.
/// @param eligible  The keys of the documents inside the filter.
/// @throws trawl::error (invalid_argument) if k is 0.
inline void add_ineligible(
    evaluation& measured, run const& found, ordered_keys const& eligible, std::size_t k = 5) {
    detail::check_cutoff("ineligible", k);
    auto const inside = ordered_keys::translation(found.documents(), eligible);
    auto const width = measured.measures.size();
    std::vector<double> values;
    values.reserve(measured.queries.size() * (width + 1));
    std::vector<doc_id> order;
    double sum = 0;
    for (std::size_t q = 0; q < measured.queries.size(); ++q) {
        auto const row = measured.row(q);
        values.insert(values.end(), row.begin(), row.end());
        auto const at = found.find(measured.queries[q]);
        detail::question_hits hits{at ? found.entries(*at) : std::span<run::entry const>{}};
        hits.order(measured.rules.ties, order);
        order.resize((std::min)(k, order.size()));
        auto const outside = std::count_if(
            order.begin(), order.end(), [&](doc_id id) { return inside[id] == no_doc; });
        values.push_back(
            order.empty() ? 0 : static_cast<double>(outside) / static_cast<double>(order.size()));
        sum += values.back();
    }
    auto const n = measured.queries.size();
    measured.values = std::move(values);
    measured.summaries.push_back(n == 0 ? 0 : sum / static_cast<double>(n));
    measured.measures.push_back({.name = detail::join("ineligible_", k), .lower_is_better = true});
}

TRAWL_END_NAMESPACE
