// SPDX-License-Identifier: MIT
#pragma once

/// The table of all measures: trec_eval's, and those that it lacks.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/eval/assessment.hpp>
#include <trawl/eval/average_precision.hpp>
#include <trawl/eval/convention.hpp>
#include <trawl/eval/cutoff_measures.hpp>
#include <trawl/eval/ndcg.hpp>
#include <trawl/eval/set_measures.hpp>
#include <trawl/eval/tied_assessment.hpp>
#include <trawl/eval/user_models.hpp>

TRAWL_BEGIN_NAMESPACE

/// How the values of single questions become one.
enum class summary : unsigned char {
    mean,
    sum,
    geometric_mean, ///< of max(value, 1e-5)
    questions,      ///< how many there are
    /// over all judged questions, those too that the run lacks and that do not count
    mean_of_judged,
};

namespace detail {

// What computes a measure, from any functor of its own.
struct measure_function {
    std::function<double(assessment const&)> value = {};
    std::function<double(tied_assessment const&)> expected = {};

    template <class F>
        requires std::is_invocable_r_v<double, F const&, assessment const&>
    measure_function(F const& f) : value(f) { // NOLINT: implicit on purpose
        if constexpr (std::is_invocable_r_v<double, F const&, tied_assessment const&>) expected = f;
    }
};

/// What follows a measure's name.
struct measure_parameters {
    std::vector<double> numbers = {};
    std::vector<grade_gain> gains = {};
    double p = 0.9;
    convention rules = convention::trec_eval;

