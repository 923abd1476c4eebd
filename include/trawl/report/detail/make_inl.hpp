// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of make.hpp.

#include <trawl/report/make.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/detail/number_text.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/abstention.hpp>
#include <trawl/eval/bootstrap.hpp>
#include <trawl/eval/cost.hpp>
#include <trawl/eval/depth_curve.hpp>
#include <trawl/eval/evaluate.hpp>
#include <trawl/eval/smallest_depth.hpp>
#include <trawl/eval/system_comparison.hpp>
#include <trawl/eval/table.hpp>
#include <trawl/eval/validity.hpp>
#include <trawl/report/chart.hpp>
#include <trawl/report/data.hpp>
#include <trawl/report/detail/queries.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// Builds a report step by step.
class report_maker {
public:
    report_maker(std::span<reported_system const> systems, qrels const& judged,
        report_options const& options)
        : systems_(systems), judged_(judged), options_(options) {
        out_.title = options.title;
        auto const measures = measures_named(options.metrics, options.convention);
        if (measures.empty()) fail(errc::invalid_argument, "make_report: there is no measure");
        for (auto const& s : systems) {
            out_.systems.push_back(s.name);
            out_.results.push_back(measured(*s.found, measures));
            for (auto const& warning : warnings(result(out_.results.size() - 1), *s.found, judged))
                out_.sentences.push_back(join(s.name, ": ", warning));
            if (options.eligible == nullptr) continue;
            add_ineligible(out_.results.back(), *s.found, *options.eligible, options.eligible_k);
        }
        for (std::size_t s = 0; s < systems.size(); ++s)
            measured_.push_back({systems[s].name, &result(s)});
    }

    [[nodiscard]] evaluation_report make() && {
        add_means();
        if (systems_.size() > 1) add_comparison();
        add_recall();
        add_precision();
        add_costs();
        add_floors();
        out_.tables.insert(out_.tables.end(), options_.tables.begin(), options_.tables.end());
        add_reported_queries(out_, systems_, judged_, options_);
        return std::move(out_);
    }

private:
    [[nodiscard]] evaluation measured(run const& found, std::vector<measure> measures) const {
        return evaluate(found, judged_, std::move(measures),
            {.convention = options_.convention, .pool = options_.comparison.pool});
    }

    [[nodiscard]] evaluation const& result(std::size_t s) const { return out_.results[s]; }

    [[nodiscard]] std::string const& first_measure() const { return result(0).measures[0].name; }

    void add_means() {
        table t{.title = "Means", .columns = {"system"}};
        for (auto const& m : result(0).measures) t.columns.push_back(m.name);
        for (char const* const name : {"low", "high", "judged@10", "tied", "missing"}) {
            t.columns.emplace_back(name);
        }
        for (std::size_t s = 0; s < systems_.size(); ++s) {
            auto const& e = result(s);
            std::vector<table_cell> row{systems_[s].name};
            row.insert(row.end(), e.summaries.begin(), e.summaries.end());
            auto const values = e.column(0);
            auto const range = values.empty() ? interval{}
                                              : bootstrap_interval(values,
                                                  {.confidence = options_.comparison.confidence,
                                                      .samples = options_.comparison.resamples,
                                                      .seed = options_.comparison.seed,
                                                      .pool = options_.comparison.pool});
            auto const judged = measured(*systems_[s].found, measures_named("judged@10"));
            row.insert(
                row.end(), {range.low, range.high, judged.summaries[0], e.tied, e.missing.size()});
            t.add(std::move(row));
        }
        auto const& e = result(0);
        t.notes.push_back(join(e.queries.size(), " queries, by the rules of ",
            name_of(e.convention), "; low and high: interval of ", first_measure(),
            " for other queries of this kind; tied: queries with equal scores, whose order the "
            "convention decides; missing: queries that the run does not have."));
        out_.tables.push_back(std::move(t));
    }

