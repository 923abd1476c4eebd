// SPDX-License-Identifier: MIT
#pragma once

/// One question, weighed against the statistics of an index: search, scores and explanations all come from
/// here, so that they agree to the bit.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/lexical/bm25.hpp>
#include <trawl/lexical/inverted_index.hpp>
#include <trawl/lexical/score_scale.hpp>
#include <trawl/lexical/tf_part.hpp>
#include <trawl/lexical/window_search.hpp>

namespace trawl::inline v0_1::detail {

/// Borrows the parameters and the options, for the length of one call.
class bm25_scorer {
public:
    using number = inverted_index::number;
    using location = index_snapshot::location;

    struct asked_term {
        number term;
        double weight; ///< finite, >= 0
        friend auto operator<=>(asked_term const&, asked_term const&) = default;
    };

    /// @throws trawl::error (invalid_argument) if the weights are so large that a score could overflow.
    bm25_scorer(inverted_index::reader index, bm25 const& parameters, std::vector<asked_term> asked,
        search_options const& options)
        : index_(std::move(index)),
          parameters_(parameters),
          options_(options),
          collection_(measure()),
          tf_part_(parameters, average_length()),
          terms_(weigh(folded(std::move(asked)))),
          scale_(bound(terms_)) {}

    /// The best k in order; only documents that share a term.
    [[nodiscard]] ranking search() const {
        std::vector<window_search::term> terms;
        for (auto const& term : terms_) {
            terms.push_back({term.number, scoring(term, scale_)});
        }
        return window_search(*index_, terms, scale_, options_).best();
    }

    /// One hit for each id that is there and admitted, in the order given; 0 where no term is shared.
    [[nodiscard]] std::vector<hit> score(std::span<doc_id const> ids) const {
        std::vector<hit> hits;
        hits.reserve(ids.size());
        for (doc_id const id : ids) {
            if (auto const at = admitted(id)) hits.push_back({id, scale_.score(sum(*at))});
        }
        return hits;
    }

    [[nodiscard]] explanation explain(doc_id id) const {
        auto const at = admitted(id);
        explanation terms{.op = operation::sum, .label = "terms"};
        for (auto const& term : terms_) {
            auto const tf = at ? index_->count(*at, term.number) : 0;
            if (tf == 0) continue;
            terms.parts.push_back(explain(term, join("term '", index_->dictionary->term(term.number), "'"),
                index_->length(*at), static_cast<float>(tf), scale_));
        }
        if (terms.parts.empty()) return {.label = "no match"};
        std::sort(terms.parts.begin(), terms.parts.end(), [](explanation const& a, explanation const& b) {
            return a.value != b.value ? a.value > b.value : a.label < b.label;
        });
        terms.value = recompute(terms);
        return {.op = operation::round,
            .label = join("bm25, ", name_of(parameters_.variant)),
            .value = static_cast<double>(static_cast<float>(terms.value)),
            .parts = {std::move(terms)}};
    }

    /// What a term, or what scores as one, counts in the question.
    struct scored_term {
        double asked = 0;
        std::uint64_t df = 0; ///< 0: idf is a sum of several terms'
        double idf = 0;
        float weight = 0; ///< of the tf part
        float shift = 0;  ///< what a match adds to it
        detail::inverted_index::number number = 0;
    };

    [[nodiscard]] bool of_eligible() const noexcept {
        return options_.statistics == statistics::eligible && !options_.where.admits_all();
    }

    [[nodiscard]] std::uint64_t df(number term) const {
        if (!of_eligible()) return index_->df(term);
        return index_->df_where(term, [&](doc_id id) { return options_.where.admits(id); });
    }

    /// The idf of what so many documents have, at least one.
    [[nodiscard]] double idf_of(std::uint64_t df) const {
        auto const value = idf(parameters_.variant, collection_.documents, df);
        if (parameters_.variant != bm25_variant::okapi || value >= 0) return value;
        return rounded(parameters_.epsilon * mean_idf());
    }

