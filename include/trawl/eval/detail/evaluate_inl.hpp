// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of evaluate.hpp.

#include <trawl/eval/evaluate.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/doc_set.hpp>
#include <trawl/core/executor.hpp>
#include <trawl/detail/number_text.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/convention.hpp>
#include <trawl/eval/detail/assess.hpp>
#include <trawl/eval/measure.hpp>
#include <trawl/eval/qrels.hpp>
#include <trawl/eval/run.hpp>
#include <trawl/eval/tied_assessment.hpp>

TRAWL_BEGIN_NAMESPACE
TRAWL_INLINE evaluation_rules evaluate_options::rules() const noexcept {
    auto const usual = rules_of(convention);
    return {ties.value_or(usual.ties), missing.value_or(usual.missing),
        unanswerable.value_or(usual.unanswerable), negatives.value_or(usual.negatives),
        own.value_or(usual.own), usual.repeated};
}

TRAWL_INLINE std::span<double const> evaluation::row(std::size_t i) const noexcept {
    return std::span(values).subspan(i * measures.size(), measures.size());
}

TRAWL_INLINE std::vector<double> evaluation::column(std::size_t m) const {
    std::vector<double> out;
    out.reserve(queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i) out.push_back(row(i)[m]);
    return out;
}

namespace detail {

// The hits of one query, as a convention and its judgements see them.
struct query_hits {
    std::span<run::entry const> entries;
    doc_id own = no_doc; // a hit that is dropped

    // Calls each(first, last, before) for the entries of each score, best first; before: hits above
    // them.
    template <class Each>
    void for_each_tie(Each&& each) const {
        for (std::size_t i = 0; i < entries.size();) {
            auto end = i + 1;
            while (end < entries.size() && entries[end].score == entries[i].score) ++end;
            each(i, end);
            i = end;
        }
    }

    [[nodiscard]] bool has_ties() const noexcept {
        for (std::size_t i = 1; i < entries.size(); ++i) {
            if (entries[i].score == entries[i - 1].score) return true;
        }
        return false;
    }

    // Their documents, equal scores in the order of keys that is wanted.
    void order(tie_order ties, std::vector<run::entry>& out) const {
        out.clear();
        for_each_tie([&](std::size_t i, std::size_t end) {
            for (auto j = i; j < end; ++j) {
                auto const& e = entries[ties == tie_order::key_descending ? end - 1 - (j - i) : j];
                if (e.id != own) out.push_back(e);
            }
        });
    }
};

// As assess_by, for ties in any order; grade_of(id) is the grade of a document, or null.
template <class GradeOf>
[[nodiscard]] tied_assessment assess_ties(query_hits const& hits, judgements const& judged,
    assess_options const& options, GradeOf&& grade_of) {
    tied_assessment out{
        .relevant = judged.count(options.level), .grades = judged.grades(), .level = options.level};
    hits.for_each_tie([&](std::size_t i, std::size_t end) {
        tied_hits group{.before = out.retrieved};
        for (; i < end; ++i) {
            if (hits.entries[i].id == hits.own) continue;
            int const* const grade = grade_of(hits.entries[i].id);
            if (options.judged_only && (grade == nullptr || *grade < 0)) continue;
            ++group.size;
            if (grade == nullptr) continue;
            group.grades.push_back(*grade);
            if (*grade >= 0 && *grade >= options.level) ++group.relevant;
        }
        out.retrieved += group.size;
        if (group.size > 0) out.groups.push_back(std::move(group));
    });
    return out;
}

inline void check_expected(std::span<measure const> measures, assess_options const& options) {
    if (options.depth != no_cutoff) {
        fail(errc::invalid_argument,
            join("evaluate: expected values need whole rankings, depth is ", options.depth));
    }
    for (auto const& m : measures) {
        if (!m.expected) {
            fail(errc::invalid_argument,
                join("evaluate: '", m.name, "' has no expected value over ties"));
        }
    }
}

// What one task needs to go from query to query.
class query_evaluator {
public:
    query_evaluator(run const& found, qrels const& judged, std::span<doc_id const> found_id,
        evaluation_rules const& rules, assess_options const& options)
        : found_(found),
          judged_(judged),
          found_id_(found_id),
          rules_(rules),
          options_(options),
          known_(found.documents().size()),
          grades_(found.documents().size(), nullptr) {}