    void add_comparison() {
        auto const rows = compare(measured_, options_.comparison);
        auto t = to_table(rows, systems_[0].name, options_.comparison);
        out_.sentences.insert(out_.sentences.end(), t.notes.begin(), t.notes.end());
        t.notes.clear();
        out_.tables.push_back(std::move(t));

        report_chart sure{.kind = chart_kind::intervals,
            .title = join("Difference to ", systems_[0].name),
            .x_label = "mean difference and its interval",
            .note = "An interval that contains 0 leaves open which system is better."};
        for (auto const& r : rows) {
            if (sure.series.empty() || sure.series.back().name != r.measure) {
                sure.series.push_back({.name = r.measure});
            }
            sure.series.back().points.push_back(
                {r.mean - r.baseline, 0, r.name, r.difference.low, r.difference.high});
        }
        out_.charts.push_back(std::move(sure));
        for (std::size_t s = 1; s < systems_.size(); ++s) {
            report_chart bars{.kind = chart_kind::bars,
                .title = join(systems_[s].name, " against ", systems_[0].name, ", query by query"),
                .x_label = "queries, largest gain first",
                .y_label = join("difference of ", first_measure())};
            bars.series.push_back({.name = systems_[s].name});
            for (std::size_t q = 0; q < result(s).queries.size(); ++q) {
                bars.series[0].points.push_back(
                    {0, result(s).row(q)[0] - result(0).row(q)[0], result(s).queries[q]});
            }
            auto& points = bars.series[0].points;
            std::stable_sort(points.begin(), points.end(),
                [](chart_point const& a, chart_point const& b) { return a.y > b.y; });
            for (std::size_t i = 0; i < points.size(); ++i) points[i].x = static_cast<double>(i);
            out_.charts.push_back(std::move(bars));
        }
    }

    // A curve of measures that share a name, as a chart and as a table; x has the place of each
    // measure.
    void add_curve(
        report_chart chart, std::string_view metrics, std::span<double const> x, int digits) {
        table t{.title = chart.title, .columns = {chart.x_label}};
        std::vector<evaluation> curves;
        for (auto const& s : systems_) {
            t.columns.push_back(s.name);
            curves.push_back(measured(*s.found, measures_named(metrics, options_.convention)));
            chart.series.push_back({.name = s.name});
            for (std::size_t i = 0; i < x.size(); ++i) {
                chart.series.back().points.push_back({x[i], curves.back().summaries[i]});
            }
        }
        for (std::size_t i = 0; i < x.size(); ++i) {
            std::vector<table_cell> row{table_cell(x[i], digits)};
            for (auto const& c : curves) row.emplace_back(c.summaries[i]);
            t.add(std::move(row));
        }
        out_.charts.push_back(std::move(chart));
        out_.tables.push_back(std::move(t));
    }

    void add_recall() {
        std::size_t deepest = 1;
        for (auto const& s : systems_) {
            for (std::size_t q = 0; q < s.found->size(); ++q) {
                deepest = (std::max)(deepest, s.found->entries(q).size());
            }
        }
        auto depths = options_.depths;
        std::sort(depths.begin(), depths.end());
        depths.erase(std::unique(depths.begin(), depths.end()), depths.end());
        std::string metrics;
        std::vector<double> x;
        for (auto const depth : depths) {
            if (depth > deepest && !x.empty()) break; // nothing new from here on
            metrics += join(metrics.empty() ? "recall." : ",", depth);
            x.push_back(static_cast<double>(depth));
        }
        if (x.empty()) return;
        add_curve({.kind = chart_kind::lines,
                      .title = "Recall by depth",
                      .x_label = "depth",
                      .y_label = "recall",
                      .log_x = true,
                      .note = "No later stage can exceed the recall of its candidates."},
            metrics, x, 0);
        for (auto const& s : systems_) {
            std::string note;
            for (double const target : {0.8, 0.9, 0.95}) {
                auto const depth = smallest_depth(first_ranks(*s.found, judged_), target);
                note += join(note.empty() ? "" : ", ", fixed_text(100 * target, 0), " % ",
                    depth ? join("by rank ", *depth) : "never");
            }
            out_.tables.back().notes.push_back(
                join(s.name, ": share of queries with a relevant document: ", note, "."));
        }
    }

    void add_precision() {
        std::vector<double> x;
        for (int i = 0; i <= 10; ++i) x.push_back(i / 10.0);
        add_curve({.kind = chart_kind::lines,
                      .title = "Precision by recall",
                      .x_label = "recall",
                      .y_label = "interpolated precision"},
            "iprec", x, 1);
    }

