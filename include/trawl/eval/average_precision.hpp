// SPDX-License-Identifier: MIT
#pragma once

/// Measures that average precision over the relevant documents. All are in [0, 1] (inferred_ap may
/// pass 1 by a rounding); a question without relevant documents has 0.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <trawl/eval/assessment.hpp>
#include <trawl/eval/tied_assessment.hpp>

TRAWL_BEGIN_NAMESPACE

/// AP@k: the mean, over all relevant documents, of the precision at the rank of each; one beyond k
/// or not retrieved adds 0. Its mean over questions is the MAP. trec_eval: map, map_cut_k.
struct average_precision {
    std::size_t k = no_cutoff;
    bool over_reachable = false; ///< divides by min(k, relevant) in place of relevant, as
                                 ///< sentence-transformers does

    [[nodiscard]] double operator()(assessment const& a) const {
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
    /// Its expected value, ties in any order.
    [[nodiscard]] double operator()(tied_assessment const& a) const {
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
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const {
        return (*this)(assess(hits, judged));
    }
};

/// The highest precision at any rank from which recall is at least `recall` (in [0, 1], rounded to
/// a whole number of relevant documents). trec_eval: iprec_at_recall_x.
struct interpolated_precision {
    double recall = 0;

    [[nodiscard]] double operator()(assessment const& a) const {
        if (!(recall >= 0 && recall <= 1)) {
            detail::fail(errc::invalid_argument,
                detail::join("interpolated_precision: recall must be in [0, 1], is ", recall));
        }
        auto const needed =
            static_cast<std::size_t>(std::lround(recall * static_cast<double>(a.relevant)));
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
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const {
        return (*this)(assess(hits, judged));
    }
};

/// The mean of the interpolated precision at these levels of recall. trec_eval: 11pt_avg.
struct averaged_precision_points {
    std::vector<double> recalls = {0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1};

    [[nodiscard]] double operator()(assessment const& a) const {
        if (recalls.empty()) {
            detail::fail(
                errc::invalid_argument, "averaged_precision_points: no level of recall given");
        }
        double sum = 0;
        for (double const r : recalls) sum += interpolated_precision{.recall = r}(a);
        return sum / static_cast<double>(recalls.size());
    }
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const {
        return (*this)(assess(hits, judged));
    }
};

/// AP estimated where only a sample of the pool is judged: documents with a negative grade are
/// pooled and not judged. trec_eval: infAP.
/// @par Source Yilmaz, Aslam, "Estimating average precision with incomplete and imperfect
/// judgments", CIKM 2006.
struct inferred_ap {
    [[nodiscard]] double operator()(assessment const& a) const {
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
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const {
        return (*this)(assess(hits, judged));
    }
};

/// The share of correct preferences: for each relevant document, how few of the first R judged
/// non-relevant ones stand above it. What is not judged is passed over. trec_eval: bpref.
/// @par Source Buckley, Voorhees, "Retrieval evaluation with incomplete information", SIGIR 2004.
struct bpref {
    [[nodiscard]] double operator()(assessment const& a) const {
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
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const {
        return (*this)(assess(hits, judged));
    }
};

TRAWL_END_NAMESPACE