    /// @throws trawl::error (invalid_argument) naming the term if the weight is too large.
    [[nodiscard]] scored_term weigh(
        std::string_view name, double weight, std::uint64_t df, double idf) const {
        auto const asks = rounded(idf * query_part(parameters_, weight));
        auto const product = rounded(asks * tf_part_.factor());
        auto const shift = rounded(asks * tf_part_.shift());
        auto const most = std::abs(product) + std::abs(shift);
        if (!is_finite(most) || most > largest_bound) {
            fail(errc::invalid_argument, join("bm25: weight ", weight, " of the term '", name,
                                             "' is too large for scores of type float"));
        }
        return {weight, df, idf, static_cast<float>(product), static_cast<float>(shift)};
    }

    /// At least the magnitude of every score: a tf part is at most 1. Added from the smallest weight on, so
    /// that terms may come in any order.
    [[nodiscard]] static double bound(std::span<scored_term const> terms) {
        std::vector<double> weights(terms.size());
        std::transform(terms.begin(), terms.end(), weights.begin(), [](scored_term const& term) {
            return std::abs(static_cast<double>(term.weight)) + std::abs(static_cast<double>(term.shift));
        });
        std::sort(weights.begin(), weights.end());
        double total = 0;
        for (double const weight : weights) total = rounded(total + weight);
        if (total > largest_bound) {
            fail(errc::invalid_argument, join("bm25: the weights of the query's terms allow scores up to ",
                                             total, ", more than ", largest_bound));
        }
        return total;
    }

    [[nodiscard]] posting_scoring scoring(scored_term const& term, score_scale const& scale) const noexcept {
        return {.part = &tf_part_,
            .weight = term.weight,
            .steps = scale.steps(),
            .shift = scale.in_steps(term.shift)};
    }

    [[nodiscard]] explanation explain(scored_term const& term, std::string name, std::uint32_t length,
        float tf, score_scale const& scale) const {
        auto const leaf = [](std::string label, double value) {
            return explanation{.label = std::move(label), .value = value};
        };
        auto const node = [](operation op, std::string label, std::vector<explanation> parts) {
            explanation made{.op = op, .label = std::move(label), .parts = std::move(parts)};
            made.value = recompute(made);
            return made;
        };
        explanation idf{.op = operation::opaque,
            .label = "idf",
            .value = term.idf,
            .parts = {leaf("N, documents", static_cast<double>(collection_.documents))}};
        if (term.df > 0) idf.parts.push_back(leaf("df, of them with the term", static_cast<double>(term.df)));
        auto asked = leaf("weight in the query", term.asked);
        if (query_part(parameters_, term.asked) != term.asked) {
            asked = {.op = operation::opaque,
                .label = "(k3 + 1) weight / (k3 + weight)",
                .value = query_part(parameters_, term.asked),
                .parts = {std::move(asked), leaf("k3", parameters_.k3)}};
        }
        auto const asks = node(operation::product, "idf and query", {std::move(idf), std::move(asked)});
        explanation part{.op = operation::opaque,
            .label = std::string(tf_part_.formula()),
            .value = static_cast<double>(tf_part_(tf, length)),
            .parts = {leaf("tf, times in the document", static_cast<double>(tf)),
                leaf("length of the document", length)}};
        if (!tf_part_.exact_lengths()) {
            part.parts.push_back(leaf("length in its byte", tf_part_.coded(length)));
        }
        part.parts.push_back(leaf("average length", average_length()));
        if (parameters_.variant != bm25_variant::tf_ldp) part.parts.push_back(leaf("k1", parameters_.k1));
        part.parts.push_back(leaf("b", parameters_.b));
        if (parameters_.variant == bm25_variant::bm25l || parameters_.variant == bm25_variant::tf_ldp) {
            part.parts.push_back(leaf("delta", tf_part_.delta()));
        }
        if (parameters_.variant == bm25_variant::xapian) {
            part.parts.push_back(leaf("least length", parameters_.least_length));
        }
        auto const in_steps = [&](explanation value) {
            return node(
                operation::round, "", {std::move(value), leaf("step", static_cast<double>(scale.step()))});
        };
        auto const times = [&](std::string_view factor_name, double factor) {
            std::vector<explanation> factors{asks};
            if (factor != 1) factors.push_back(leaf(std::string(factor_name), factor));
            return node(operation::round, "weight of the term",
                {node(operation::product, "idf, query and factor", std::move(factors))});
        };
        auto const k1_factor = parameters_.variant == bm25_variant::tf_ldp ? "8" : "k1 + 1";
        auto contribution = in_steps(node(operation::round, "contribution",
            {node(operation::product, "weight and tf",
                {times(k1_factor, tf_part_.factor()), std::move(part)})}));
        contribution.label = std::move(name);
        if (tf_part_.shift() == 0) return contribution;
        auto shift = in_steps(times("delta", tf_part_.shift()));
        name = std::exchange(contribution.label, "contribution");
        shift.label = "shift of a match";
        return node(operation::sum, std::move(name), {std::move(contribution), std::move(shift)});
    }

private:
    struct collection {
        std::uint64_t documents = 0;
        std::uint64_t total_length = 0;
    };

