// SPDX-License-Identifier: MIT
#pragma once

/// The weight of each term of a query, and its share of an explanation.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/math.hpp>
#include <trawl/lexical/detail/scoring/idf.hpp>
#include <trawl/lexical/detail/scoring/score_quantizer.hpp>
#include <trawl/lexical/detail/scoring/tf_factor.hpp>
#include <trawl/lexical/detail/sorting.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// A term of a query, or what scores as one term.
struct scored_term {
    double asked = 0;     ///< weight in the query
    std::uint64_t df = 0; ///< 0: idf is a sum of several terms'
    double idf = 0;
    float weight = 0; ///< multiplies the tf factor
    float shift = 0;  ///< what a match adds to it
};

inline void check_term_weight(std::string_view term, double weight) {
    if (is_finite(weight) && weight >= 0) return;
    fail(is_finite(weight) ? errc::invalid_argument : errc::not_finite,
        join("bm25: the weight of the term '", term, "' must be a number >= 0, is ", weight));
}

[[nodiscard]] inline explanation leaf(std::string label, double value) {
    return {.label = std::move(label), .value = value};
}

/// A node with the value that its children give.
[[nodiscard]] inline explanation computed(
    operation op, std::string label, std::vector<explanation> children) {
    explanation made{.op = op, .label = std::move(label), .children = std::move(children)};
    made.value = recompute(made);
    return made;
}

/// Borrows the parameters.
class term_weights {
public:
    term_weights(bm25 const& parameters, std::uint64_t documents, tf_factor const& factor) noexcept
        : parameters_(parameters),
          documents_(documents),
          multiplier_(factor.multiplier()),
          shift_(factor.shift()) {}

    /// The idf of a term that `df` >= 1 documents hold.
    /// @param all_df  gives the df of every term of the collection; called where okapi's mean is
    /// needed.
    template <class AllDf>
    [[nodiscard]] double idf_of(std::uint64_t df, AllDf&& all_df) const {
        auto const value = idf(parameters_.variant, documents_, df);
        if (parameters_.variant != bm25_variant::okapi || value >= 0) return value;
        return rounded(parameters_.epsilon * mean_idf(all_df()));
    }

    /// @throws trawl::error (invalid_argument) naming the term if the weight is too large.
    [[nodiscard]] scored_term weigh(
        std::string_view name, double weight, std::uint64_t df, double idf) const {
        auto const asks = rounded(idf * query_factor(parameters_, weight));
        auto const product = rounded(asks * multiplier_);
        auto const shift = rounded(asks * shift_);
        auto const largest = math::fabs(product) + math::fabs(shift);
        if (!is_finite(largest) || largest > largest_bound) {
            fail(errc::invalid_argument, join("bm25: weight ", weight, " of the term '", name,
                                             "' is too large for scores of type float"));
        }
        return {weight, df, idf, static_cast<float>(product), static_cast<float>(shift)};
    }

    /// Upper bound of the magnitude of every score: a tf factor is at most 1. Added from the
    /// smallest weight on, so that the order of the terms does not count.
    [[nodiscard]] static double bound(array_ref<scored_term const> terms) {
        buffer<std::uint64_t> weights; // bits of doubles >= 0, which sort as the doubles do
        weights.reserve(terms.size());
        for (auto const& term : terms) {
            weights.push_back(
                std::bit_cast<std::uint64_t>(math::fabs(static_cast<double>(term.weight))
                                             + math::fabs(static_cast<double>(term.shift))));
        }
        sort_ascending(weights);
        double total = 0;
        for (auto const weight : weights) total = rounded(total + std::bit_cast<double>(weight));
        if (total > largest_bound) {
            fail(errc::invalid_argument,
                join("bm25: the weights of the query's terms allow scores up to ", total,
                    ", more than ", largest_bound));
        }
        return total;
    }

    /// What a term adds to the score of a document whose tf factor is known.
    [[nodiscard]] explanation explain(scored_term const& term, std::string name, explanation factor,
        score_quantizer const& quantizer) const {
        explanation idf{.op = operation::opaque,
            .label = "idf",
            .value = term.idf,
            .children = {leaf("N, documents", static_cast<double>(documents_))}};
        if (term.df > 0)
            idf.children.push_back(
                leaf("df, documents with the term", static_cast<double>(term.df)));
        auto asked = leaf("weight in the query", term.asked);
        if (query_factor(parameters_, term.asked) != term.asked) {
            asked = {.op = operation::opaque,
                .label = "(k3 + 1) weight / (k3 + weight)",
                .value = query_factor(parameters_, term.asked),
                .children = {std::move(asked), leaf("k3", parameters_.k3)}};
        }
        auto const asks = computed(
            operation::product, "idf * weight in the query", {std::move(idf), std::move(asked)});
        auto const in_steps = [&](explanation value) {
            return computed(operation::round, "",
                {std::move(value), leaf("step", static_cast<double>(quantizer.step()))});
        };
        auto const times = [&](std::string_view multiplier_name, double multiplier) {
            std::vector<explanation> factors{asks};
            if (multiplier != 1) factors.push_back(leaf(std::string(multiplier_name), multiplier));
            return computed(operation::round, "weight of the term",
                {computed(
                    operation::product, "weight of the term, unrounded", std::move(factors))});
        };
        auto const multiplier_name = parameters_.variant == bm25_variant::tf_ldp ? "8" : "k1 + 1";
        auto contribution = in_steps(computed(operation::round, "contribution",
            {computed(operation::product, "weight * tf factor",
                {times(multiplier_name, multiplier_), std::move(factor)})}));
        contribution.label = std::move(name);
        if (shift_ == 0) return contribution;
        auto shift = in_steps(times("delta", shift_));
        name = std::exchange(contribution.label, "contribution");
        shift.label = "shift, added for a match";
        return computed(
            operation::sum, std::move(name), {std::move(contribution), std::move(shift)});
    }

    /// The explanation of a score from those of its terms, which may be none.
    [[nodiscard]] explanation total(std::vector<explanation> terms) const {
        if (terms.empty()) return no_match("no match");
        auto const order = sorted_places(terms.size(), [&](std::uint32_t i, std::uint32_t j) {
            auto const& a = terms[i];
            auto const& b = terms[j];
            return a.value != b.value ? a.value > b.value : a.label < b.label;
        });
        std::vector<explanation> sorted;
        sorted.reserve(order.size());
        for (auto const i : order) sorted.push_back(std::move(terms[i]));
        return computed(operation::round, join("bm25, ", name_of(parameters_.variant)),
            {computed(operation::sum, "terms", std::move(sorted))});
    }

private:
    static constexpr double largest_bound = 0x1p126;

    /// The mean idf over all terms that occur, by ascending df, whatever order the terms came in.
    [[nodiscard]] double mean_idf(buffer<std::uint64_t> df) const {
        sort_ascending(df);
        double total = 0;
        std::size_t terms = 0;
        for (std::size_t at = 0; at < df.size();) {
            auto const first = at;
            while (at < df.size() && df[at] == df[first]) ++at;
            if (df[first] == 0) continue;
            auto const count = at - first;
            auto const each = idf(parameters_.variant, documents_, df[first]);
            total = rounded(total + rounded(static_cast<double>(count) * each));
            terms += count;
        }
        return total / rounded(static_cast<double>(terms));
    }

    bm25 const& parameters_;
    std::uint64_t documents_;
    double multiplier_;
    double shift_;
};

} // namespace detail
TRAWL_END_NAMESPACE
