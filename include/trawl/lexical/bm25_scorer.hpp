// SPDX-License-Identifier: MIT
#pragma once

/// One question, weighed against the statistics of an index: search, scores and explanations all come from
/// here, so that they agree to the bit.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/doc_set.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/top_k.hpp>
#include <trawl/lexical/bm25.hpp>
#include <trawl/lexical/inverted_index.hpp>
#include <trawl/lexical/score_scale.hpp>

namespace trawl::inline v0_1::detail {

/// Borrows all that it is given, for the length of one call.
class bm25_scorer {
public:
    using number = inverted_index::number;

    struct asked_term {
        number term;
        double weight; ///< finite, >= 0
        friend auto operator<=>(asked_term const&, asked_term const&) = default;
    };

    /// @throws trawl::error (invalid_argument) if the weights are so large that a score could overflow.
    bm25_scorer(inverted_index const& index, bm25 const& parameters, std::vector<asked_term> asked,
        search_options const& options)
        : index_(index),
          parameters_(parameters),
          options_(options),
          collection_(measure()),
          tf_part_(parameters, average_length()),
          terms_(weigh(folded(std::move(asked)))),
          scale_(bound()) {}

    /// The best k in order; only documents that share a term.
    [[nodiscard]] ranking search() const {
        top_k best(options_.k);
        if (options_.k == 0 || terms_.empty()) return {};
        if (few_candidates()) {
            search_candidates(best);
        } else {
            search_windows(best);
        }
        return best.take();
    }

    /// One hit for each id that is there and admitted, in the order given; 0 where no term is shared.
    [[nodiscard]] std::vector<hit> score(std::span<doc_id const> ids) const {
        std::vector<hit> hits;
        hits.reserve(ids.size());
        for (doc_id const id : ids) {
            if (auto const row = admitted_row(id)) {
                hits.push_back({id, scale_.score(sum(*row).value_or(0))});
            }
        }
        return hits;
    }

