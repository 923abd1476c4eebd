// SPDX-License-Identifier: MIT
#pragma once

/// Every measure by its name: "ndcg@10", "P_5", "utility.2,-1,0,0", "map", "all".

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/number_text.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/assessment.hpp>
#include <trawl/eval/convention.hpp>
#include <trawl/eval/measure_families.hpp>
#include <trawl/eval/tied_assessment.hpp>

TRAWL_BEGIN_NAMESPACE

/// A measure and what it is called.
struct measure {
    std::string name = {};
    std::function<double(assessment const&)> value = {};
    trawl::summary summary = trawl::summary::mean;
    /// empty where there is no closed form
    std::function<double(tied_assessment const&)> expected = {};
    /// where it differs from the convention
    std::optional<tie_order> ties = {};
    bool lower_is_better = false;
};

namespace detail {

[[noreturn]] TRAWL_COLD inline void bad_parameter(
    measure_family const& family, std::string_view text) {
    constexpr std::string_view wanted[] = {"nothing", "cutoffs (whole numbers from 1)", "numbers",
        "numbers", "grade=gain pairs", "p=number"};
    fail(errc::invalid_argument,
        join("measure ", family.name, ": parameter '", text, "' where it takes ",
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
        auto const grade =
            equals == text.npos ? std::nullopt : parse_integer<int>(text.substr(0, equals));
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

inline void add_family(measure_family const& family, std::string_view parameter_text,
    convention rules, std::vector<measure>& out) {
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
        auto name =
            join(family.name, "_", fixed_text(number, family.parameters == takes::cutoffs ? 0 : 2));
        out.push_back(make_measure(family, std::move(name), parameters));
    }
}

[[nodiscard]] inline bool add_group(
    std::string_view name, convention rules, std::vector<measure>& out) {
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

/// The measures of a list, in its order, separated by commas. A name may be followed by parameters
/// after @ or a point, or by one after _, as trec_eval prints it: "ndcg@10", "ndcg_cut_10" and
/// "ndcg_cut.10" are the same; "P.5,10" is two. Without parameters those of trec_eval count.
/// Groups: "official" (what trec_eval prints), "all_trec", "all" (in trec_eval's order, then those
/// that it lacks). Other names: p, precision, r, hit, hit_rate, accuracy, hits, mrr, rr, ap, iprec,
/// f1, r-precision, r_cap, ndcg_burges.
/// @param rules  Whose measures: sbert divides map@k by min(k, relevant) and has binary nDCG, ranx
/// takes
///               grades in rbp as they are, beir divides mrr, hit and r_cap by all judged questions.
/// @throws trawl::error (invalid_argument) for a name that is not known or parameters that it does
/// not take.
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

TRAWL_END_NAMESPACE
