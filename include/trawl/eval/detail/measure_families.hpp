// SPDX-License-Identifier: MIT
#pragma once

/// The table of all measures: those of trec_eval, and those that it lacks.

#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include <trawl/eval/assessment.hpp>
#include <trawl/eval/average_precision.hpp>
#include <trawl/eval/convention.hpp>
#include <trawl/eval/cutoff_measures.hpp>
#include <trawl/eval/detail/assess.hpp>
#include <trawl/eval/measure.hpp>
#include <trawl/eval/ndcg.hpp>
#include <trawl/eval/set_measures.hpp>
#include <trawl/eval/tied_assessment.hpp>
#include <trawl/eval/user_models.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// What follows a measure's name.
struct measure_parameters {
    std::vector<double> numbers = {};
    std::vector<grade_gain> gains = {};
    double p = 0.9;
    convention rules = convention::trec_eval;

    [[nodiscard]] double number() const { return numbers.front(); }
    [[nodiscard]] std::size_t k() const { return static_cast<std::size_t>(numbers.front()); }
    [[nodiscard]] gain linear() const {
        return rules == convention::sbert ? gain::binary : gain::linear;
    }
};

/// The parameters of a measure.
enum class takes : unsigned char {
    nothing,
    cutoffs, ///< whole numbers; each makes a measure
    points,  ///< numbers; each makes a measure
    numbers, ///< numbers of one measure
    gains,   ///< grade=gain, …
    p,       ///< p=number
};
inline constexpr std::string_view parameter_words[] = {"nothing", "cutoffs (whole numbers from 1)",
    "numbers", "numbers", "grade=gain pairs", "p=number"};
static_assert(std::size(parameter_words) == static_cast<std::size_t>(takes::p) + 1);

struct measure_family {
    using value_function = double (*)(measure_parameters const&, assessment const&);
    using expected_function = double (*)(measure_parameters const&, tied_assessment const&);

    std::string_view name;    ///< trec_eval's, if it has the measure
    std::string_view aliases; ///< separated by blanks
    takes parameters;
    std::string_view defaults; ///< the parameters if none are given
    trawl::summary summary;
    value_function value;
    expected_function expected = nullptr; ///< null: there is no closed form
    bool ours = false;                    ///< not in trec_eval
    bool official = false;                ///< trec_eval prints it by default
    std::size_t count = 0;                ///< how many numbers it needs; 0: any
};

