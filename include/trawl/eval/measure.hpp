// SPDX-License-Identifier: MIT
#pragma once

/// Every measure by its name: "ndcg@10", "P_5", "utility.2,-1,0,0", "map", "all".

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/number_text.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/assessment.hpp>
#include <trawl/eval/average_precision.hpp>
#include <trawl/eval/convention.hpp>
#include <trawl/eval/cutoff_measures.hpp>
#include <trawl/eval/ndcg.hpp>
#include <trawl/eval/set_measures.hpp>
#include <trawl/eval/tied_assessment.hpp>
#include <trawl/eval/user_models.hpp>

namespace trawl::inline v0_1 {

/// How the values of single questions become one.
enum class summary : unsigned char {
    mean,
    sum,
    geometric_mean, ///< of max(value, 1e-5)
    questions,      ///< how many there are
    mean_of_judged, ///< over all judged questions, those too that the run lacks and that do not count
};

/// A measure and what it is called.
struct measure {
    std::string name = {};
    std::function<double(assessment const&)> value = {};
    trawl::summary summary = trawl::summary::mean;
    std::function<double(tied_assessment const&)> expected = {}; ///< empty where there is no closed form
    std::optional<tie_order> ties = {};                          ///< where it differs from the convention
    bool lower_is_better = false;
};

namespace detail {

// What computes a measure, from any functor of its own.
struct measure_function {
    std::function<double(assessment const&)> value = {};
    std::function<double(tied_assessment const&)> expected = {};