    [[nodiscard]] explanation explain(doc_id id) const {
        auto const row = admitted_row(id);
        explanation terms{.op = operation::sum, .label = "terms"};
        for (auto const& term : terms_) {
            auto const tf = row ? index_.tf(term.number, *row) : 0;
            if (tf > 0) terms.parts.push_back(explain(term, *row, tf));
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

private:
    struct collection {
        std::uint64_t documents = 0;
        std::uint64_t total_length = 0;
    };

    struct scored_term {
        detail::inverted_index::number number;
        double asked;
        std::uint64_t df;
        double idf;
        float weight;
    };

    [[nodiscard]] bool of_eligible() const noexcept {
        return options_.statistics == statistics::eligible && !options_.where.admits_all();
    }

    [[nodiscard]] std::optional<number> admitted_row(doc_id id) const noexcept {
        return options_.where.admits(id) ? index_.row_of(id) : std::nullopt;
    }

    [[nodiscard]] bool admits(number row) const noexcept {
        return options_.where.admits(index_.documents()[row].id);
    }

    /// Calls visit(row) for each live document of the filter, ascending.
    template <class Visit>
    void for_each_candidate(Visit&& visit) const {
        options_.where.set()->for_each([&](doc_id id) {
            if (auto const row = index_.row_of(id)) visit(*row);
        });
    }

    [[nodiscard]] collection measure() const {
        if (!of_eligible()) return {index_.live(), index_.total_length()};
        collection eligible;
        for_each_candidate([&](number row) {
            ++eligible.documents;
            eligible.total_length += index_.documents()[row].length;
        });
        return eligible;
    }

    [[nodiscard]] double average_length() const noexcept {
        if (collection_.documents == 0) return 0;
        return rounded(static_cast<double>(collection_.total_length)
                       / rounded(static_cast<double>(collection_.documents)));
    }

    [[nodiscard]] std::uint64_t df(number term) const noexcept {
        auto const postings = index_.postings(term);
        if (!of_eligible()) return postings.size();
        return static_cast<std::uint64_t>(std::count_if(postings.begin(), postings.end(),
            [&](inverted_index::posting const& posting) { return admits(posting.row); }));
    }

    /// The mean idf over all terms that occur, by ascending df, whatever order the terms came in.
    [[nodiscard]] double mean_idf() const {
        std::vector<std::uint64_t> df(index_.terms());
        if (of_eligible()) {
            for_each_candidate([&](number row) {
                for (number const term : index_.documents()[row].terms) ++df[term];
            });
        } else {
            for (number term = 0; term < df.size(); ++term) df[term] = index_.postings(term).size();
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
        std::optional<double> mean;
        for (auto const& [term, weight] : asked) {
            auto const documents = df(term);
            if (documents == 0 || weight == 0) continue;
            auto value = idf(parameters_.variant, collection_.documents, documents);
            if (parameters_.variant == bm25_variant::okapi && value < 0) {
                if (!mean) mean = mean_idf();
                value = rounded(parameters_.epsilon * *mean);
            }
            auto const product = rounded(rounded(value * weight) * tf_factor(parameters_));
            if (!is_finite(product) || std::abs(product) > largest_bound) {
                fail(
                    errc::invalid_argument, join("bm25: weight ", weight, " of the term '", index_.term(term),
                                                "' is too large for scores of type float"));
            }
            terms.push_back({term, weight, documents, value, static_cast<float>(product)});
        }
        return terms;
    }

    /// At least the magnitude of every score: a tf part is at most 1. Added from the smallest weight on, so
    /// that terms may come in any order.
    [[nodiscard]] double bound() const {
        std::vector<double> weights(terms_.size());
        std::transform(terms_.begin(), terms_.end(), weights.begin(),
            [](scored_term const& term) { return std::abs(static_cast<double>(term.weight)); });
        std::sort(weights.begin(), weights.end());
        double total = 0;
        for (double const weight : weights) total = rounded(total + weight);
        if (total > largest_bound) {
            fail(errc::invalid_argument, join("bm25: the weights of the query's terms allow scores up to ",
                                             total, ", more than ", largest_bound));
        }
        return total;
    }

    [[nodiscard]] std::int32_t in_steps(
        scored_term const& term, number row, std::uint32_t tf) const noexcept {
        return scale_.in_steps(
            score_scale::contribution(term.weight, tf_part_(tf, index_.documents()[row].length)));
    }

    /// A document's score in steps, or nothing if it shares no term.
    [[nodiscard]] std::optional<std::int32_t> sum(number row) const noexcept {
        std::optional<std::int32_t> total;
        for (auto const& term : terms_) {
            if (auto const tf = index_.tf(term.number, row); tf > 0) {
                total = total.value_or(0) + in_steps(term, row, tf);
            }
        }
        return total;
    }

    /// Whether looking up each candidate in each list is less work than reading the lists.
    [[nodiscard]] bool few_candidates() const noexcept {
        if (options_.where.admits_all()) return false;
        std::size_t probe = 0;
        std::size_t postings = 0;
        for (auto const& term : terms_) {
            auto const df = index_.postings(term.number).size();
            probe += static_cast<std::size_t>(std::bit_width(df));
            postings += df;
        }
        return options_.where.set()->count() * probe < postings;
    }

    void search_candidates(top_k& best) const {
        std::size_t polled = 0;
        bool stopped = false;
        for_each_candidate([&](number row) {
            if (polled++ % window == 0 && !stopped) stopped = options_.stopped();
            if (stopped) return;
            if (auto const total = sum(row)) best.push({index_.documents()[row].id, scale_.score(*total)});
        });
    }

    /// Term by term within windows of documents, so that the sums stay in the cache.
    void search_windows(top_k& best) const {
        std::vector<std::span<inverted_index::posting const>> rest;
        for (auto const& term : terms_) rest.push_back(index_.postings(term.number));
        std::vector<std::int32_t> sums(window);
        doc_set matched(window);
        for (std::size_t first = 0; first < index_.documents().size(); first += window) {
            if (options_.stopped()) return;
            for (std::size_t t = 0; t < terms_.size(); ++t) {
                std::size_t read = 0;
                for (; read < rest[t].size() && rest[t][read].row - first < window; ++read) {
                    auto const [row, tf] = rest[t][read];
                    if (!admits(row)) continue;
                    matched.insert(static_cast<doc_id>(row - first));
                    sums[row - first] += in_steps(terms_[t], row, tf);
                }
                rest[t] = rest[t].subspan(read);
            }
            matched.for_each([&](doc_id slot) {
                best.push({index_.documents()[first + slot].id, scale_.score(std::exchange(sums[slot], 0))});
            });
            matched &= doc_set(); // empty again, with its memory
        }
    }

    [[nodiscard]] explanation explain(scored_term const& term, number row, std::uint32_t tf) const {
        auto const leaf = [](std::string label, double value) {
            return explanation{.label = std::move(label), .value = value};
        };
        auto const node = [](operation op, std::string label, std::vector<explanation> parts) {
            explanation made{.op = op, .label = std::move(label), .parts = std::move(parts)};
            made.value = recompute(made);
            return made;
        };
        auto const length = index_.documents()[row].length;
        explanation idf{.op = operation::opaque,
            .label = "idf",
            .value = term.idf,
            .parts = {leaf("N, documents", static_cast<double>(collection_.documents)),
                leaf("df, of them with the term", static_cast<double>(term.df))}};
        std::vector<explanation> factors{std::move(idf), leaf("weight in the query", term.asked)};
        if (tf_factor(parameters_) != 1) factors.push_back(leaf("k1 + 1", tf_factor(parameters_)));
        explanation saturated{.op = operation::opaque,
            .label = "tf / (tf + k1 (1 - b + b length / average))",
            .value = static_cast<double>(tf_part_(tf, length)),
            .parts = {leaf("tf, times in the document", tf), leaf("length of the document", length),
                leaf("average length", average_length()), leaf("k1", parameters_.k1),
                leaf("b", parameters_.b)}};
        auto weight = node(operation::round, "weight of the term",
            {node(operation::product, "idf and query", std::move(factors))});
        auto contribution = node(operation::round, "contribution",
            {node(operation::product, "weight and tf", {std::move(weight), std::move(saturated)})});
        return node(operation::round, join("term '", index_.term(term.number), "'"),
            {std::move(contribution), leaf("step", static_cast<double>(scale_.step()))});
    }

    static constexpr double largest_bound = 0x1p126;
    static constexpr std::size_t window = 4096;

    inverted_index const& index_;
    bm25 const& parameters_;
    search_options const& options_;
    collection collection_;
    detail::tf_part tf_part_;
    std::vector<scored_term> terms_;
    score_scale scale_;
};

} // namespace trawl::inline v0_1::detail
