// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of ablation.hpp.

#include <trawl/eval/ablation.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/bootstrap.hpp>
#include <trawl/eval/detail/paired.hpp>
#include <trawl/eval/detail/sentences.hpp>
#include <trawl/eval/multiple_comparisons.hpp>
#include <trawl/eval/search_outcome.hpp>
#include <trawl/eval/significance.hpp>
#include <trawl/eval/table.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// What leaving a technique out says about it.
[[nodiscard]] inline std::string verdict(
    ablation_row const& row, ablation_row const& whole, ablation_options const& options) {
    auto const sure = row.p < 1 - options.confidence;
    auto const n = static_cast<double>((std::max)(row.outcome.values.size(), std::size_t{1}));
    auto const calls =
        (static_cast<double>(whole.outcome.calls) - static_cast<double>(row.outcome.calls)) / n;
    auto const seconds = (whole.outcome.seconds - row.outcome.seconds) / n;
    std::string out = row.technique;
    if (sure && row.difference < 0) {
        out += join(
            " helps: without it ", options.measure, " falls by ", fixed_text(-row.difference, 4));
    } else if (sure && row.difference > 0) {
        out += join(
            " harms: without it ", options.measure, " rises by ", fixed_text(row.difference, 4));
    } else if (row.difference == 0 && row.change && row.change->low == 0 && row.change->high == 0) {
        out += join(
            " changes nothing: without it ", options.measure, " is the same on every question");
    } else {
        out += join(" makes no difference that these questions can show: without it ",
            options.measure, " changes by ", fixed_text(row.difference, 4));
    }
    out += join(" (", interval_text(row.change.value_or(interval{})), ", ", p_text(row.p), ")");
    if (calls > 0) out += join("; it costs ", fixed_text(calls, 1), " expensive calls a question");
    if (seconds > 0.0005)
        out += join("; it takes ", fixed_text(1000 * seconds, 1), " ms a question");
    return out + ".";
}

} // namespace detail

TRAWL_INLINE ablation ablate(std::span<std::string const> techniques,
    function_ref<std::optional<search_outcome>(std::vector<bool> const&)> search,
    ablation_options const& options) {
    auto const n = techniques.size();
    if (n == 0) detail::fail(errc::invalid_argument, "ablate: there are no techniques");
    std::vector<std::pair<std::vector<bool>, std::optional<search_outcome>>> done;
    auto const outcome_of =
        [&](std::vector<bool> const& on) -> std::optional<search_outcome> const& {
        for (auto const& [flags, outcome] : done) {
            if (flags == on) return outcome;
        }
        auto outcome = search(on);
        if (outcome && !done.empty() && done[0].second
            && outcome->values.size() != done[0].second->values.size()) {
            detail::fail(errc::dimension_mismatch,
                detail::join("ablate: ", outcome->values.size(), " values where there were ",
                    done[0].second->values.size(), " questions"));
        }
        done.emplace_back(on, std::move(outcome));
        return done.back().second;
    };

    auto const whole = outcome_of(std::vector<bool>(n, true));
    if (!whole || whole->values.empty()) {
        detail::fail(errc::invalid_argument, "ablate: the whole search has no outcome");
    }
    auto const questions = whole->values.size();
    if (!options.labels.empty() && options.labels.size() != questions) {
        detail::fail(errc::dimension_mismatch, detail::join("ablate: ", options.labels.size(),
                                                   " labels for ", questions, " questions"));
    }
    ablation out;
    std::set<std::string> const labels(options.labels.begin(), options.labels.end());
    out.labels.assign(labels.begin(), labels.end());

    auto const add = [&](ablation_kind kind, std::string technique, search_outcome const& outcome,
                         search_outcome const* against) {
        ablation_row row{.kind = kind, .technique = std::move(technique), .outcome = outcome};
        row.mean = detail::mean_of(outcome.values);
        for (auto const& label : out.labels) {
            std::vector<double> part;
            for (std::size_t i = 0; i < questions; ++i) {
                if (options.labels[i] == label) part.push_back(outcome.values[i]);
            }
            row.by_label.push_back(detail::mean_of(part));
        }
        if (against != nullptr) {
            row.difference = row.mean - detail::mean_of(against->values);
            row.change = bootstrap_difference(outcome.values, against->values,
                {.confidence = options.confidence,
                    .seed = options.seed,
                    .executor = options.executor});
            row.p = randomisation_test(outcome.values, against->values,
                {.samples = options.randomisations,
                    .seed = options.seed,
                    .executor = options.executor})
                        .p;
        }
        out.rows.push_back(std::move(row));
    };
    add(ablation_kind::whole, "all", *whole, nullptr);
    for (std::size_t t = 0; t < n; ++t) {
        std::vector<bool> on(n, false);
        on[t] = true;
        if (auto const& alone = outcome_of(on))
            add(ablation_kind::alone, techniques[t], *alone, nullptr);
    }
    std::vector<bool> on(n, false);
    std::optional<search_outcome> before;
    for (std::size_t t = 0; t < n; ++t) {
        on[t] = true;
        auto const& now = outcome_of(on);
        if (now) add(ablation_kind::added, techniques[t], *now, before ? &*before : nullptr);
        if (now) before = now;
    }
    for (std::size_t t = 0; t < n && n > 1; ++t) {
        std::vector<bool> rest(n, true);
        rest[t] = false;
        if (auto const& without = outcome_of(rest)) {
            add(ablation_kind::left_out, techniques[t], *without, &*whole);
        }
    }

    std::vector<double> p;
    for (auto const& row : out.rows) {
        if (row.change) p.push_back(row.p);
    }
    auto const corrected = holm(p);
    std::size_t next = 0;
    for (auto& row : out.rows) {
        if (row.change) row.p = corrected[next++];
    }
    for (auto const& row : out.rows) {
        if (row.kind == ablation_kind::left_out) {
            out.sentences.push_back(detail::verdict(row, out.rows[0], options));
        }
    }
    return out;
}

TRAWL_INLINE table to_table(ablation const& a, ablation_options const& options) {
    table out{.title = detail::join("What each technique contributes to ", options.measure),
        .columns = {"", "technique", "mean", "change", "low", "high", "p", "seconds", "calls"},
        .notes = a.sentences};
    auto const judged = std::any_of(a.rows.begin(), a.rows.end(),
        [](ablation_row const& row) { return row.outcome.ineligible.has_value(); });
    if (judged) out.columns.push_back("ineligible");
    out.columns.insert(out.columns.end(), a.labels.begin(), a.labels.end());
    for (auto const& row : a.rows) {
        std::vector<table_cell> cells{name_of(row.kind), row.technique, row.mean};
        if (row.change) {
            cells.insert(cells.end(), {row.difference, row.change->low, row.change->high, row.p});
        } else {
            cells.resize(7);
        }
        cells.insert(cells.end(), {table_cell(row.outcome.seconds, 3), row.outcome.calls});
        if (judged) cells.push_back(row.outcome.ineligible);
        cells.insert(cells.end(), row.by_label.begin(), row.by_label.end());
        out.add(std::move(cells));
    }
    return out;
}

TRAWL_END_NAMESPACE