    template <class F>
        requires std::is_invocable_r_v<double, F const&, assessment const&> measure_function(F const& f)
            : value(f) { // NOLINT: implicit on purpose
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
    [[nodiscard]] gain linear() const { return rules == convention::sbert ? gain::binary : gain::linear; }
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
            [](params p) -> measure_function { return interpolated_precision{.recall = p.numbers.front()}; }},
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
        {"binG", "", takes::nothing, "", mean, [](params) -> measure_function { return binary_gain{}; }},
        {"G", "", takes::gains, "", mean,
            [](params p) -> measure_function { return normalised_gain{p.gains}; }},
        {"ndcg", "", takes::gains, "", mean,
            [](params p) -> measure_function { return ndcg{.gain = p.linear(), .gains = p.gains}; }},
        {"ndcg_rel", "", takes::gains, "", mean,
            [](params p) -> measure_function { return ndcg_at_relevant{p.gains}; }},
        {"Rndcg", "", takes::gains, "", mean, [](params p) -> measure_function { return r_ndcg{p.gains}; }},
        {"ndcg_cut", "", takes::cutoffs, cuts, mean,
            [](params p) -> measure_function { return ndcg{.k = p.k(), .gain = p.linear()}; }},
        {"map_cut", "", takes::cutoffs, cuts, mean,
            [](params p) -> measure_function {
                return average_precision{.k = p.k(), .over_reachable = p.rules == convention::sbert};
            }},
        {"relative_P", "r_cap", takes::cutoffs, cuts, mean,
            [](params p) -> measure_function { return relative_precision{.k = p.k()}; }},
        {"success", "hit hit_rate accuracy", takes::cutoffs, "1,5,10", mean,
            [](params p) -> measure_function { return hit_rate{.k = p.k()}; }},
        {"set_P", "", takes::nothing, "", mean, [](params) -> measure_function { return set_precision{}; }},
        {"set_relative_P", "", takes::nothing, "", mean,
            [](params) -> measure_function { return set_relative_precision{}; }},
        {"set_recall", "", takes::nothing, "", mean, [](params) -> measure_function { return recall{}; }},
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
            [](params p) -> measure_function { return ndcg{.k = p.k(), .gain = gain::exponential}; }},
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

[[noreturn]] TRAWL_COLD inline void bad_parameter(measure_family const& family, std::string_view text) {
    constexpr std::string_view wanted[] = {
        "nothing", "cutoffs (whole numbers from 1)", "numbers", "numbers", "grade=gain pairs", "p=number"};
    fail(errc::invalid_argument, join("measure ", family.name, ": parameter '", text, "' where it takes ",
                                     wanted[static_cast<std::size_t>(family.parameters)]));
}

inline void add_parameter(
    measure_family const& family, std::string_view text, measure_parameters& parameters) {
    auto const equals = text.find('=');
    auto const value = parse_double(equals == text.npos ? text : text.substr(equals + 1));
    if (!value || !is_finite(*value)) bad_parameter(family, text);
    switch (family.parameters) {
    case takes::nothing:
        break;
    case takes::cutoffs:
        if (equals != text.npos || !parse_integer<std::uint32_t>(text) || *value < 1) break;
        parameters.numbers.push_back(*value);
        return;
    case takes::points:
    case takes::numbers:
        if (equals != text.npos) break;
        parameters.numbers.push_back(*value);
        return;
    case takes::gains: {
        auto const grade = equals == text.npos ? std::nullopt : parse_integer<int>(text.substr(0, equals));
        if (!grade) break;
        parameters.gains.push_back({*grade, *value});
        return;
    }
    case takes::p:
        if (equals == text.npos || text.substr(0, equals) != "p") break;
        parameters.p = *value;
        return;
    }
    bad_parameter(family, text);
}

// BEIR's own measures, besides those that it has from pytrec_eval.
[[nodiscard]] inline bool is_custom_in_beir(std::string_view family) noexcept {
    return family == "recip_rank" || family == "recip_rank_cut" || family == "success"
           || family == "relative_P";
}

[[nodiscard]] inline measure make_measure(
    measure_family const& family, std::string name, measure_parameters const& parameters) {
    auto made = family.make(parameters);
    measure out{std::move(name), std::move(made.value), family.summary, std::move(made.expected)};
    out.lower_is_better = family.name == "unj" || family.name == "rbp_resid";
    if (parameters.rules == convention::beir && is_custom_in_beir(family.name)) {
        out.summary = summary::mean_of_judged;
        out.ties = tie_order::key_ascending;
    }
    return out;
}

inline void add_family(measure_family const& family, std::string_view parameter_text, convention rules,
    std::vector<measure>& out) {
    auto const given = !parameter_text.empty();
    measure_parameters parameters{.rules = rules};
    for (auto rest = given ? parameter_text : family.defaults; !rest.empty();) {
        auto const comma = rest.find(',');
        add_parameter(family, rest.substr(0, comma), parameters);
        rest.remove_prefix(comma == rest.npos ? rest.size() : comma + 1);
    }
    if (family.parameters != takes::cutoffs && family.parameters != takes::points) {
        auto name = given ? join(family.name, "_", parameter_text) : std::string(family.name);
        out.push_back(make_measure(family, std::move(name), parameters));
        return;
    }
    auto numbers = parameters.numbers;
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    for (double const number : numbers) {
        parameters.numbers = {number};
        auto name = join(family.name, "_", fixed_text(number, family.parameters == takes::cutoffs ? 0 : 2));
        out.push_back(make_measure(family, std::move(name), parameters));
    }
}

[[nodiscard]] inline bool add_group(std::string_view name, convention rules, std::vector<measure>& out) {
    auto const all = measure_families();
    std::size_t count = 0;
    if (name == "all") count = all.size();
    if (name == "all_trec") count = all.size() - own_families;
    if (name == "official") count = official_families;
    for (auto const& family : all.first(count)) add_family(family, "", rules, out);
    return count > 0;
}

// A family that takes a cutoff in place of one that takes none: ndcg@10 is ndcg_cut_10.
[[nodiscard]] inline measure_family const* with_cutoff(measure_family const* family) {
    if (family == nullptr || family->parameters == takes::cutoffs) return family;
    auto const cut = find_family(join(family->name, "_cut"));
    return cut == nullptr ? family : cut;
}

inline void add_named(std::string_view text, convention rules, std::vector<measure>& out) {
    if (add_group(text, rules, out)) return;
    if (auto const family = find_family(text)) return add_family(*family, "", rules, out);
    for (auto const at : {text.find('@'), text.find('.'), text.rfind('_')}) {
        if (at == text.npos || at + 1 == text.size()) continue;
        auto const parameters = text.substr(at + 1);
        auto const family = find_family(text.substr(0, at));
        auto const pairs = parameters.find('=') != parameters.npos;
        if (auto const chosen = pairs ? family : with_cutoff(family)) {
            return add_family(*chosen, parameters, rules, out);
        }
    }
    fail(errc::invalid_argument, join("there is no measure '", text, "'"));
}

} // namespace detail

/// The measures of a list, in its order, separated by commas. A name may be followed by parameters after @ or
/// a point, or by one after _, as trec_eval prints it: "ndcg@10", "ndcg_cut_10" and "ndcg_cut.10" are the
/// same; "P.5,10" is two. Without parameters those of trec_eval count. Groups: "official" (what trec_eval
/// prints), "all_trec", "all" (in trec_eval's order, then those that it lacks). Other names: p, precision,
/// r, hit, hit_rate, accuracy, hits, mrr, rr, ap, iprec, f1, r-precision, r_cap, ndcg_burges.
/// @param rules  Whose measures: sbert divides map@k by min(k, relevant) and has binary nDCG, ranx takes
///               grades in rbp as they are, beir divides mrr, hit and r_cap by all judged questions.
/// @throws trawl::error (invalid_argument) for a name that is not known or parameters that it does not take.
[[nodiscard]] inline std::vector<measure> measures_named(
    std::string_view list, convention rules = convention::trec_eval) {
    auto const is_number = [](std::string_view text) {
        auto const value = text.substr(0, text.find('='));
        return detail::parse_double(value).has_value();
    };
    std::vector<measure> out;
    while (!list.empty()) {
        // A number after a comma is one more parameter of the name before.
        auto end = list.find(',');
        while (end != list.npos) {
            auto const next = list.find(',', end + 1);
            if (!is_number(list.substr(end + 1, next - end - 1))) break;
            end = next;
        }
        auto const name = list.substr(0, end);
        detail::add_named(name, rules, out);
        list.remove_prefix(end == list.npos ? list.size() : end + 1);
    }
    return out;
}

} // namespace trawl::inline v0_1