    [[nodiscard]] std::optional<location> admitted(doc_id id) const noexcept {
        return options_.where.admits(id) ? index_->locate(id) : std::nullopt;
    }

    /// Calls visit(location) for each live document of the filter, ascending.
    template <class Visit>
    void for_each_candidate(Visit&& visit) const {
        options_.where.set()->for_each([&](doc_id id) {
            if (auto const at = index_->locate(id)) visit(*at);
        });
    }

    [[nodiscard]] collection measure() const {
        if (!of_eligible()) return {index_->live, index_->total_length};
        collection eligible;
        for_each_candidate([&](location at) {
            ++eligible.documents;
            eligible.total_length += index_->length(at);
        });
        return eligible;
    }

    [[nodiscard]] double average_length() const noexcept {
        if (collection_.documents == 0) return 0;
        return rounded(static_cast<double>(collection_.total_length)
                       / rounded(static_cast<double>(collection_.documents)));
    }

    /// The mean idf over all terms that occur, by ascending df, whatever order the terms came in.
    [[nodiscard]] double mean_idf() const {
        std::vector<std::uint64_t> df;
        if (of_eligible()) {
            df = index_->all_df_where([&](doc_id id) { return options_.where.admits(id); });
        } else {
            df = index_->all_df();
        }
        std::sort(df.begin(), df.end());
        double total = 0;
        std::size_t terms = 0;
        for (auto at = std::upper_bound(df.begin(), df.end(), 0u); at != df.end();) {
            auto const next = std::upper_bound(at, df.end(), *at);
            auto const count = static_cast<std::size_t>(next - at);
            total = rounded(
                total
                + rounded(static_cast<double>(count) * idf(parameters_.variant, collection_.documents, *at)));
            terms += count;
            at = next;
        }
        return total / rounded(static_cast<double>(terms));
    }

    /// Each term once. The weights of a repeated one are added from the smallest on, whatever the order
    /// asked.
    [[nodiscard]] static std::vector<asked_term> folded(std::vector<asked_term> asked) {
        std::sort(asked.begin(), asked.end());
        std::vector<asked_term> once;
        for (auto const& [term, weight] : asked) {
            if (once.empty() || once.back().term != term) once.push_back({term, 0});
            once.back().weight = rounded(once.back().weight + weight);
        }
        return once;
    }

    [[nodiscard]] std::vector<scored_term> weigh(std::vector<asked_term> const& asked) const {
        std::vector<scored_term> terms;
        for (auto const& [term, weight] : asked) {
            auto const documents = df(term);
            if (documents == 0 || weight == 0) continue;
            terms.push_back(weigh(index_->dictionary->term(term), weight, documents, idf_of(documents)));
            terms.back().number = term;
        }
        return terms;
    }

    /// A document's score in steps, 0 if it shares no term.
    [[nodiscard]] std::int32_t sum(location at) const noexcept {
        std::int32_t total = 0;
        for (auto const& term : terms_) {
            if (auto const tf = index_->count(at, term.number); tf > 0) {
                total += scoring(term, scale_).contribution(static_cast<float>(tf), index_->length(at));
            }
        }
        return total;
    }

    static constexpr double largest_bound = 0x1p126;

    inverted_index::reader index_;
    bm25 const& parameters_;
    search_options const& options_;
    collection collection_;
    detail::tf_part tf_part_;
    std::vector<scored_term> terms_;
    score_scale scale_;
};

} // namespace trawl::inline v0_1::detail