    // The values of judged query q, which is query r of the run, or no_doc if it lacks it.
    void operator()(
        std::size_t q, std::size_t r, std::span<measure const> measures, std::span<double> values) {
        auto const& known = judged_.judgements(q);
        for (auto const& j : known.all()) {
            if (auto const id = found_id_[j.id]; id != no_doc) {
                known_.insert(id);
                grades_[id] = &j.grade;
            }
        }
        auto hits = query_hits{r == no_doc ? std::span<run::entry const>{} : found_.entries(r)};
        if (rules_.own == own_document::drop)
            hits.own = found_.documents().find(judged_.query(q)).value_or(no_doc);
        if (rules_.ties == tie_order::expected) {
            auto const assessed =
                assess_ties(hits, known, options_, [&](doc_id id) { return grade_of(id); });
            for (std::size_t m = 0; m < measures.size(); ++m)
                values[m] = measures[m].expected(assessed);
        } else {
            for (auto const ties : {tie_order::key_descending, tie_order::key_ascending}) {
                measure_with(ties, hits, known, measures, values);
            }
        }
        for (auto const& e : hits.entries) hits_known_ += known_.contains(e.id) ? 1u : 0u;
        for (auto const& j : known.all()) {
            if (auto const id = found_id_[j.id]; id != no_doc) known_.erase(id);
        }
    }

    /// Retrieved documents that had a judgement so far.
    [[nodiscard]] std::size_t hits_known() const noexcept { return hits_known_; }

private:
    void measure_with(tie_order ties, query_hits const& hits, judgements const& known,
        std::span<measure const> measures, std::span<double> values) {
        auto const wanted = [&](measure const& m) { return m.ties.value_or(rules_.ties) == ties; };
        if (std::none_of(measures.begin(), measures.end(), wanted)) return;
        auto const as_it_is = hits.own == no_doc && !hits.has_ties();
        if (!as_it_is) hits.order(ties, order_);
        auto assessed = assess_by(as_it_is ? hits.entries.size() : order_.size(), known, options_,
            [&](std::size_t h) -> std::optional<int> {
                auto const* const grade = grade_of(as_it_is ? hits.entries[h].id : order_[h].id);
                return grade == nullptr ? std::nullopt : std::optional(*grade);
            });
        if (rules_.negatives == negative_grades::not_relevant) {
            for (auto& h : assessed.known) h.grade = (std::max)(h.grade, 0);
            assessed.non_relevant = known.size() - assessed.relevant;
        }
        for (std::size_t m = 0; m < measures.size(); ++m) {
            if (wanted(measures[m])) values[m] = measures[m].value(assessed);
        }
    }

    [[nodiscard]] int const* grade_of(doc_id id) const noexcept {
        return known_.contains(id) ? grades_[id] : nullptr;
    }

    run const& found_;
    qrels const& judged_;
    std::span<doc_id const> found_id_; // of each judged document, in the run
    evaluation_rules rules_;
    assess_options options_;
    // judged for the query; few hits are, and a bit is always near
    doc_set known_;
    std::vector<int const*> grades_; // of these
    std::vector<run::entry> order_;
    std::size_t hits_known_ = 0;
};

[[nodiscard]] inline double summarise(evaluation const& e, std::size_t m) {
    constexpr double least = 1e-5;
    auto const kind = e.measures[m].summary;
    auto const n = kind == summary::mean_of_judged ? e.judged : e.queries.size();
    double sum = 0;
    for (std::size_t i = 0; i < e.queries.size(); ++i) {
        auto const value = e.row(i)[m];
        sum += kind == summary::geometric_mean ? std::log((std::max)(value, least)) : value;
    }
    if (kind == summary::sum || kind == summary::queries || n == 0) return sum;
    return kind == summary::geometric_mean ? std::exp(sum / static_cast<double>(n))
                                           : sum / static_cast<double>(n);
}

} // namespace detail

TRAWL_INLINE std::vector<std::string> warnings(
    evaluation const& e, run const& found, qrels const& judged) {
    std::vector<std::string> out;
    if (judged.size() == 0 || found.size() == 0) {
        out.push_back(judged.size() == 0 ? "There are no judgements." : "The run is empty.");
    } else if (e.unjudged.size() == found.size()) {
        out.push_back(detail::join("No query of the run is judged: the run has queries like '",
            found.query(0), "', the judgements like '", judged.query(0), "'."));
    } else if (e.retrieved > 0 && e.known == 0) {
        out.push_back(detail::join("No retrieved document is judged: the run has documents like '",
            found.documents().key(0), "', the judgements like '", judged.documents().key(0), "'."));
    }
    return out;
}

