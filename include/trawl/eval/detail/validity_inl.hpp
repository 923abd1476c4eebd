// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of validity.hpp.

#include <trawl/eval/validity.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/filter.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/number_text.hpp>
#include <trawl/eval/assessment.hpp>
#include <trawl/eval/detail/assess.hpp>
#include <trawl/eval/evaluate.hpp>

TRAWL_BEGIN_NAMESPACE
TRAWL_INLINE double ineligible::operator()(std::span<hit const> hits, filter eligible) const {
    detail::check_cutoff("ineligible", k);
    auto const first = hits.first((std::min)(k, hits.size()));
    auto const outside = std::count_if(
        first.begin(), first.end(), [&](hit const& h) { return !eligible.admits(h.id); });
    return first.empty() ? 0 : static_cast<double>(outside) / static_cast<double>(first.size());
}

TRAWL_INLINE void add_ineligible(
    evaluation& measured, run const& found, ordered_keys const& eligible, std::size_t k) {
    detail::check_cutoff("ineligible", k);
    auto const inside = ordered_keys::translation(found.documents(), eligible);
    auto const width = measured.measures.size();
    std::vector<double> values;
    values.reserve(measured.queries.size() * (width + 1));
    double sum = 0;
    for (std::size_t q = 0; q < measured.queries.size(); ++q) {
        auto const row = measured.row(q);
        values.insert(values.end(), row.begin(), row.end());
        auto const at = found.find(measured.queries[q]);
        auto order = at ? ordered_entries(found, *at, measured.rules) : std::vector<run::entry>{};
        order.resize((std::min)(k, order.size()));
        auto const outside = std::count_if(order.begin(), order.end(),
            [&](run::entry const& e) { return inside[e.id] == no_doc; });
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
