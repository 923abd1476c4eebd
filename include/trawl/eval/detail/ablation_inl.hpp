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
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/detail/number_text.hpp>
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

// What one comparison shows.
enum class effect : unsigned char { unknown, helps, harms, none };

[[nodiscard]] inline effect effect_of(ablation_row const* row, double confidence) {
    if (row == nullptr || !row->change) return effect::unknown;
    if (row->change->low == 0 && row->change->high == 0) return effect::none;
    if (!(row->p < 1 - confidence)) return effect::unknown;
    auto const rises = row->difference > 0;
    return rises == (row->kind == ablation_kind::added) ? effect::helps : effect::harms;
}

// "added to BM25 it raises ndcg@10 by 0.1165 (0.0778 to 0.1650, p 0.0001)"
[[nodiscard]] inline std::string effect_text(ablation_row const& row, std::string_view measure) {
    auto const rises = row.difference > 0;
    return join(row.kind == ablation_kind::added ? join("added to ", row.baseline, " it ")
                                                 : std::string("left out it "),
        rises ? "raises " : "lowers ", measure, " by ",
        fixed_text(rises ? row.difference : -row.difference, 4), " (",
        interval_text(row.change.value_or(interval{})), ", ", p_text(row.p), ")");
}

// The conclusion about a technique. Harm and help are claimed only if both comparisons agree.
[[nodiscard]] inline std::string verdict(std::string const& technique, ablation_row const* added,
    ablation_row const* left_out, ablation_row const& whole, ablation_options const& options) {
    auto const first = effect_of(added, options.confidence);
    auto const last = effect_of(left_out, options.confidence);
    std::string out = technique;
    if (first == last && first == effect::helps) {
        out += " helps: ";
    } else if (first == last && first == effect::harms) {
        out += " harms: ";
    } else if (first == last && first == effect::none) {
        out += " changes nothing: ";
    } else if (first == effect::helps && last == effect::harms) {
        out += " helps the baseline, but not the whole search, where a later stage undoes it: ";
    } else if (first == effect::harms && last == effect::helps) {
        out += " harms the baseline, but helps the whole search: ";
    } else if (first == effect::helps || last == effect::helps) {
        out += " may help: ";
    } else if (first == effect::harms || last == effect::harms) {
        out += " may harm: ";
    } else {
        out += " makes no difference that these queries can show: ";
    }
    std::string comparisons;
    for (auto const* const row : {added, left_out}) {
        if (row == nullptr || !row->change) continue;
        if (!comparisons.empty()) comparisons += "; ";
        comparisons += effect_text(*row, options.measure);
    }
    out += comparisons.empty() ? "it was not compared" : comparisons;
    if (left_out != nullptr) {
        auto const n = static_cast<double>(left_out->outcome.values.size());
        auto const calls = (static_cast<double>(whole.outcome.calls)
                               - static_cast<double>(left_out->outcome.calls))
                           / n;
        auto const seconds = (whole.outcome.seconds - left_out->outcome.seconds) / n;
        if (calls > 0)
            out += join("; it costs ", fixed_text(calls, 1), " expensive calls per query");
        if (seconds > 0.0005)
            out += join("; it takes ", fixed_text(1000 * seconds, 1), " ms per query");
    }
    return out + ".";
}

