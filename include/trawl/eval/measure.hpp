// SPDX-License-Identifier: MIT
#pragma once

/// Every measure by its name: "ndcg@10", "P_5", "utility.2,-1,0,0", "map", "all".

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
    /// over all judged queries, including those that the run lacks and that do not count
    mean_of_judged,
};

/// A measure with a name.
struct measure {
    std::string name = {};
    /// Computes it for one query: any callable double(assessment const&).
    detail::measure_function<assessment> value = {};
    trawl::summary summary = trawl::summary::mean;
    /// Computes its expected value over all orders of ties, any callable double(tied_assessment
    /// const&). Empty if there is no closed form.
    detail::measure_function<tied_assessment> expected = {};
    /// The order of ties, if it is not that of the convention.
    std::optional<tie_order> ties = {};
    bool lower_is_better = false;
};

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
[[nodiscard]] std::vector<measure> measures_named(
    std::string_view list, convention rules = convention::trec_eval);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/measure_inl.hpp>
#endif
