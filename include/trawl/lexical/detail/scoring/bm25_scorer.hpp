// SPDX-License-Identifier: MIT
#pragma once

/// One query, weighed by the statistics of an index. Search, scores and explanations all come from
/// here, so that they agree to the bit.

#include <algorithm>
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
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/counted_ptr.hpp>
#include <trawl/lexical/bm25.hpp>
#include <trawl/lexical/detail/scoring/score_quantizer.hpp>
#include <trawl/lexical/detail/scoring/term_weights.hpp>
#include <trawl/lexical/detail/scoring/tf_factor.hpp>
#include <trawl/lexical/detail/search/admitted_rows.hpp>
#include <trawl/lexical/detail/search/term_search.hpp>
#include <trawl/lexical/detail/segments/index_snapshot.hpp>
#include <trawl/lexical/detail/sorting.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Borrows the parameters and the options, for the length of one call.
class bm25_scorer {
public:
    using location = index_snapshot::location;

    struct asked_term {
        term_id term;
        double weight; ///< finite, >= 0
    };

    /// @throws trawl::error (invalid_argument) if the weights are so large that a score could
    /// overflow.
    bm25_scorer(counted_ptr<index_snapshot const> index, bm25 const& parameters,
        buffer<asked_term> asked, search_options const& options)
        : index_(std::move(index)),
          parameters_(parameters),
          options_(options),
          collection_(measure()),
          tf_factor_(parameters, average_length()),
          weights_(parameters, collection_.documents, tf_factor_) {
        weigh(folded(std::move(asked)));
        quantizer_ = score_quantizer(weights_.bound(scored_));
    }

    /// The best k in order; only documents that share a term.
    [[nodiscard]] ranking search() const {
        buffer<term_search::term> terms;
        terms.reserve(scored_.size());
        for (std::size_t i = 0; i < scored_.size(); ++i) {
            terms.push_back({ids_[i], scoring(scored_[i], quantizer_)});
        }
        return term_search(*index_, terms, quantizer_, options_).best();
    }

    /// A hit for each id that exists and is admitted, in the order given; 0 if it shares no term.
    [[nodiscard]] std::vector<hit> score(std::span<doc_id const> ids) const {
        std::vector<hit> hits;
        buffer<location> places;
        hits.reserve(ids.size());
        places.reserve(ids.size());
        for (doc_id const id : ids) {
            auto const at = admitted(id);
            if (!at) continue;
            hits.push_back({id, 0});
            places.push_back(*at);
        }
        buffer<std::int32_t> sums(hits.size());
        for (std::size_t i = 0; i < scored_.size(); ++i) add(i, places, sums);
        for (std::size_t i = 0; i < hits.size(); ++i) hits[i].score = quantizer_.score(sums[i]);
        return hits;
    }

    [[nodiscard]] explanation explain(doc_id id) const {
        std::vector<explanation> terms;
        auto const at = admitted(id);
        for (std::size_t i = 0; at && i < scored_.size(); ++i) {
            auto const tf = static_cast<float>(index_->count(*at, ids_[i]));
            if (tf == 0) continue;
            terms.push_back(
                explain(scored_[i], join("term '", index_->dictionary->term(ids_[i]), "'"),
                    std::span(&tf, 1), *at, quantizer_));
        }
        return weights_.total(std::move(terms));
    }

    // What follows is what boolean_query asks of a scorer; term ids and tfs are one for each field.

    [[nodiscard]] std::size_t fields() const noexcept { return 1; }
    [[nodiscard]] index_snapshot const& index(std::size_t) const noexcept { return *index_; }
    [[nodiscard]] term_weights const& weights() const noexcept { return weights_; }

    /// Whether a document counts in the statistics.
    [[nodiscard]] bool counts(doc_id id) const noexcept {
        return !of_eligible() || options_.where.admits(id);
    }

    [[nodiscard]] std::uint64_t df(array_ref<term_id const> ids) const {
        if (!of_eligible()) return index_->df(ids[0]);
        return df_among(*index_, ids[0], options_.where);
    }

    [[nodiscard]] double idf_of(std::uint64_t df) const {
        return weights_.idf_of(df, [&] {
            if (!of_eligible()) return index_->all_df();
            return index_->all_df_where([&](doc_id id) { return options_.where.admits(id); });
        });
    }

    [[nodiscard]] posting_scoring scoring(
        scored_term const& term, score_quantizer const& quantizer) const noexcept {
        return {.factor = &tf_factor_,
            .weight = term.weight,
            .steps = quantizer.steps(),
            .shift = quantizer.in_steps(term.shift)};
    }

    [[nodiscard]] std::int32_t contribution(scored_term const& term, std::span<float const> tf,
        location at, score_quantizer const& quantizer) const noexcept {
        return scoring(term, quantizer).contribution(tf[0], index_->length(at));
    }

