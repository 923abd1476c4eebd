// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of measure.hpp.

#include <trawl/eval/measure.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
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
#include <trawl/eval/detail/measure_families.hpp>
#include <trawl/eval/tied_assessment.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[noreturn]] TRAWL_COLD inline void bad_parameter(
    measure_family const& family, std::string_view text) {
    fail(errc::invalid_argument,
        join("measure ", family.name, ": parameter '", text, "' where it takes ",
            parameter_words[static_cast<std::size_t>(family.parameters)]));
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

// A measure of the table with its parameters.
struct family_value {
    measure_family::value_function function;
    measure_parameters parameters;
    double operator()(assessment const& a) const { return function(parameters, a); }
};
struct family_expected {
    measure_family::expected_function function;
    measure_parameters parameters;
    double operator()(tied_assessment const& a) const { return function(parameters, a); }
};

// BEIR's own measures, besides those that it has from pytrec_eval.
[[nodiscard]] inline bool is_custom_in_beir(std::string_view family) noexcept {
    return family == "recip_rank" || family == "recip_rank_cut" || family == "success"
           || family == "relative_P";
}

[[nodiscard]] inline measure make_measure(
    measure_family const& family, std::string name, measure_parameters const& parameters) {
    measure out{.name = std::move(name), .value = family_value{family.value, parameters}};
    out.summary = family.summary;
    if (family.expected != nullptr) out.expected = family_expected{family.expected, parameters};
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
    if (family.count != 0 && parameters.numbers.size() != family.count) {
        fail(errc::invalid_argument, join(family.name, " takes ", family.count,
                                         " numbers, there are ", parameters.numbers.size()));
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
    if (name != "all" && name != "all_trec" && name != "official") return false;
    for (auto const& family : measure_families()) {
        if (name == "official" ? family.official : name == "all" || !family.ours)
            add_family(family, "", rules, out);
    }
    return true;
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

TRAWL_INLINE std::vector<measure> measures_named(std::string_view list, convention rules) {
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