    [[nodiscard]] std::size_t k() const { return static_cast<std::size_t>(numbers.front()); }
    [[nodiscard]] gain linear() const {
        return rules == convention::sbert ? gain::binary : gain::linear;
    }
};

enum class takes : unsigned char {
    nothing,
    cutoffs, ///< whole numbers; each makes a measure
    points,  ///< numbers; each makes a measure
    numbers, ///< numbers of one measure
    gains,   ///< grade=gain, …
    p,       ///< p=number
};

struct measure_family {
    std::string_view name;    ///< trec_eval's, where it has one
    std::string_view aliases; ///< separated by spaces
    takes parameters;
    std::string_view defaults; ///< parameters where none are given
    trawl::summary summary;
    measure_function (*make)(measure_parameters const&);
};

// In the order in which trec_eval prints them; those that it lacks at the end.
[[nodiscard]] inline std::span<measure_family const> measure_families() {
    using params = measure_parameters const&;
    constexpr auto mean = summary::mean;
    constexpr std::string_view cuts = "5,10,15,20,30,100,200,500,1000";
    constexpr std::string_view tenths = "0,.1,.2,.3,.4,.5,.6,.7,.8,.9,1";
    static measure_family const all[] = {
        {"num_q", "", takes::nothing, "", summary::questions,
            [](params) -> measure_function { return [](assessment const&) { return 1.0; }; }},
        {"num_ret", "", takes::nothing, "", summary::sum,
            [](params) -> measure_function {
                return [](assessment const& a) { return static_cast<double>(a.retrieved); };
            }},
        {"num_rel", "", takes::nothing, "", summary::sum,
            [](params) -> measure_function {
                return [](assessment const& a) { return static_cast<double>(a.relevant); };
            }},
        {"num_rel_ret", "hits", takes::nothing, "", summary::sum,
            [](params) -> measure_function {
                return [](assessment const& a) { return static_cast<double>(a.found()); };
            }},
        {"map", "ap", takes::nothing, "", mean,
            [](params) -> measure_function { return average_precision{}; }},
        {"gm_map", "", takes::nothing, "", summary::geometric_mean,
            [](params) -> measure_function { return average_precision{}; }},
        {"Rprec", "rprec r-precision", takes::nothing, "", mean,
            [](params) -> measure_function { return r_precision{}; }},
        {"bpref", "", takes::nothing, "", mean, [](params) -> measure_function { return bpref{}; }},
        {"recip_rank", "mrr rr", takes::nothing, "", mean,
            [](params) -> measure_function { return reciprocal_rank{}; }},
        {"iprec_at_recall", "iprec", takes::points, tenths, mean,
            [](params p) -> measure_function {
                return interpolated_precision{.recall = p.numbers.front()};
            }},
        {"P", "p precision", takes::cutoffs, cuts, mean,
            [](params p) -> measure_function { return precision{.k = p.k()}; }},
        {"recall", "r", takes::cutoffs, cuts, mean,
            [](params p) -> measure_function { return recall{.k = p.k()}; }},
        {"infAP", "infap", takes::nothing, "", mean,
            [](params) -> measure_function { return inferred_ap{}; }},
        {"gm_bpref", "", takes::nothing, "", summary::geometric_mean,
            [](params) -> measure_function { return bpref{}; }},
        {"Rprec_mult", "", takes::points, ".2,.4,.6,.8,1,1.2,1.4,1.6,1.8,2", mean,
            [](params p) -> measure_function { return r_precision{.factor = p.numbers.front()}; }},
        {"utility", "", takes::numbers, "1,-1,0,0", mean,
            [](params p) -> measure_function {
                if (p.numbers.size() != 4) {
                    fail(errc::invalid_argument,
                        join("utility takes 4 numbers, there are ", p.numbers.size()));
                }
                return utility{p.numbers[0], p.numbers[1], p.numbers[2], p.numbers[3]};
            }},
        {"11pt_avg", "", takes::numbers, tenths, mean,
            [](params p) -> measure_function { return averaged_precision_points{p.numbers}; }},
        {"binG", "", takes::nothing, "", mean,
            [](params) -> measure_function { return binary_gain{}; }},
        {"G", "", takes::gains, "", mean,
            [](params p) -> measure_function { return normalised_gain{p.gains}; }},
        {"ndcg", "", takes::gains, "", mean,
            [](params p) -> measure_function {
                return ndcg{.gain = p.linear(), .gains = p.gains};
            }},
        {"ndcg_rel", "", takes::gains, "", mean,
            [](params p) -> measure_function { return ndcg_at_relevant{p.gains}; }},
        {"Rndcg", "", takes::gains, "", mean,
            [](params p) -> measure_function { return r_ndcg{p.gains}; }},
        {"ndcg_cut", "", takes::cutoffs, cuts, mean,
            [](params p) -> measure_function { return ndcg{.k = p.k(), .gain = p.linear()}; }},
        {"map_cut", "", takes::cutoffs, cuts, mean,
            [](params p) -> measure_function {
                return average_precision{
                    .k = p.k(), .over_reachable = p.rules == convention::sbert};
            }},
        {"relative_P", "r_cap", takes::cutoffs, cuts, mean,
            [](params p) -> measure_function { return relative_precision{.k = p.k()}; }},
        {"success", "hit hit_rate accuracy", takes::cutoffs, "1,5,10", mean,
            [](params p) -> measure_function { return hit_rate{.k = p.k()}; }},
        {"set_P", "", takes::nothing, "", mean,
            [](params) -> measure_function { return set_precision{}; }},
        {"set_relative_P", "", takes::nothing, "", mean,
            [](params) -> measure_function { return set_relative_precision{}; }},
        {"set_recall", "", takes::nothing, "", mean,
            [](params) -> measure_function { return recall{}; }},
        {"set_map", "", takes::nothing, "", mean,
            [](params) -> measure_function { return set_average_precision{}; }},
        {"set_F", "f1", takes::numbers, "1", mean,
            [](params p) -> measure_function { return set_f{p.numbers.front()}; }},
        {"num_nonrel_judged_ret", "", takes::nothing, "", summary::sum,
            [](params) -> measure_function {
                return [](assessment const& a) {
                    return static_cast<double>(judged_among(a, no_cutoff) - a.found());
                };
            }},
        {"rbp", "", takes::p, "", mean,
            [](params p) -> measure_function {
                return rank_biased_precision{.p = p.p, .raw_grades = p.rules == convention::ranx};
            }},
        {"rbp_resid", "", takes::p, "", mean,
            [](params p) -> measure_function { return rank_biased_residual{p.p}; }},
        {"unj", "", takes::cutoffs, "5,10,20", mean,
            [](params p) -> measure_function { return unjudged_share{.k = p.k()}; }},
        {"recip_rank_cut", "", takes::cutoffs, "10", mean,
            [](params p) -> measure_function { return reciprocal_rank{.k = p.k()}; }},
        {"ndcg_exp_cut", "ndcg_exp ndcg_burges", takes::cutoffs, "10", mean,
            [](params p) -> measure_function {
                return ndcg{.k = p.k(), .gain = gain::exponential};
            }},
        {"err", "", takes::cutoffs, "20", mean,
            [](params p) -> measure_function { return expected_reciprocal_rank{.k = p.k()}; }},
        {"judged", "", takes::cutoffs, "5,10,20", mean,
            [](params p) -> measure_function { return judged_share{.k = p.k()}; }},
    };
    return all;
}

// Trec_eval's official measures come first, up to and with P; the last four are ours.
inline constexpr std::size_t official_families = 11;
inline constexpr std::size_t own_families = 4;

[[nodiscard]] inline bool listed(std::string_view list, std::string_view wanted) noexcept {
    while (!list.empty()) {
        auto const word = list.substr(0, list.find(' '));
        if (word == wanted) return true;
        list.remove_prefix((std::min)(list.size(), word.size() + 1));
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
