// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of system_comparison.hpp.

#include <trawl/eval/system_comparison.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/bootstrap.hpp>
#include <trawl/eval/detail/paired.hpp>
#include <trawl/eval/detail/sentences.hpp>
#include <trawl/eval/evaluate.hpp>
#include <trawl/eval/multiple_comparisons.hpp>
#include <trawl/eval/significance.hpp>
#include <trawl/eval/table.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

inline void check_comparable(measured_system const& baseline, measured_system const& other) {
    auto const& a = *baseline.result;
    auto const& b = *other.result;
    if (a.queries != b.queries) {
        auto const at =
            std::mismatch(a.queries.begin(), a.queries.end(), b.queries.begin(), b.queries.end());
        auto const& odd = at.first != a.queries.end() ? *at.first : *at.second;
        fail(errc::invalid_argument,
            join("compare: '", baseline.name, "' and '", other.name,
                "' were not measured on the same queries, see '", odd, "'"));
    }
    auto const same = [](measure const& x, measure const& y) { return x.name == y.name; };
    if (!std::equal(
            a.measures.begin(), a.measures.end(), b.measures.begin(), b.measures.end(), same)) {
        fail(errc::invalid_argument, join("compare: '", baseline.name, "' and '", other.name,
                                         "' were measured by different measures"));
    }
    if (a.convention != b.convention || !(a.rules == b.rules)) {
        fail(errc::invalid_argument,
            join("compare: '", baseline.name, "' was measured by the rules of ",
                name_of(a.convention), ", '", other.name, "' by others"));
    }
}

} // namespace detail

TRAWL_INLINE std::vector<compared_system> compare(
    std::span<measured_system const> systems, comparison_options const& options) {
    if (systems.size() < 2) {
        detail::fail(errc::invalid_argument,
            detail::join("compare: needs a baseline and another system, has ", systems.size()));
    }
    for (auto const& other : systems.subspan(1)) detail::check_comparable(systems[0], other);
    auto const& base = *systems[0].result;
    auto const n = base.queries.size();
    if (n == 0) detail::fail(errc::invalid_argument, "compare: there are no queries");

    std::vector<compared_system> out;
    std::vector<double> p;
    for (std::size_t m = 0; m < base.measures.size(); ++m) {
        std::vector<double> values(n * systems.size());
        std::vector<std::vector<double>> columns;
        for (std::size_t s = 0; s < systems.size(); ++s) {
            columns.push_back(systems[s].result->column(m));
            for (std::size_t i = 0; i < n; ++i) values[i * systems.size() + s] = columns[s][i];
        }
        auto const tukey = n < 2 ? std::vector<double>(systems.size() * systems.size(), 1)
                                 : tukey_hsd({values.data(), n, systems.size()});
        for (std::size_t s = 1; s < systems.size(); ++s) {
            auto const& a = columns[s];
            auto const& b = columns[0];
            compared_system row{.name = systems[s].name, .measure = base.measures[m].name};
            row.lower_is_better = base.measures[m].lower_is_better;
            row.baseline = detail::mean_of(b);
            row.mean = detail::mean_of(a);
            row.difference = bootstrap_difference(a, b,
                {.confidence = options.confidence,
                    .samples = options.resamples,
                    .seed = options.seed,
                    .pool = options.pool});
            row.effect = effect_size(a, b);
            row.queries = wins_of(a, b);
            row.p_t = paired_t_test(a, b).p;
            row.p_wilcoxon = wilcoxon_test(a, b).p;
            row.p = randomisation_test(a, b,
                {.samples = options.randomisations, .seed = options.seed, .pool = options.pool})
                        .p;
            row.p_tukey = tukey[s];
            p.push_back(row.p);
            out.push_back(std::move(row));
        }
    }
    auto const corrected = holm(p);
    for (std::size_t i = 0; i < out.size(); ++i) out[i].p_holm = corrected[i];
    return out;
}

TRAWL_INLINE table to_table(std::span<compared_system const> rows, std::string_view baseline,
    comparison_options const& options) {
    table out{.title = detail::join("Compared with ", baseline),
        .columns = {"measure", "system", "baseline", "mean", "difference", "low", "high", "effect",
            "wins", "ties", "losses", "p", "p Holm", "p Tukey", "p t", "p Wilcoxon"}};
    for (auto const& r : rows) {
        out.add({r.measure, r.name, r.baseline, r.mean, r.mean - r.baseline, r.difference.low,
            r.difference.high, {r.effect, 2}, r.queries.wins, r.queries.ties, r.queries.losses, r.p,
            r.p_holm, r.p_tukey, r.p_t, r.p_wilcoxon});
        auto const better = r.lower_is_better ? r.mean < r.baseline : r.mean > r.baseline;
        auto const sure = r.p_holm < 1 - options.confidence;
        out.notes.push_back(detail::join(r.name, " on ", r.measure, ": ",
            sure     ? (better ? "better" : "worse")
            : better ? "no evidence that it is better"
                     : "no evidence that it is worse or better",
            " (", detail::fixed_text(r.mean - r.baseline, 4), ", interval ",
            detail::fixed_text(r.difference.low, 4), " to ",
            detail::fixed_text(r.difference.high, 4), ", ", detail::p_text(r.p_holm),
            " after Holm's correction)."));
    }
    return out;
}

TRAWL_END_NAMESPACE
