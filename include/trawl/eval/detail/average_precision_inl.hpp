// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of average_precision.hpp.

#include <trawl/eval/average_precision.hpp>

#include <algorithm>
#include <cstddef>
#include <span>

#include <trawl/detail/math.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/assessment.hpp>
#include <trawl/eval/detail/assess.hpp>
#include <trawl/eval/tied_assessment.hpp>

TRAWL_BEGIN_NAMESPACE
TRAWL_INLINE double average_precision::operator()(assessment const& a) const {
    detail::check_cutoff("average_precision", k);
    double sum = 0;
    std::size_t seen = 0;
    for (auto const& h : a.known) {
        if (h.rank > k) break;
        if (a.is_relevant(h)) sum += static_cast<double>(++seen) / static_cast<double>(h.rank);
    }
    auto const over = over_reachable ? (std::min)(k, a.relevant) : a.relevant;
    return over == 0 ? 0 : sum / static_cast<double>(over);
}

TRAWL_INLINE double average_precision::operator()(tied_assessment const& a) const {
    detail::check_cutoff("average_precision", k);
    double sum = 0;
    double seen = 0;
    for (auto const& g : a.groups) {
        auto const r = static_cast<double>(g.relevant);
        auto const n = static_cast<double>(g.size);
        for (std::size_t i = 0; g.relevant > 0 && i < g.within(k); ++i) {
            // Of the i hits of the group above a relevant one, (r - 1) / (n - 1) are relevant.
            auto const above = g.size > 1 ? static_cast<double>(i) * (r - 1) / (n - 1) : 0;
            sum += r / n * (seen + above + 1) / static_cast<double>(g.before + i + 1);
        }
        seen += r;
    }
    auto const over = over_reachable ? (std::min)(k, a.relevant) : a.relevant;
    return over == 0 ? 0 : sum / static_cast<double>(over);
}

TRAWL_INLINE double average_precision::operator()(
    std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_INLINE double interpolated_precision::operator()(assessment const& a) const {
    if (!(recall >= 0 && recall <= 1)) {
        detail::fail(errc::invalid_argument,
            detail::join("interpolated_precision: recall must be in [0, 1], is ", recall));
    }
    auto const needed =
        static_cast<std::size_t>(detail::math::lround(recall * static_cast<double>(a.relevant)));
    double best = 0;
    std::size_t seen = 0;
    for (auto const& h : a.known) {
        if (!a.is_relevant(h)) continue;
        ++seen;
        if (seen >= needed) {
            best = (std::max)(best, static_cast<double>(seen) / static_cast<double>(h.rank));
        }
    }
    return best;
}

TRAWL_INLINE double interpolated_precision::operator()(
    std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_INLINE double averaged_precision_points::operator()(assessment const& a) const {
    if (recalls.empty()) {
        detail::fail(errc::invalid_argument, "averaged_precision_points: no level of recall given");
    }
    double sum = 0;
    for (double const r : recalls) sum += interpolated_precision{.recall = r}(a);
    return sum / static_cast<double>(recalls.size());
}

TRAWL_INLINE double averaged_precision_points::operator()(
    std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_INLINE double inferred_ap::operator()(assessment const& a) const {
    constexpr double epsilon = 1e-5;
    double sum = 0;
    double relevant = 0;
    double others = 0;
    double unjudged = 0;
    for (auto const& h : a.known) {
        if (h.grade < 0) {
            ++unjudged;
        } else if (!a.is_relevant(h)) {
            ++others;
        } else {
            auto const above = static_cast<double>(h.rank - 1);
            sum += 1 / (above + 1);
            if (above > 0) {
                sum += above / (above + 1) * ((relevant + others + unjudged) / above)
                       * ((relevant + epsilon) / (relevant + others + 2 * epsilon));
            }
            ++relevant;
        }
    }
    return a.relevant == 0 ? 0 : sum / static_cast<double>(a.relevant);
}

TRAWL_INLINE double inferred_ap::operator()(
    std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_INLINE double bpref::operator()(assessment const& a) const {
    double sum = 0;
    std::size_t others = 0;
    for (auto const& h : a.known) {
        if (h.grade < 0) continue;
        if (!a.is_relevant(h)) {
            ++others;
        } else if (others == 0) {
            sum += 1;
        } else {
            sum += 1
                   - static_cast<double>((std::min)(others, a.relevant))
                         / static_cast<double>((std::min)(a.non_relevant, a.relevant));
        }
    }
    return a.relevant == 0 ? 0 : sum / static_cast<double>(a.relevant);
}

TRAWL_INLINE double bpref::operator()(std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_END_NAMESPACE