    void add_costs() {
        std::vector<quality_and_cost> points;
        for (std::size_t s = 0; s < systems_.size(); ++s) {
            if (!systems_[s].cost) return; // all or none
            points.push_back({result(s).summaries[0], *systems_[s].cost});
        }
        auto const best = pareto(points);
        table t{.title = "Quality and cost",
            .columns = {"system", options_.cost, first_measure(), "beaten"}};
        report_chart marks{.kind = chart_kind::marks,
            .title = "Quality and cost",
            .x_label = join(options_.cost, ", per query"),
            .y_label = first_measure(),
            .note = "The line joins the systems that no other beats: cheaper ones are worse, "
                    "better ones cost more."};
        marks.series = {{.name = "systems"}, {.name = "not beaten"}};
        for (std::size_t s = 0; s < systems_.size(); ++s) {
            auto const unbeaten = std::find(best.begin(), best.end(), s) != best.end();
            t.add({systems_[s].name, points[s].cost, points[s].quality, unbeaten ? "no" : "yes"});
            marks.series[0].points.push_back({points[s].cost, points[s].quality, systems_[s].name});
        }
        for (auto const s : best)
            marks.series[1].points.push_back({points[s].cost, points[s].quality});
        out_.charts.push_back(std::move(marks));
        out_.tables.push_back(std::move(t));
    }

    // Only if there are queries without an answer: how well a floor under the best score tells
    // them.
    void add_floors() {
        std::vector<std::string_view> known(
            out_.results[0].queries.begin(), out_.results[0].queries.end());
        for (std::size_t i = 0;
             options_.unanswerable != nullptr && i < options_.unanswerable->size(); ++i) {
            if (!judged_.find(options_.unanswerable->key(i)))
                known.push_back(options_.unanswerable->key(i));
        }
        auto const answers = [&](std::string_view query) {
            auto const at = judged_.find(query);
            return at && judged_.judgements(*at).count(1) > 0;
        };
        if (std::all_of(known.begin(), known.end(), answers)) return;
        table t{.title = "Saying nothing where there is no answer",
            .columns = {"system", "floor", "answered", "silenced", "abstained", "invented",
                "balanced accuracy", "on new queries"}};
        for (auto const& s : systems_) {
            std::vector<answerable> queries;
            for (auto const key : known) {
                auto& query = queries.emplace_back(answerable{.has_answer = answers(key)});
                auto const at = s.found->find(key);
                if (at && !s.found->entries(*at).empty())
                    query.best_score = s.found->ranking(*at)[0].score;
            }
            auto const floor = calibrated_floor(queries);
            auto const with = judge_abstention(queries, floor);
            t.add({s.name, floor ? table_cell(static_cast<double>(*floor)) : table_cell(),
                with.answered, with.silenced, with.abstained, with.invented,
                with.balanced_accuracy(), leave_one_out_abstention(queries).balanced_accuracy()});
        }
        t.notes.push_back(
            "A query whose best score is below the floor gets no answer. Each system has its own "
            "floor, calibrated on these queries. \"On new queries\": each query is judged by a "
            "floor that was calibrated on all others. Answering everything, or nothing, has a "
            "balanced accuracy of 0.5.");
        out_.tables.push_back(std::move(t));
    }

    std::span<reported_system const> systems_;
    qrels const& judged_;
    report_options const& options_;
    std::vector<measured_system> measured_;
    evaluation_report out_;
};

} // namespace detail

TRAWL_INLINE evaluation_report make_report(
    std::span<reported_system const> systems, qrels const& judged, report_options const& options) {
    if (systems.empty()) detail::fail(errc::invalid_argument, "make_report: there are no systems");
    for (auto const& s : systems) {
        if (s.found == nullptr) {
            detail::fail(errc::invalid_argument,
                detail::join("make_report: system '", s.name, "' has no run"));
        }
    }
    if (judged.size() == 0)
        detail::fail(errc::invalid_argument, "make_report: there are no queries");
    return detail::report_maker(systems, judged, options).make();
}

TRAWL_END_NAMESPACE
