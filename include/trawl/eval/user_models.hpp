// SPDX-License-Identifier: MIT
#pragma once

/// Measures that follow a reader down the ranking until they stop, and how much of what they read
/// was judged.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include <trawl/eval/assessment.hpp>
#include <trawl/eval/tied_assessment.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

inline void check_persistence(double p) {
    if (!(p > 0 && p < 1)) {
        fail(errc::invalid_argument, join("rank_biased_precision: p must be in (0, 1), is ", p));
    }
}

// Documents among the first k with a grade >= 0.
[[nodiscard]] inline std::size_t judged_among(assessment const& a, std::size_t k) noexcept {
    std::size_t n = 0;
    for (auto const& h : a.known) {
        if (h.rank <= k && h.grade >= 0) ++n;
    }
    return n;
}

} // namespace detail

/// RBP: (1 - p) times the sum of gain * p^(rank - 1), for a reader who goes on to the next document
/// with probability p. The gain is the grade, divided by the question's highest grade if that is
/// above 1. In [0, 1], unless grades count as they are. trec_eval: rbp (version 10.0-rc3 reads
/// uninitialised memory where grades pass 1; this is what it means).
/// @par Source Moffat, Zobel, "Rank-biased precision", ACM TOIS 27, 2008.
struct rank_biased_precision {
    double p = 0.9;
    bool raw_grades = false; ///< does not divide, as ranx

    [[nodiscard]] double operator()(assessment const& a) const {
        detail::check_persistence(p);
        auto const top = highest(a.grades);
        double sum = 0;
        for (auto const& h : a.known) {
            if (h.grade > 0) sum += h.grade / top * std::pow(p, static_cast<double>(h.rank - 1));
        }
        return (1 - p) * sum;
    }
    /// Its expected value, ties in any order.
    [[nodiscard]] double operator()(tied_assessment const& a) const {
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
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const {
        return (*this)(assess(hits, judged));
    }

    [[nodiscard]] double highest(std::span<int const> grades) const noexcept {
        return raw_grades || grades.empty() ? 1
                                            : (std::max)(1.0, static_cast<double>(grades.front()));
    }
};

/// How much RBP could rise if every document that is not judged had the highest gain. As in
/// trec_eval (rbp_resid) it is 0 where all retrieved documents are judged, although the ranking
/// ends.
struct rank_biased_residual {
    double p = 0.9;

    [[nodiscard]] double operator()(assessment const& a) const {
        detail::check_persistence(p);
        if (detail::judged_among(a, no_cutoff) == a.retrieved) return 0;
        auto const end = std::pow(p, static_cast<double>(a.retrieved));
        auto unjudged = (1 - end) / (1 - p);
        for (auto const& h : a.known) {
            if (h.grade >= 0) unjudged -= std::pow(p, static_cast<double>(h.rank - 1));
        }
        return end + (1 - p) * unjudged;
    }
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const {
        return (*this)(assess(hits, judged));
    }
};

/// ERR@k: the expected 1 / rank at which a reader stops, who is satisfied by a document of grade g
/// with probability (2^g - 1) / 2^max_grade. In [0, 1).
/// @par Source Chapelle et al., "Expected reciprocal rank for graded relevance", CIKM 2009.
struct expected_reciprocal_rank {
    std::size_t k = no_cutoff;
    int max_grade = 4; ///< highest grade of the scale; higher grades count as this one

    [[nodiscard]] double operator()(assessment const& a) const {
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
            auto const stops =
                (std::exp2((std::min)(h.grade, max_grade)) - 1) / std::exp2(max_grade);
            sum += going_on * stops / static_cast<double>(h.rank);
            going_on *= 1 - stops;
        }
        return sum;
    }
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const {
        return (*this)(assess(hits, judged));
    }
};

/// The share of the first min(k, retrieved) documents that are judged; 1 for an empty ranking.
/// Beside any other measure it tells how far to trust it.
struct judged_share {
    std::size_t k = 10;

    [[nodiscard]] double operator()(assessment const& a) const {
        detail::check_cutoff("judged_share", k);
        auto const read = (std::min)(k, a.retrieved);
        return read == 0
                   ? 1
                   : static_cast<double>(detail::judged_among(a, k)) / static_cast<double>(read);
    }
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const {
        return (*this)(assess(hits, judged));
    }
};

/// Documents among the first k that are not judged, over k; a ranking that ends before counts as
/// judged from there on. trec_eval: unj_k.
struct unjudged_share {
    std::size_t k = 10;

    [[nodiscard]] double operator()(assessment const& a) const {
        detail::check_cutoff("unjudged_share", k);
        auto const read = (std::min)(k, a.retrieved);
        return static_cast<double>(read - detail::judged_among(a, k)) / static_cast<double>(k);
    }
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const {
        return (*this)(assess(hits, judged));
    }
};

TRAWL_END_NAMESPACE
