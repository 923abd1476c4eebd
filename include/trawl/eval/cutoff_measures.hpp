// SPDX-License-Identifier: MIT
#pragma once

/// Measures that count relevant documents among the first k. All are in [0, 1]; a question without
/// relevant documents has 0; a ranking shorter than k counts as filled up with documents that are
/// not relevant.
/// @throws trawl::error (invalid_argument) from each if k is 0.

#include <algorithm>
#include <cstddef>
#include <span>

#include <trawl/eval/assessment.hpp>
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

/// P@k: relevant documents among the first k, over k. trec_eval: P_k.
struct precision {
    std::size_t k = 10;

    [[nodiscard]] double operator()(assessment const& a) const {
        detail::check_cutoff("precision", k);
        return static_cast<double>(a.found(k)) / static_cast<double>(k);
    }
    /// Its expected value, ties in any order.
    [[nodiscard]] double operator()(tied_assessment const& a) const {
        detail::check_cutoff("precision", k);
        return detail::expected_found(a, k) / static_cast<double>(k);
    }
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const {
        return (*this)(assess(hits, judged));
    }
};

/// R@k: relevant documents among the first k, over all relevant ones. trec_eval: recall_k.
struct recall {
    std::size_t k = no_cutoff;

    [[nodiscard]] double operator()(assessment const& a) const {
        detail::check_cutoff("recall", k);
        return a.relevant == 0 ? 0
                               : static_cast<double>(a.found(k)) / static_cast<double>(a.relevant);
    }
    /// Its expected value, ties in any order.
    [[nodiscard]] double operator()(tied_assessment const& a) const {
        detail::check_cutoff("recall", k);
        return a.relevant == 0 ? 0 : detail::expected_found(a, k) / static_cast<double>(a.relevant);
    }
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const {
        return (*this)(assess(hits, judged));
    }
};

/// Precision at k over the best that could be: relevant among the first k, over min(k, relevant).
/// trec_eval: relative_P_k.
struct relative_precision {
    std::size_t k = 10;

    [[nodiscard]] double operator()(assessment const& a) const {
        detail::check_cutoff("relative_precision", k);
        auto const best = (std::min)(k, a.relevant);
        return best == 0 ? 0 : static_cast<double>(a.found(k)) / static_cast<double>(best);
    }
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const {
        return (*this)(assess(hits, judged));
    }
};

/// Hit@k: 1 if one of the first k is relevant, else 0. trec_eval: success_k; elsewhere often called
/// recall.
struct hit_rate {
    std::size_t k = 10;

    [[nodiscard]] double operator()(assessment const& a) const {
        detail::check_cutoff("hit_rate", k);
        return a.found(k) > 0 ? 1 : 0;
    }
    /// Its expected value, ties in any order.
    [[nodiscard]] double operator()(tied_assessment const& a) const {
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
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const {
        return (*this)(assess(hits, judged));
    }
};

/// RR@k: 1 / rank of the first relevant document, 0 if none is among the first k. Its mean is the
/// MRR. trec_eval: recip_rank, without a cutoff.
struct reciprocal_rank {
    std::size_t k = no_cutoff;

    [[nodiscard]] double operator()(assessment const& a) const {
        detail::check_cutoff("reciprocal_rank", k);
        for (auto const& h : a.known) {
            if (h.rank > k) break;
            if (a.is_relevant(h)) return 1.0 / static_cast<double>(h.rank);
        }
        return 0;
    }
    /// Its expected value, ties in any order.
    [[nodiscard]] double operator()(tied_assessment const& a) const {
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
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const {
        return (*this)(assess(hits, judged));
    }
};

/// Precision at `factor` times as many documents as are relevant; at 1 it is R-precision. The
/// cutoff is floor(factor * relevant + 0.9), as in trec_eval: Rprec, Rprec_mult_factor.
struct r_precision {
    double factor = 1;

    [[nodiscard]] double operator()(assessment const& a) const {
        if (!(factor > 0 && factor <= 1e6)) {
            detail::fail(errc::invalid_argument,
                detail::join("r_precision: factor must be in (0, 1e6], is ", factor));
        }
        auto const cut = static_cast<std::size_t>(factor * static_cast<double>(a.relevant) + 0.9);
        return a.relevant == 0 || cut == 0
                   ? 0
                   : static_cast<double>(a.found(cut)) / static_cast<double>(cut);
    }
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const {
        return (*this)(assess(hits, judged));
    }
};

TRAWL_END_NAMESPACE
