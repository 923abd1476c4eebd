// SPDX-License-Identifier: MIT
#pragma once

/// One query, weighed by the statistics of an index of fields: bm25_scorer for BM25F.

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
#include <trawl/lexical/bm25.hpp>
#include <trawl/lexical/detail/lexical_engine.hpp>
#include <trawl/lexical/detail/scoring/field_tf.hpp>
#include <trawl/lexical/detail/scoring/score_quantizer.hpp>
#include <trawl/lexical/detail/scoring/term_weights.hpp>
#include <trawl/lexical/detail/search/boolean_document.hpp>
#include <trawl/lexical/detail/search/field_search.hpp>
#include <trawl/lexical/detail/segments/index_snapshot.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// A term has an id in each field that knows it; df counts the documents that hold it in any.
/// Borrows the fields, the parameters and the options, for the length of one call.
class field_scorer {
public:
    using location = index_snapshot::location;

    struct asked_term {
        std::string term;
        double weight; ///< finite, >= 0
    };

    /// @throws trawl::error (invalid_argument) if the weights are so large that a score could
    /// overflow.
    field_scorer(index_reader index, array_ref<bm25_field const> fields, bm25 const& parameters,
        buffer<asked_term> asked, search_options const& options)
        : index_(std::move(index)),
          fields_(fields),
          options_(options),
          collection_(measure()),
          factor_(parameters, fields, collection_.average_lengths),
          weights_(parameters, collection_.documents, factor_.whole()) {
        weigh(std::move(asked));
        quantizer_ = score_quantizer(weights_.bound(scored_));
    }

    /// The best k in order; only documents that share a term.
    [[nodiscard]] ranking search() const {
        std::vector<field_search::term> terms;
        for (std::size_t i = 0; i < scored_.size(); ++i) {
            terms.push_back({ids_of(i), scoring(scored_[i], quantizer_)});
        }
        return field_search(*index_, factor_, terms, quantizer_, options_).best();
    }

    /// A term that a plan has weighed: its id in each field, no_term where it is unknown or not asked.
    struct plain_term {
        std::vector<term_id> ids;
        scored_term const* scored;
    };

    /// As search(), for such terms.
    [[nodiscard]] ranking search(
        std::span<plain_term const> asked, score_quantizer const& quantizer) const {
        std::vector<field_search::term> terms;
        for (auto const& each : asked)
            terms.push_back({each.ids, scoring(*each.scored, quantizer)});
        return field_search(*index_, factor_, terms, quantizer, options_).best();
    }

    /// A hit for each id that exists and is admitted, in the order given; 0 if it shares no term.
    [[nodiscard]] std::vector<hit> score(std::span<doc_id const> ids) const {
        std::vector<hit> hits;
        hits.reserve(ids.size());
        for (doc_id const id : ids) {
            if (auto const at = admitted(id)) hits.push_back({id, quantizer_.score(sum(*at))});
        }
        return hits;
    }

    [[nodiscard]] explanation explain(doc_id id) const {
        std::vector<explanation> terms;
        auto const at = admitted(id);
        for (std::size_t i = 0; at && i < scored_.size(); ++i) {
            if (auto const tf = counted(i, *at)) {
                terms.push_back(
                    explain(scored_[i], join("term '", names_[i], "'"), *tf, *at, quantizer_));
            }
        }
        return weights_.total(std::move(terms));
    }

    // What follows is what boolean_query asks of a scorer; term ids and tfs are one for each field.

    [[nodiscard]] std::size_t fields() const noexcept { return index_->size(); }
    [[nodiscard]] index_snapshot const& index(std::size_t field) const noexcept {
        return *(*index_)[field];
    }
    [[nodiscard]] term_weights const& weights() const noexcept { return weights_; }

    /// Whether a document counts in the statistics.
    [[nodiscard]] bool counts(doc_id id) const noexcept {
        return !of_eligible() || options_.where.admits(id);
    }

