// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of user_models.hpp.

#include <trawl/eval/user_models.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include <trawl/error.hpp>
#include <trawl/eval/assessment.hpp>
#include <trawl/eval/detail/assess.hpp>
#include <trawl/eval/tied_assessment.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

inline void check_persistence(double p) {
    if (!(p > 0 && p < 1)) {
        fail(errc::invalid_argument, join("rank_biased_precision: p must be in (0, 1), is ", p));
    }
}

} // namespace detail

TRAWL_INLINE double rank_biased_precision::operator()(assessment const& a) const {
    detail::check_persistence(p);
    auto const top = highest(a.grades);
    double sum = 0;
    for (auto const& h : a.known) {
        if (h.grade > 0) sum += h.grade / top * std::pow(p, static_cast<double>(h.rank - 1));
    }
    return (1 - p) * sum;
}

TRAWL_INLINE double rank_biased_precision::operator()(tied_assessment const& a) const {
    detail::check_persistence(p);
    auto const top = highest(a.grades);
    double sum = 0;
    for (auto const& g : a.groups) {
        double total = 0;
        for (int const grade : g.grades) total += (std::max)(grade, 0) / top;
        auto const begin = std::pow(p, static_cast<double>(g.before));
        auto const end = std::pow(p, static_cast<double>(g.before + g.size));
        sum += total / static_cast<double>(g.size) * (begin - end);
    }
    return sum;
}

TRAWL_INLINE double rank_biased_precision::operator()(
    std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_INLINE double rank_biased_precision::highest(std::span<int const> grades) const noexcept {
    return raw_grades || grades.empty() ? 1 : (std::max)(1.0, static_cast<double>(grades.front()));
}

TRAWL_INLINE double rank_biased_residual::operator()(assessment const& a) const {
    detail::check_persistence(p);
    if (detail::judged_among(a, no_cutoff) == a.retrieved) return 0;
    auto const end = std::pow(p, static_cast<double>(a.retrieved));
    auto unjudged = (1 - end) / (1 - p);
    for (auto const& h : a.known) {
        if (h.grade >= 0) unjudged -= std::pow(p, static_cast<double>(h.rank - 1));
    }
    return end + (1 - p) * unjudged;
}

TRAWL_INLINE double rank_biased_residual::operator()(
    std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_INLINE double expected_reciprocal_rank::operator()(assessment const& a) const {
    detail::check_cutoff("expected_reciprocal_rank", k);
    if (max_grade < 1 || max_grade > 500) {
        detail::fail(errc::invalid_argument,
            detail::join(
                "expected_reciprocal_rank: max_grade must be in [1, 500], is ", max_grade));
    }
    double sum = 0;
    double going_on = 1;
    for (auto const& h : a.known) {
        if (h.rank > k) break;
        if (h.grade <= 0) continue;
        auto const stops = (std::exp2((std::min)(h.grade, max_grade)) - 1) / std::exp2(max_grade);
        sum += going_on * stops / static_cast<double>(h.rank);
        going_on *= 1 - stops;
    }
    return sum;
}

TRAWL_INLINE double expected_reciprocal_rank::operator()(
    std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_INLINE double judged_share::operator()(assessment const& a) const {
    detail::check_cutoff("judged_share", k);
    auto const read = (std::min)(k, a.retrieved);
    return read == 0 ? 1
                     : static_cast<double>(detail::judged_among(a, k)) / static_cast<double>(read);
}

TRAWL_INLINE double judged_share::operator()(
    std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_INLINE double unjudged_share::operator()(assessment const& a) const {
    detail::check_cutoff("unjudged_share", k);
    auto const read = (std::min)(k, a.retrieved);
    return static_cast<double>(read - detail::judged_among(a, k)) / static_cast<double>(k);
}

TRAWL_INLINE double unjudged_share::operator()(
    std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_END_NAMESPACE