// "BM25 + dense"
[[nodiscard]] inline std::string names_of(
    std::span<std::string const> techniques, std::vector<bool> const& on) {
    std::string out;
    for (std::size_t t = 0; t < on.size(); ++t) {
        if (on[t]) out += join(out.empty() ? "" : " + ", techniques[t]);
    }
    return out;
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
                    done[0].second->values.size(), " queries"));
        }
        done.emplace_back(on, std::move(outcome));
        return done.back().second;
    };

    auto const whole = outcome_of(std::vector<bool>(n, true));
    if (!whole || whole->values.empty()) {
        detail::fail(errc::invalid_argument, "ablate: the whole search has no outcome");
    }
    auto const queries = whole->values.size();
    if (!options.labels.empty() && options.labels.size() != queries) {
        detail::fail(errc::dimension_mismatch,
            detail::join("ablate: ", options.labels.size(), " labels for ", queries, " queries"));
    }
    ablation out;
    std::set<std::string> const labels(options.labels.begin(), options.labels.end());
    out.labels.assign(labels.begin(), labels.end());

    auto const add = [&](ablation_kind kind, std::string technique, search_outcome const& outcome,
                         search_outcome const* against, std::string baseline) {
        ablation_row row{.kind = kind,
            .technique = std::move(technique),
            .baseline = std::move(baseline),
            .outcome = outcome};
        row.mean = detail::mean_of(outcome.values);
        for (auto const& label : out.labels) {
            std::vector<double> part;
            for (std::size_t i = 0; i < queries; ++i) {
                if (options.labels[i] == label) part.push_back(outcome.values[i]);
            }
            row.by_label.push_back(detail::mean_of(part));
        }
        if (against != nullptr) {
            row.difference = row.mean - detail::mean_of(against->values);
            row.change = bootstrap_difference(outcome.values, against->values,
                {.confidence = options.confidence, .seed = options.seed, .pool = options.pool});
            row.p = randomisation_test(outcome.values, against->values,
                {.samples = options.randomisations, .seed = options.seed, .pool = options.pool})
                        .p;
        }
        out.rows.push_back(std::move(row));
    };
    add(ablation_kind::whole, "all", *whole, nullptr, "");
    for (std::size_t t = 0; t < n; ++t) {
        std::vector<bool> on(n, false);
        on[t] = true;
        if (auto const& alone = outcome_of(on))
            add(ablation_kind::alone, techniques[t], *alone, nullptr, "");
    }
    for (std::size_t t = 0; t < n; ++t) {
        std::vector<bool> on(n, false);
        for (std::size_t before = 0; before < t; ++before) on[before] = true;
        std::optional<search_outcome> baseline;
        for (auto next = t; !baseline && next < n; ++next) {
            if (next > t) on[next] = true;
            if (detail::names_of(techniques, on).empty()) continue;
            baseline = outcome_of(on);
        }
        auto const name = detail::names_of(techniques, on);
        on[t] = true;
        auto const& with = outcome_of(on);
        if (with)
            add(ablation_kind::added, techniques[t], *with, baseline ? &*baseline : nullptr,
                baseline ? name : std::string());
    }
    for (std::size_t t = 0; t < n && n > 1; ++t) {
        std::vector<bool> rest(n, true);
        rest[t] = false;
        if (auto const& without = outcome_of(rest))
            add(ablation_kind::left_out, techniques[t], *without, &*whole, "all");
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
    for (auto const& technique : techniques) {
        auto const row_of = [&](ablation_kind kind) {
            auto const at = std::find_if(out.rows.begin(), out.rows.end(),
                [&](ablation_row const& r) { return r.kind == kind && r.technique == technique; });
            return at == out.rows.end() ? nullptr : &*at;
        };
        out.sentences.push_back(detail::verdict(technique, row_of(ablation_kind::added),
            row_of(ablation_kind::left_out), out.rows[0], options));
    }
    return out;
}

TRAWL_INLINE table to_table(ablation const& a, ablation_options const& options) {
    table out{.title = detail::join("What each technique contributes to ", options.measure),
        .columns = {"", "technique", "baseline", "mean", "change", "low", "high", "p", "seconds",
            "calls"},
        .notes = a.sentences};
    auto const judged = std::any_of(a.rows.begin(), a.rows.end(),
        [](ablation_row const& row) { return row.outcome.ineligible.has_value(); });
    if (judged) out.columns.push_back("ineligible");
    out.columns.insert(out.columns.end(), a.labels.begin(), a.labels.end());
    for (auto const& row : a.rows) {
        std::vector<table_cell> cells{name_of(row.kind), row.technique};
        cells.push_back(row.baseline.empty() ? table_cell() : table_cell(row.baseline));
        cells.push_back(row.mean);
        if (row.change) {
            cells.insert(cells.end(), {row.difference, row.change->low, row.change->high, row.p});
        } else {
            cells.resize(8);
        }
        cells.insert(cells.end(), {table_cell(row.outcome.seconds, 3), row.outcome.calls});
        if (judged) cells.push_back(row.outcome.ineligible);
        cells.insert(cells.end(), row.by_label.begin(), row.by_label.end());
        out.add(std::move(cells));
    }
    return out;
}

TRAWL_END_NAMESPACE