    /// How many documents contain the term in any field: those of the longest list, and of each
    /// other list those that no earlier list has.
    [[nodiscard]] std::uint64_t df(array_ref<term_id const> ids) const {
        std::vector<std::pair<std::uint64_t, std::size_t>> known; // by df, falling
        for (std::size_t field = 0; field < ids.size(); ++field) {
            if (ids[field] == no_term) continue;
            auto const documents = df_in(field, ids[field]);
            if (documents > 0) known.emplace_back(documents, field);
        }
        if (known.empty()) return 0;
        std::sort(known.rbegin(), known.rend());
        auto total = known[0].first;
        for (std::size_t i = 1; i < known.size(); ++i) total += only_in(ids, known, i);
        return total;
    }

    [[nodiscard]] double idf_of(std::uint64_t df) const {
        return weights_.idf_of(df, [&] { return all_df(); });
    }

    [[nodiscard]] std::int32_t contribution(scored_term const& term, std::span<float const> tf,
        location at, score_quantizer const& quantizer) const noexcept {
        double collected = 0;
        for (std::size_t field = 0; field < tf.size(); ++field) {
            if (tf[field] == 0) continue;
            collected =
                rounded(collected + factor_.normalised(field, tf[field], index(field).length(at)));
        }
        return scoring(term, quantizer).of_factor(factor_(collected));
    }

    [[nodiscard]] explanation explain(scored_term const& term, std::string name,
        std::span<float const> tf, location at, score_quantizer const& quantizer) const {
        std::vector<explanation> factors;
        for (std::size_t field = 0; field < tf.size(); ++field) {
            if (tf[field] == 0) continue;
            factors.push_back(
                factor_.explain(field, fields_[field].name, tf[field], index(field).length(at)));
        }
        return weights_.explain(
            term, std::move(name), factor_.explain_whole(std::move(factors)), quantizer);
    }

private:
    struct collection {
        std::uint64_t documents = 0;
        std::vector<double> average_lengths = {}; ///< one a field
    };

    [[nodiscard]] bool of_eligible() const noexcept {
        return options_.statistics == statistics::eligible && !options_.where.admits_all();
    }

    [[nodiscard]] posting_scoring scoring(
        scored_term const& term, score_quantizer const& quantizer) const noexcept {
        return {.weight = term.weight,
            .steps = quantizer.steps(),
            .shift = quantizer.in_steps(term.shift)};
    }

    [[nodiscard]] std::optional<location> admitted(doc_id id) const noexcept {
        return options_.where.admits(id) ? index(0).locate(id) : std::nullopt;
    }

    [[nodiscard]] collection measure() const {
        collection found;
        buffer<std::uint64_t> total(fields());
        if (of_eligible()) {
            options_.where.set()->for_each([&](doc_id id) {
                auto const at = index(0).locate(id);
                if (!at) return;
                ++found.documents;
                for (std::size_t field = 0; field < total.size(); ++field) {
                    total[field] += index(field).length(*at);
                }
            });
        } else {
            found.documents = index(0).live;
            for (std::size_t field = 0; field < total.size(); ++field) {
                total[field] = index(field).total_length;
            }
        }
        for (auto const length : total) {
            found.average_lengths.push_back(mean_length(length, found.documents));
        }
        return found;
    }

    [[nodiscard]] std::uint64_t df_in(std::size_t field, term_id term) const {
        if (!of_eligible()) return index(field).df(term);
        return index(field).df_where(term, [&](doc_id id) { return options_.where.admits(id); });
    }