// In the order in which trec_eval prints them; those that it lacks at the end.
[[nodiscard]] inline std::span<measure_family const> measure_families() {
    using params = measure_parameters const&;
    using ranked = assessment const&;
    using tied = tied_assessment const&;
    constexpr auto mean = summary::mean;
    constexpr std::string_view cuts = "5,10,15,20,30,100,200,500,1000";
    constexpr std::string_view tenths = "0,.1,.2,.3,.4,.5,.6,.7,.8,.9,1";
    static constexpr measure_family all[] = {
        {.name = "num_q",
            .aliases = "",
            .parameters = takes::nothing,
            .defaults = "",
            .summary = summary::queries,
            .value = [](params, ranked) { return 1.0; },
            .official = true},
        {.name = "num_ret",
            .aliases = "",
            .parameters = takes::nothing,
            .defaults = "",
            .summary = summary::sum,
            .value = [](params, ranked a) -> double { return static_cast<double>(a.retrieved); },
            .official = true},
        {.name = "num_rel",
            .aliases = "",
            .parameters = takes::nothing,
            .defaults = "",
            .summary = summary::sum,
            .value = [](params, ranked a) -> double { return static_cast<double>(a.relevant); },
            .official = true},
        {.name = "num_rel_ret",
            .aliases = "hits",
            .parameters = takes::nothing,
            .defaults = "",
            .summary = summary::sum,
            .value = [](params, ranked a) -> double { return static_cast<double>(a.found()); },
            .official = true},
        {.name = "map",
            .aliases = "ap",
            .parameters = takes::nothing,
            .defaults = "",
            .summary = mean,
            .value = [](params, ranked a) -> double { return average_precision{}(a); },
            .expected = [](params, tied a) -> double { return average_precision{}(a); },
            .official = true},
        {.name = "gm_map",
            .aliases = "",
            .parameters = takes::nothing,
            .defaults = "",
            .summary = summary::geometric_mean,
            .value = [](params, ranked a) -> double { return average_precision{}(a); },
            .expected = [](params, tied a) -> double { return average_precision{}(a); },
            .official = true},
        {.name = "Rprec",
            .aliases = "rprec r-precision",
            .parameters = takes::nothing,
            .defaults = "",
            .summary = mean,
            .value = [](params, ranked a) -> double { return r_precision{}(a); },
            .official = true},
        {.name = "bpref",
            .aliases = "",
            .parameters = takes::nothing,
            .defaults = "",
            .summary = mean,
            .value = [](params, ranked a) -> double { return bpref{}(a); },
            .official = true},
        {.name = "recip_rank",
            .aliases = "mrr rr",
            .parameters = takes::nothing,
            .defaults = "",
            .summary = mean,
            .value = [](params, ranked a) -> double { return reciprocal_rank{}(a); },
            .expected = [](params, tied a) -> double { return reciprocal_rank{}(a); },
            .official = true},
        {.name = "iprec_at_recall",
            .aliases = "iprec",
            .parameters = takes::points,
            .defaults = tenths,
            .summary = mean,
            .value = [](params p, ranked a) -> double {
                return interpolated_precision{.recall = p.number()}(a);
            },
            .official = true},
        {.name = "P",
            .aliases = "p precision",
            .parameters = takes::cutoffs,
            .defaults = cuts,
            .summary = mean,
            .value = [](params p, ranked a) -> double { return precision{.k = p.k()}(a); },
            .expected = [](params p, tied a) -> double { return precision{.k = p.k()}(a); },
            .official = true},
        {.name = "recall",
            .aliases = "r",
            .parameters = takes::cutoffs,
            .defaults = cuts,
            .summary = mean,
            .value = [](params p, ranked a) -> double { return recall{.k = p.k()}(a); },
            .expected = [](params p, tied a) -> double { return recall{.k = p.k()}(a); }},
        {.name = "infAP",
            .aliases = "infap",
            .parameters = takes::nothing,
            .defaults = "",
            .summary = mean,
            .value = [](params, ranked a) -> double { return inferred_ap{}(a); }},
        {.name = "gm_bpref",
            .aliases = "",
            .parameters = takes::nothing,
            .defaults = "",
            .summary = summary::geometric_mean,
            .value = [](params, ranked a) -> double { return bpref{}(a); }},
        {.name = "Rprec_mult",
            .aliases = "",
            .parameters = takes::points,
            .defaults = ".2,.4,.6,.8,1,1.2,1.4,1.6,1.8,2",
            .summary = mean,
            .value = [](params p, ranked a) -> double {
                return r_precision{.factor = p.number()}(a);
            }},
        {.name = "utility",
            .aliases = "",
            .parameters = takes::numbers,
            .defaults = "1,-1,0,0",
            .summary = mean,
            .value = [](params p, ranked a) -> double {
                return utility{p.numbers[0], p.numbers[1], p.numbers[2], p.numbers[3]}(a);
            },
            .count = 4},
        {.name = "11pt_avg",
            .aliases = "",
            .parameters = takes::numbers,
            .defaults = tenths,
            .summary = mean,
            .value = [](params p, ranked a) -> double {
                return averaged_precision_points{p.numbers}(a);
            }},
        {.name = "binG",
            .aliases = "",
            .parameters = takes::nothing,
            .defaults = "",
            .summary = mean,
            .value = [](params, ranked a) -> double { return binary_gain{}(a); }},
        {.name = "G",
            .aliases = "",
            .parameters = takes::gains,
            .defaults = "",
            .summary = mean,
            .value = [](params p, ranked a) -> double { return normalised_gain{p.gains}(a); }},
        {.name = "ndcg",
            .aliases = "",
            .parameters = takes::gains,
            .defaults = "",
            .summary = mean,
            .value = [](params p, ranked a) -> double {
                return ndcg{.gain = p.linear(), .gains = p.gains}(a);
            },
            .expected = [](params p, tied a) -> double {
                return ndcg{.gain = p.linear(), .gains = p.gains}(a);
            }},
        {.name = "ndcg_rel",
            .aliases = "",
            .parameters = takes::gains,
            .defaults = "",
            .summary = mean,
            .value = [](params p, ranked a) -> double { return ndcg_at_relevant{p.gains}(a); }},
        {.name = "Rndcg",
            .aliases = "",
            .parameters = takes::gains,
            .defaults = "",
            .summary = mean,
            .value = [](params p, ranked a) -> double { return r_ndcg{p.gains}(a); }},
        {.name = "ndcg_cut",
            .aliases = "",
            .parameters = takes::cutoffs,
            .defaults = cuts,
            .summary = mean,
            .value = [](params p, ranked a) -> double {
                return ndcg{.k = p.k(), .gain = p.linear()}(a);
            },
            .expected = [](params p, tied a) -> double {
                return ndcg{.k = p.k(), .gain = p.linear()}(a);
            }},
        {.name = "map_cut",
            .aliases = "",
            .parameters = takes::cutoffs,
            .defaults = cuts,
            .summary = mean,
            .value = [](params p, ranked a) -> double {
                return average_precision{
                    .k = p.k(), .over_reachable = p.rules == convention::sbert}(a);
            },
            .expected = [](params p, tied a) -> double {
                return average_precision{
                    .k = p.k(), .over_reachable = p.rules == convention::sbert}(a);
            }},
        {.name = "relative_P",
            .aliases = "r_cap",
            .parameters = takes::cutoffs,
            .defaults = cuts,
            .summary = mean,
            .value = [](params p, ranked a) -> double {
                return relative_precision{.k = p.k()}(a);
            }},
        {.name = "success",
            .aliases = "hit hit_rate accuracy",
            .parameters = takes::cutoffs,
            .defaults = "1,5,10",
            .summary = mean,
            .value = [](params p, ranked a) -> double { return hit_rate{.k = p.k()}(a); },
            .expected = [](params p, tied a) -> double { return hit_rate{.k = p.k()}(a); }},
        {.name = "set_P",
            .aliases = "",
            .parameters = takes::nothing,
            .defaults = "",
            .summary = mean,
            .value = [](params, ranked a) -> double { return set_precision{}(a); }},
        {.name = "set_relative_P",
            .aliases = "",
            .parameters = takes::nothing,
            .defaults = "",
            .summary = mean,
            .value = [](params, ranked a) -> double { return set_relative_precision{}(a); }},
        {.name = "set_recall",
            .aliases = "",
            .parameters = takes::nothing,
            .defaults = "",
            .summary = mean,
            .value = [](params, ranked a) -> double { return recall{}(a); },
            .expected = [](params, tied a) -> double { return recall{}(a); }},
        {.name = "set_map",
            .aliases = "",
            .parameters = takes::nothing,
            .defaults = "",
            .summary = mean,
            .value = [](params, ranked a) -> double { return set_average_precision{}(a); }},
        {.name = "set_F",
            .aliases = "f1",
            .parameters = takes::numbers,
            .defaults = "1",
            .summary = mean,
            .value = [](params p, ranked a) -> double { return set_f{p.number()}(a); }},
        {.name = "num_nonrel_judged_ret",
            .aliases = "",
            .parameters = takes::nothing,
            .defaults = "",
            .summary = summary::sum,
            .value = [](params, ranked a) -> double {
                return static_cast<double>(judged_among(a, no_cutoff) - a.found());
            }},
        {.name = "rbp",
            .aliases = "",
            .parameters = takes::p,
            .defaults = "",
            .summary = mean,
            .value = [](params p, ranked a) -> double {
                return rank_biased_precision{.p = p.p, .raw_grades = p.rules == convention::ranx}(
                    a);
            },
            .expected = [](params p, tied a) -> double {
                return rank_biased_precision{.p = p.p, .raw_grades = p.rules == convention::ranx}(
                    a);
            }},
        {.name = "rbp_resid",
            .aliases = "",
            .parameters = takes::p,
            .defaults = "",
            .summary = mean,
            .value = [](params p, ranked a) -> double { return rank_biased_residual{p.p}(a); }},
        {.name = "unj",
            .aliases = "",
            .parameters = takes::cutoffs,
            .defaults = "5,10,20",
            .summary = mean,
            .value = [](params p, ranked a) -> double { return unjudged_share{.k = p.k()}(a); }},
        {.name = "recip_rank_cut",
            .aliases = "",
            .parameters = takes::cutoffs,
            .defaults = "10",
            .summary = mean,
            .value = [](params p, ranked a) -> double { return reciprocal_rank{.k = p.k()}(a); },
            .expected = [](params p, tied a) -> double { return reciprocal_rank{.k = p.k()}(a); },
            .ours = true},
        {.name = "ndcg_exp_cut",
            .aliases = "ndcg_exp ndcg_burges",
            .parameters = takes::cutoffs,
            .defaults = "10",
            .summary = mean,
            .value = [](params p, ranked a) -> double {
                return ndcg{.k = p.k(), .gain = gain::exponential}(a);
            },
            .expected = [](params p, tied a) -> double {
                return ndcg{.k = p.k(), .gain = gain::exponential}(a);
            },
            .ours = true},
        {.name = "err",
            .aliases = "",
            .parameters = takes::cutoffs,
            .defaults = "20",
            .summary = mean,
            .value = [](params p, ranked a) -> double {
                return expected_reciprocal_rank{.k = p.k()}(a);
            },
            .ours = true},
        {.name = "judged",
            .aliases = "",
            .parameters = takes::cutoffs,
            .defaults = "5,10,20",
            .summary = mean,
            .value = [](params p, ranked a) -> double { return judged_share{.k = p.k()}(a); },
            .ours = true},
    };
    return all;
}

[[nodiscard]] inline bool listed(std::string_view list, std::string_view wanted) noexcept {
    while (!list.empty()) {
        auto const word = list.substr(0, list.find(' '));
        if (word == wanted) return true;
        list.remove_prefix(word.size() < list.size() ? word.size() + 1 : list.size());
    }
    return false;
}

[[nodiscard]] inline measure_family const* find_family(std::string_view name) {
    for (auto const& family : measure_families()) {
        if (family.name == name || listed(family.aliases, name)) return &family;
    }
    return nullptr;
}

} // namespace detail
TRAWL_END_NAMESPACE
