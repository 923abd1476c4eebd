// SPDX-License-Identifier: MIT
#pragma once

/// Measures by name: "ndcg@10", "P_5", "utility.2,-1,0,0", "map", "all".

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/eval/assessment.hpp>
#include <trawl/eval/convention.hpp>
#include <trawl/eval/detail/measure_function.hpp>
#include <trawl/eval/tied_assessment.hpp>

TRAWL_BEGIN_NAMESPACE

/// How the values of single queries become one.
enum class summary : unsigned char {
    mean,
    sum,
    geometric_mean, ///< of max(value, 1e-5)
    queries,        ///< the number of queries
    /// The mean over all judged queries, including those that the run lacks and that do not count.
    mean_of_judged,
};

/// A measure with a name.
struct measure {
    std::string name = {};
    /// Computes the value of one query: any callable double(assessment const&).
    detail::measure_function<assessment> value = {};
    trawl::summary summary = trawl::summary::mean;
    /// Computes the expected value over all orders of ties: any callable double(tied_assessment
    /// const&). Empty if there is no closed form.
    detail::measure_function<tied_assessment> expected = {};
    /// The order of ties, if it differs from that of the convention.
    std::optional<tie_order> ties = {};
    bool lower_is_better = false;
};

/// The measures of a list of names, separated by commas, in the order of the list.
///
/// Parameters follow a name after @ or a point, or a single one after _, as trec_eval prints it:
/// "ndcg@10", "ndcg_cut_10" and "ndcg_cut.10" are the same; "P.5,10" is two measures. Without
/// parameters those of trec_eval are used. Groups: "official" (what trec_eval prints by default),
/// "all_trec", "all" (in trec_eval's order, then those that it lacks). Other names: p, precision, r,
/// hit, hit_rate, accuracy, hits, mrr, rr, ap, iprec, f1, r-precision, r_cap, ndcg_burges.
/// @param rules  Whose definitions: sbert divides map@k by min(k, relevant) and has binary nDCG,
/// ranx does not scale the grades of rbp, beir divides mrr, hit and r_cap by all judged queries.
/// @throws trawl::error (invalid_argument) for an unknown name or parameters that a measure does not
/// take.
[[nodiscard]] std::vector<measure> measures_named(
    std::string_view list, convention rules = convention::trec_eval);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/measure_inl.hpp>
#endif