    /// Documents that hold the term in the i-th of the known fields and in none before it.
    [[nodiscard]] std::uint64_t only_in(array_ref<term_id const> ids,
        std::span<std::pair<std::uint64_t, std::size_t> const> known, std::size_t i) const {
        std::uint64_t documents = 0;
        auto const field = known[i].second;
        std::vector<posting_cursor> before;
        for (std::size_t p = 0; p < index(field).segments->size(); ++p) {
            auto const& segment = (*index(field).segments)[p];
            auto const place = segment.rows->lists().find(ids[field]);
            if (!place) continue;
            before.clear();
            for (auto const& [df, other] : known.first(i)) {
                auto const& lists = (*index(other).segments)[p].rows->lists();
                if (auto const of_other = lists.find(ids[other])) {
                    before.emplace_back(lists, *of_other);
                }
            }
            posting_cursor(segment.rows->lists(), *place).for_each_row([&](std::uint32_t row) {
                auto const holds = [&](posting_cursor& cursor) { return cursor.count_of(row) > 0; };
                if (!segment.is_live(row) || !counts(segment.rows->id(row))) return;
                if (std::none_of(before.begin(), before.end(), holds)) ++documents;
            });
        }
        index(field).for_each_in_tail([&](counted_document const& newest, std::uint32_t slot) {
            auto const holds = [&](std::pair<std::uint64_t, std::size_t> const& other) {
                auto const& document = index(other.second).tail->documents[slot];
                return index_snapshot::count(document, ids[other.second]) > 0;
            };
            if (!counts(newest.id) || index_snapshot::count(newest, ids[field]) == 0) return;
            auto const others = known.first(i);
            if (std::none_of(others.begin(), others.end(), holds)) ++documents;
        });
        return documents;
    }

    /// A term's id in each field, no_term where it is not known, added to `to`.
    void find(std::string_view term, buffer<term_id>& to) const {
        for (auto const& field : *index_) to.push_back(field->find(term).value_or(no_term));
    }

    /// Of every term of any field.
    [[nodiscard]] buffer<std::uint64_t> all_df() const {
        buffer<std::uint64_t> all;
        buffer<term_id> ids;
        for (std::size_t field = 0; field < fields(); ++field) {
            for (term_id term = 0; term < index(field).terms; ++term) {
                ids.clear();
                find(index(field).dictionary->term(term), ids);
                auto const first = std::find_if(
                    ids.begin(), ids.end(), [](term_id known) { return known != no_term; });
                // Else it was met in a field before.
                if (static_cast<std::size_t>(first - ids.begin()) == field) all.push_back(df(ids));
            }
        }
        return all;
    }

    /// Each term once. Weights of a repeated term are added from the smallest on, so that the order
    /// of the query does not count.
    void weigh(buffer<asked_term> asked) {
        std::sort(asked.begin(), asked.end(), [](asked_term const& a, asked_term const& b) {
            return a.term != b.term ? a.term < b.term : a.weight < b.weight;
        });
        for (std::size_t i = 0; i < asked.size();) {
            auto const& term = asked[i].term;
            double weight = 0;
            for (; i < asked.size() && asked[i].term == term; ++i)
                weight = rounded(weight + asked[i].weight);
            auto const before = ids_.size();
            find(term, ids_);
            auto const documents = weight == 0 ? 0 : df(std::span(ids_).subspan(before));
            if (documents == 0) {
                ids_.resize(before);
                continue;
            }
            scored_.push_back(weights_.weigh(term, weight, documents, idf_of(documents)));
            names_.emplace_back(term);
        }
    }

    [[nodiscard]] array_ref<term_id const> ids_of(std::size_t term) const noexcept {
        return std::span(ids_).subspan(term * fields(), fields());
    }

    /// How often each field holds a term; nothing if none does.
    [[nodiscard]] std::optional<std::vector<float>> counted(std::size_t term, location at) const {
        std::vector<float> tf(fields());
        bool any = false;
        for (std::size_t field = 0; field < tf.size(); ++field) {
            tf[field] = static_cast<float>(index(field).count(at, ids_of(term)[field]));
            any = any || tf[field] > 0;
        }
        return any ? std::optional(std::move(tf)) : std::nullopt;
    }

    /// A document's score in steps, 0 if it shares no term.
    [[nodiscard]] std::int32_t sum(location at) const {
        std::int32_t total = 0;
        for (std::size_t i = 0; i < scored_.size(); ++i) {
            if (auto const tf = counted(i, at))
                total += contribution(scored_[i], *tf, at, quantizer_);
        }
        return total;
    }

    index_reader index_;
    array_ref<bm25_field const> fields_;
    search_options const& options_;
    collection collection_;
    field_tf factor_;
    term_weights weights_;
    buffer<term_id> ids_;            ///< [terms x fields]
    std::vector<std::string> names_; ///< of the terms
    buffer<scored_term> scored_;
    score_quantizer quantizer_ = score_quantizer(0);
};

} // namespace detail
TRAWL_END_NAMESPACE