    [[nodiscard]] explanation explain(scored_term const& term, std::string name,
        std::span<float const> tf, location at, score_quantizer const& quantizer) const {
        auto const length = index_->length(at);
        explanation factor{.op = operation::opaque,
            .label = std::string(tf_factor_.formula()),
            .value = static_cast<double>(tf_factor_(tf[0], length)),
            .children = {leaf("tf, occurrences in the document", static_cast<double>(tf[0])),
                leaf("length of the document", length)}};
        if (!tf_factor_.exact_lengths()) {
            factor.children.push_back(
                leaf("length as its byte keeps it", tf_factor_.coded(length)));
        }
        factor.children.push_back(leaf("average length", average_length()));
        if (parameters_.variant != bm25_variant::tf_ldp)
            factor.children.push_back(leaf("k1", parameters_.k1));
        factor.children.push_back(leaf("b", parameters_.b));
        if (parameters_.variant == bm25_variant::bm25l
            || parameters_.variant == bm25_variant::tf_ldp) {
            factor.children.push_back(leaf("delta", tf_factor_.delta()));
        }
        if (parameters_.variant == bm25_variant::xapian) {
            factor.children.push_back(leaf("least length", parameters_.least_length));
        }
        return weights_.explain(term, std::move(name), std::move(factor), quantizer);
    }

private:
    struct collection {
        std::uint64_t documents = 0;
        std::uint64_t total_length = 0;
    };

    [[nodiscard]] bool of_eligible() const noexcept {
        return options_.statistics == statistics::eligible && !options_.where.admits_all();
    }

    [[nodiscard]] std::optional<location> admitted(doc_id id) const noexcept {
        return options_.where.admits(id) ? index_->locate(id) : std::nullopt;
    }

    [[nodiscard]] collection measure() const {
        if (!of_eligible()) return {index_->live, index_->total_length};
        collection eligible;
        options_.where.set()->for_each([&](doc_id id) {
            auto const at = index_->locate(id);
            if (!at) return;
            ++eligible.documents;
            eligible.total_length += index_->length(*at);
        });
        return eligible;
    }

    [[nodiscard]] double average_length() const noexcept {
        return mean_length(collection_.total_length, collection_.documents);
    }

    /// Each term once. Weights of a repeated term are added from the smallest on, so that the order
    /// of the query does not count.
    [[nodiscard]] static buffer<asked_term> folded(buffer<asked_term> asked) {
        auto const order = sorted_places(asked.size(), [&](std::uint32_t i, std::uint32_t j) {
            auto const& a = asked[i];
            auto const& b = asked[j];
            return a.term != b.term ? a.term < b.term : a.weight < b.weight;
        });
        buffer<asked_term> once;
        once.reserve(asked.size());
        for (auto const i : order) {
            auto const& [term, weight] = asked[i];
            if (once.empty() || once.back().term != term) once.push_back({term, 0});
            once.back().weight = rounded(once.back().weight + weight);
        }
        return once;
    }

    void weigh(buffer<asked_term> const& asked) {
        ids_.reserve(asked.size());
        scored_.reserve(asked.size());
        for (auto const& [term, weight] : asked) {
            auto const documents = df(std::span(&term, 1));
            if (documents == 0 || weight == 0) continue;
            ids_.push_back(term);
            scored_.push_back(weights_.weigh(
                index_->dictionary->term(term), weight, documents, idf_of(documents)));
        }
    }

    /// Adds what a term contributes to documents, term by term so that its list is looked up once.
    void add(
        std::size_t term, array_ref<location const> places, array_ref<std::int32_t> sums) const {
        auto const how = scoring(scored_[term], quantizer_);
        auto const& segments = *index_->segments;
        std::optional<posting_cursor> list; // of the term in the segment
        auto segment = segments.size();
        for (std::size_t i = 0; i < places.size(); ++i) {
            auto const at = places[i];
            std::uint32_t count = 0;
            if (at.segment == segments.size()) {
                count = index_->count(at, ids_[term]);
            } else {
                if (at.segment != segment) {
                    segment = at.segment;
                    list.reset();
                    auto const& lists = segments[segment].rows->lists();
                    if (auto const found = lists.find(ids_[term])) list.emplace(lists, *found);
                }
                if (list) count = list->count_of(at.row);
            }
            if (count > 0)
                sums[i] += how.contribution(static_cast<float>(count), index_->length(at));
        }
    }

    counted_ptr<index_snapshot const> index_;
    bm25 const& parameters_;
    search_options const& options_;
    collection collection_;
    tf_factor tf_factor_;
    term_weights weights_;
    buffer<term_id> ids_; ///< of the terms
    buffer<scored_term> scored_;
    score_quantizer quantizer_ = score_quantizer(0);
};

} // namespace detail
TRAWL_END_NAMESPACE