TRAWL_INLINE std::vector<run::entry> ordered_entries(
    run const& found, std::size_t i, evaluation_rules const& rules) {
    detail::query_hits hits{found.entries(i)};
    if (rules.own == own_document::drop)
        hits.own = found.documents().find(found.query(i)).value_or(no_doc);
    std::vector<run::entry> out;
    hits.order(rules.ties, out);
    return out;
}

TRAWL_INLINE evaluation evaluate(run const& found, qrels const& judged,
    std::vector<measure> measures, evaluate_options const& options) {
    evaluation out;
    out.convention = options.convention;
    out.rules = options.rules();
    out.measures = std::move(measures);
    if (out.rules.ties == tie_order::expected) detail::check_expected(out.measures, options.assess);

    auto const run_query = ordered_keys::translation(judged.queries(), found.queries());
    std::vector<std::size_t> counted;
    for (std::size_t q = 0; q < judged.size(); ++q) {
        if (out.rules.unanswerable == unanswerable_queries::skip
            && judged.judgements(q).count(options.assess.level) == 0) {
            continue;
        }
        ++out.judged;
        if (run_query[q] == no_doc) {
            out.missing.emplace_back(judged.query(q));
            if (out.rules.missing == missing_queries::skip) continue;
            if (out.rules.missing == missing_queries::fail) {
                detail::fail(errc::unknown_id, detail::join("evaluate: the run has no query '",
                                                   judged.query(q), "', which is judged"));
            }
        } else if (detail::query_hits{found.entries(run_query[q])}.has_ties()) {
            ++out.tied;
        }
        counted.push_back(q);
        out.queries.emplace_back(judged.query(q));
    }
    auto const judged_query = ordered_keys::translation(found.queries(), judged.queries());
    for (std::size_t q = 0; q < found.size(); ++q) {
        if (judged_query[q] == no_doc) out.unjudged.emplace_back(found.query(q));
    }

    auto const found_id = ordered_keys::translation(judged.documents(), found.documents());
    auto const width = out.measures.size();
    out.values.resize(counted.size() * width);
    // One task for many queries: each needs room for the grades of all documents.
    auto const tasks =
        (std::min)(counted.size(), options.pool == nullptr ? 1 : 4 * options.pool->concurrency());
    std::vector<std::size_t> known(tasks);
    run_tasks(options.pool, tasks, [&](std::size_t task) {
        detail::query_evaluator one(found, judged, found_id, out.rules, options.assess);
        for (auto i = task * counted.size() / tasks; i < (task + 1) * counted.size() / tasks; ++i) {
            one(counted[i], run_query[counted[i]], out.measures,
                std::span(out.values).subspan(i * width, width));
        }
        known[task] = one.hits_known();
    });
    for (auto const n : known) out.known += n;
    for (auto const q : counted) {
        if (run_query[q] != no_doc) out.retrieved += found.entries(run_query[q]).size();
    }
    for (std::size_t m = 0; m < width; ++m) out.summaries.push_back(detail::summarise(out, m));
    return out;
}

TRAWL_INLINE std::string to_text(evaluation const& e, bool per_query) {
    std::string out;
    auto const line = [&](measure const& m, std::string_view query, double value) {
        auto const whole = m.summary == summary::sum || m.summary == summary::queries;
        out += m.name;
        out.append(m.name.size() < 22 ? 22 - m.name.size() : 0, ' ');
        out += detail::join("\t", query, "\t", detail::fixed_text(value, whole ? 0 : 4), "\n");
    };
    for (std::size_t i = 0; per_query && i < e.queries.size(); ++i) {
        for (std::size_t m = 0; m < e.measures.size(); ++m) {
            auto const kind = e.measures[m].summary;
            if (kind == summary::geometric_mean || kind == summary::queries) continue;
            line(e.measures[m], e.queries[i], e.row(i)[m]);
        }
    }
    for (std::size_t m = 0; m < e.measures.size(); ++m) line(e.measures[m], "all", e.summaries[m]);
    return out;
}

TRAWL_END_NAMESPACE
