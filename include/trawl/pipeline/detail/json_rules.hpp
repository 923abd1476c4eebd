// SPDX-License-Identifier: MIT
#pragma once

/// The fusion rules as JSON has them: the names of their fields, and the rules that every registry
/// knows.

#include <concepts>
#include <string_view>
#include <utility>

#include <trawl/error.hpp>
#include <trawl/fusion/borda.hpp>
#include <trawl/fusion/comb.hpp>
#include <trawl/fusion/condorcet.hpp>
#include <trawl/fusion/dbsf.hpp>
#include <trawl/fusion/isr.hpp>
#include <trawl/fusion/presets.hpp>
#include <trawl/fusion/rbc.hpp>
#include <trawl/fusion/rrf.hpp>
#include <trawl/fusion/tm2c2.hpp>
#include <trawl/fusion/weighted_mnz.hpp>
#include <trawl/fusion/weighted_sum.hpp>
#include <trawl/pipeline/detail/json_fields.hpp>

TRAWL_BEGIN_NAMESPACE

/// Fields of the rules; a program adds overloads for its own beside its types.
inline void read_fields(json_fields& fields, rrf& rule) {
    fields.read("k", rule.k);
    fields.read("weights", rule.weights);
    fields.read("ks", rule.ks);
    fields.read("ties", rule.ties);
}
inline void read_fields(json_fields& fields, weighted_sum& rule) {
    fields.read("weights", rule.weights);
    fields.read("norm", rule.norm);
    fields.read("norms", rule.norms);
    fields.read("constant", rule.constant);
    fields.read("least", rule.least);
    fields.read("missing", rule.missing);
}
template <comb Kind>
void read_fields(json_fields& fields, basic_comb<Kind>& rule) {
    fields.read("norm", rule.norm);
}
inline void read_fields(json_fields& fields, comb_gmnz& rule) {
    fields.read("gamma", rule.gamma);
    fields.read("norm", rule.norm);
}
template <class Rule>
    requires(std::same_as<Rule, wmnz> || std::same_as<Rule, mixed>)
void read_fields(json_fields& fields, Rule& rule) {
    fields.read("weights", rule.weights);
    fields.read("norm", rule.norm);
}
inline void read_fields(json_fields& fields, dbsf& rule) {
    fields.read("weights", rule.weights);
    fields.read("sigma", rule.sigma);
    fields.read("clamp", rule.clamp);
    fields.read("constant", rule.constant);
    fields.read("missing", rule.missing);
}
/// "bounds": one an arm, {"lowest": -1, "highest": 1}; a highest that is null or absent is the
/// arm's own.
inline void read_fields(json_fields& fields, tm2c2& rule) {
    fields.read("weights", rule.weights);
    auto written = json_fields::json::array();
    if (auto const* const list = fields.find("bounds")) {
        if (!list->is_array()) fields.refuse("bounds", "a list", *list);
        rule.bounds.clear();
        for (auto const& item : *list) {
            json_fields bound(
                item, detail::join(fields.where(), ".bounds[", rule.bounds.size(), "]"));
            auto& of_arm = rule.bounds.emplace_back();
            bound.read("lowest", of_arm.lowest);
            bound.read("highest", of_arm.highest);
            written.push_back(bound.finish());
        }
    }
    fields.write("bounds", std::move(written));
}
template <class Rule>
    requires(std::same_as<Rule, borda> || std::same_as<Rule, condorcet>)
void read_fields(json_fields& fields, Rule& rule) {
    fields.read("weights", rule.weights);
    fields.read("ties", rule.ties);
}
inline void read_fields(json_fields& fields, isr& rule) { fields.read("ties", rule.ties); }
inline void read_fields(json_fields& fields, logn_isr& rule) {
    fields.read("sigma", rule.sigma);
    fields.read("ties", rule.ties);
}
inline void read_fields(json_fields& fields, rbc& rule) {
    fields.read("phi", rule.phi);
    fields.read("ties", rule.ties);
}

namespace detail {

/// Calls use(name, rule) for each rule and preset that needs nothing of the caller's; a preset is a
/// rule with other defaults.
template <class Use>
void for_each_rule(Use&& use) {
    use("rrf", rrf{});
    use("weighted_sum", weighted_sum{});
    use("comb_sum", comb_sum{});
    use("comb_mnz", comb_mnz{});
    use("comb_anz", comb_anz{});
    use("comb_med", comb_med{});
    use("comb_min", comb_min{});
    use("comb_max", comb_max{});
    use("comb_gmnz", comb_gmnz{});
    use("wmnz", wmnz{});
    use("mixed", mixed{});
    use("tm2c2", tm2c2{});
    use("dbsf", dbsf{});
    use("borda", borda{});
    use("condorcet", condorcet{});
    use("isr", isr{});
    use("log_isr", log_isr());
    use("logn_isr", logn_isr{});
    use("rbc", rbc{});
    use("elastic_rrf", elastic_rrf());
    use("elastic_linear", elastic_linear());
    use("opensearch", opensearch());
    use("qdrant_rrf", qdrant_rrf());
    use("qdrant_dbsf", qdrant_dbsf());
    use("weaviate_ranked", weaviate_ranked());
    use("weaviate_relative", weaviate_relative());
    use("langchain", langchain());
}

} // namespace detail
TRAWL_END_NAMESPACE
