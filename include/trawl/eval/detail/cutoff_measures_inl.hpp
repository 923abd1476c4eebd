// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of cutoff_measures.hpp.

#include <trawl/eval/cutoff_measures.hpp>

#include <algorithm>
#include <cstddef>
#include <span>

#include <trawl/error.hpp>
#include <trawl/eval/assessment.hpp>
#include <trawl/eval/detail/assess.hpp>
#include <trawl/eval/tied_assessment.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// Relevant documents that are expected among the first k.
[[nodiscard]] inline double expected_found(tied_assessment const& a, std::size_t k) noexcept {
    double found = 0;
    for (auto const& g : a.groups) {
        found += static_cast<double>(g.relevant) * static_cast<double>(g.within(k))
                 / static_cast<double>(g.size);
    }
    return found;
}

} // namespace detail

TRAWL_INLINE double precision::operator()(assessment const& a) const {
    detail::check_cutoff("precision", k);
    return static_cast<double>(a.found(k)) / static_cast<double>(k);
}

TRAWL_INLINE double precision::operator()(tied_assessment const& a) const {
    detail::check_cutoff("precision", k);
    return detail::expected_found(a, k) / static_cast<double>(k);
}

TRAWL_INLINE double precision::operator()(
    std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_INLINE double recall::operator()(assessment const& a) const {
    detail::check_cutoff("recall", k);
    return a.relevant == 0 ? 0 : static_cast<double>(a.found(k)) / static_cast<double>(a.relevant);
}

TRAWL_INLINE double recall::operator()(tied_assessment const& a) const {
    detail::check_cutoff("recall", k);
    return a.relevant == 0 ? 0 : detail::expected_found(a, k) / static_cast<double>(a.relevant);
}

TRAWL_INLINE double recall::operator()(std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_INLINE double relative_precision::operator()(assessment const& a) const {
    detail::check_cutoff("relative_precision", k);
    auto const best = (std::min)(k, a.relevant);
    return best == 0 ? 0 : static_cast<double>(a.found(k)) / static_cast<double>(best);
}

TRAWL_INLINE double relative_precision::operator()(
    std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_INLINE double hit_rate::operator()(assessment const& a) const {
    detail::check_cutoff("hit_rate", k);
    return a.found(k) > 0 ? 1 : 0;
}

TRAWL_INLINE double hit_rate::operator()(tied_assessment const& a) const {
    detail::check_cutoff("hit_rate", k);
    for (auto const& g : a.groups) {
        auto const drawn = g.within(k);
        if (drawn == 0) break;
        if (g.relevant == 0) continue;
        double none = 1; // that none of the drawn is relevant
        for (std::size_t i = 0; i < drawn && none > 0; ++i) {
            none *= g.relevant + i >= g.size ? 0
                                             : static_cast<double>(g.size - g.relevant - i)
                                                   / static_cast<double>(g.size - i);
        }
        return 1 - none; // a group that is drawn in part is the last one
    }
    return 0;
}

TRAWL_INLINE double hit_rate::operator()(
    std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_INLINE double reciprocal_rank::operator()(assessment const& a) const {
    detail::check_cutoff("reciprocal_rank", k);
    for (auto const& h : a.known) {
        if (h.rank > k) break;
        if (a.is_relevant(h)) return 1.0 / static_cast<double>(h.rank);
    }
    return 0;
}

TRAWL_INLINE double reciprocal_rank::operator()(tied_assessment const& a) const {
    detail::check_cutoff("reciprocal_rank", k);
    auto const first = std::find_if(
        a.groups.begin(), a.groups.end(), [](tied_hits const& g) { return g.relevant > 0; });
    if (first == a.groups.end()) return 0;
    double sum = 0;
    double none = 1; // that none so far was relevant
    for (std::size_t i = 0; i < first->within(k); ++i) {
        auto const left = static_cast<double>(first->size - i);
        auto const here = (std::min)(1.0, static_cast<double>(first->relevant) / left);
        sum += none * here / static_cast<double>(first->before + i + 1);
        none *= 1 - here;
    }
    return sum;
}

TRAWL_INLINE double reciprocal_rank::operator()(
    std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_INLINE double r_precision::operator()(assessment const& a) const {
    if (!(factor > 0 && factor <= 1e6)) {
        detail::fail(errc::invalid_argument,
            detail::join("r_precision: factor must be in (0, 1e6], is ", factor));
    }
    auto const cut = static_cast<std::size_t>(factor * static_cast<double>(a.relevant) + 0.9);
    return a.relevant == 0 || cut == 0
               ? 0
               : static_cast<double>(a.found(cut)) / static_cast<double>(cut);
}

TRAWL_INLINE double r_precision::operator()(
    std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_END_NAMESPACE
