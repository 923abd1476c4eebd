// SPDX-License-Identifier: MIT
#pragma once

/// Answers a lexical_query: which documents match, and what they score.

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/top_k.hpp>
#include <trawl/lexical/detail/scoring/bm25_scorer.hpp>
#include <trawl/lexical/detail/scoring/score_quantizer.hpp>
#include <trawl/lexical/detail/search/boolean_plan.hpp>
#include <trawl/lexical/detail/search/phrase_matches.hpp>
#include <trawl/lexical/detail/search/phrase_search.hpp>
#include <trawl/lexical/detail/search/term_search.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

template <class Question, class Scorer>
class boolean_query;

/// A question of nothing but terms is left to term_search, one phrase to phrase_search. Of another,
/// documents that may match are found by the lists of their terms, a bit each: where something must
/// be there, those that hold the rarest of it, narrowed by what else must be there unless that is
/// so frequent that looking it up for each of them is cheaper; else those that hold any of the
/// rest. Every one of them is then scored by the same code as for score and explain.
template <class Scorer>
class boolean_query<lexical_query, Scorer> {
public:
    using number = index_snapshot::number;
    using document = boolean_document<Scorer>;

    /// Borrows all but the scorer, which knows the index.
    /// @param fields  none of an index without fields.
    /// @param positions  whether the index keeps them.
    boolean_query(Scorer scorer, std::span<bm25_field const> fields, bool positions,
        analyze_ref analyze, lexical_query const& question, search_options const& options)
        : options_(options),
          scorer_(std::move(scorer)),
          plan_(scorer_, {fields, positions, analyze}, question),
          scale_(scorer_.weights().bound(weighed())) {}
    boolean_query(boolean_query const&) = delete;
    boolean_query& operator=(boolean_query const&) = delete;
    ~boolean_query() = default;

    [[nodiscard]] ranking search() const {
        if (options_.k == 0) return {};
        if constexpr (std::same_as<Scorer, bm25_scorer>) {
            if (auto const terms = plain_terms()) {
                return term_search(scorer_.index(0), *terms, scale_, options_).best();
            }
            if (auto const* const leaf = only_phrase()) {
                return phrase_search(scorer_.index(0), plan_.numbers_of(leaf->parts[0]),
                    leaf->places, leaf->slop, scorer_.scoring(leaf->scored, scale_), scale_,
                    options_)
                    .best();
            }
        }
        top_k best(options_.k);
        document at(scorer_, plan_.terms);
        auto const& index = scorer_.index(0);
        for (std::size_t p = 0; p < index.parts->size(); ++p) {
            auto const& part = (*index.parts)[p];
            at.enter(p);
            for (auto const& leaf : plan_.leaves) {
                for (auto const& [first, terms] : leaf.parts) {
                    if (leaf.places.empty() && terms > few_terms) at.add_up(first, terms);
                }
            }
            auto const found = may_match(plan_.root, at);
            for (std::size_t group = 0; group < found.size(); ++group) {
                if (group % 64 == 0 && options_.stopped()) return best.take();
                for (auto rest = found[group]; rest != 0; rest &= rest - 1) {
                    auto const row = static_cast<number>(
                        64 * group + static_cast<std::size_t>(std::countr_zero(rest)));
                    auto const id = part.rows->id(row);
                    if (!part.is_live(row) || !options_.where.admits(id)) continue;
                    at.move_to(row);
                    if (auto const sum = score(plan_.root, at)) best.push({id, scale_.score(*sum)});
                }
            }
        }
        at.enter(index.parts->size());
        index.for_each_in_tail([&](counted_document const& newest, number slot) {
            if (!options_.where.admits(newest.id)) return;
            at.move_to(slot);
            if (auto const sum = score(plan_.root, at)) best.push({newest.id, scale_.score(*sum)});
        });
        return best.take();
    }

    [[nodiscard]] std::vector<hit> score(std::span<doc_id const> ids) const {
        std::vector<hit> hits;
        for (doc_id const id : ids) {
            auto at = locate(id);
            if (at) hits.push_back({id, scale_.score(score(plan_.root, *at).value_or(0))});
        }
        return hits;
    }

    [[nodiscard]] explanation explain(doc_id id) const {
        auto at = locate(id);
        if (!at || !score(plan_.root, *at)) return no_match("no match");
        return computed(operation::round, "question", {explain(plan_.root, *at)});
    }

private:
    /// of a pattern: so many are looked up in each candidate
    static constexpr std::size_t few_terms = 4;

    [[nodiscard]] std::vector<scored_term> weighed() const {
        std::vector<scored_term> all;
        for (auto const& leaf : plan_.leaves) all.push_back(leaf.scored);
        return all;
    }

    /// The question, if it asks for nothing but terms that must or should be there.
    [[nodiscard]] std::optional<std::vector<term_search::term>> plain_terms() const {
        std::vector<term_search::term> all;
        auto const add = [&](question_node const& node, bool needed) {
            if (!node.leaf) return false;
            auto const& leaf = plan_.leaves[*node.leaf];
            if (!leaf.places.empty() || leaf.parts.size() > 1) return false;
            if (leaf.parts.empty() || leaf.parts[0].terms == 0) return !needed;
            auto const& term = plan_.terms[leaf.parts[0].first];
            if (leaf.parts[0].terms > 1 || term.sixths != 6) return false;
            all.push_back({term.number, scorer_.scoring(leaf.scored, scale_), needed});
            return true;
        };
        auto const& root = plan_.root;
        bool plain = root.must_not.empty();
        if (root.leaf) plain = add(root, true);
        for (auto const& node : root.must) plain = plain && add(node, true);
        for (auto const& node : root.should) plain = plain && add(node, false);
        return plain ? std::optional(std::move(all)) : std::nullopt;
    }

    /// The phrase, if the question is one that may be found.
    [[nodiscard]] question_leaf const* only_phrase() const {
        if (!plan_.root.leaf) return nullptr;
        auto const& leaf = plan_.leaves[*plan_.root.leaf];
        return leaf.places.empty() || leaf.parts.empty() ? nullptr : &leaf;
    }

    [[nodiscard]] std::optional<document> locate(doc_id id) const {
        auto const at = options_.where.admits(id) ? scorer_.index(0).locate(id) : std::nullopt;
        if (!at) return std::nullopt;
        document found(scorer_, plan_.terms);
        found.enter(at->part);
        found.move_to(at->row);
        return found;
    }

    static void narrow(row_bits& bits, row_bits const& by) {
        for (std::size_t i = 0; i < bits.size(); ++i) bits[i] &= by[i];
    }
    static void widen(row_bits& bits, row_bits const& by) {
        for (std::size_t i = 0; i < bits.size(); ++i) bits[i] |= by[i];
    }

    /// How many rows of the part match at most.
    [[nodiscard]] std::uint64_t most_rows(question_node const& asked, document const& at) const {
        if (asked.leaf) {
            auto const& leaf = plan_.leaves[*asked.leaf];
            std::uint64_t total = 0;
            for (auto const& part : leaf.parts) {
                auto most = at.rows_with(part.first);
                for (auto term = part.first + 1; term < part.first + part.terms; ++term) {
                    auto const rows = at.rows_with(term);
                    most = leaf.places.empty() ? most + rows : (std::min)(most, rows);
                }
                total += most;
            }
            return total;
        }
        std::uint64_t total = 0;
        for (auto const& part : asked.should) total += most_rows(part, at);
        if (!asked.must.empty()) total = most_rows(asked.must[rarest(asked.must, at)], at);
        return total;
    }

    [[nodiscard]] std::size_t rarest(
        std::vector<question_node> const& all, document const& at) const {
        std::vector<std::uint64_t> rows;
        for (auto const& part : all) rows.push_back(most_rows(part, at));
        return static_cast<std::size_t>(std::min_element(rows.begin(), rows.end()) - rows.begin());
    }

    /// Looking up a posting costs as much as reading so many.
    static constexpr std::uint64_t look_up_cost = 32;

    /// Rows, all of which that match among them: what must be there may be left to be looked up.
    [[nodiscard]] row_bits may_match(question_node const& asked, document& at) const {
        if (asked.leaf) return may_match(plan_.leaves[*asked.leaf], at);
        if (!asked.must.empty()) {
            auto const first = rarest(asked.must, at);
            auto bits = may_match(asked.must[first], at);
            auto const worth = look_up_cost * most_rows(asked.must[first], at);
            for (std::size_t i = 0; i < asked.must.size(); ++i) {
                if (i != first && most_rows(asked.must[i], at) <= worth) {
                    narrow(bits, may_match(asked.must[i], at));
                }
            }
            return bits;
        }
        auto bits = at.no_rows();
        for (auto const& part : asked.should) widen(bits, may_match(part, at));
        return bits;
    }

    [[nodiscard]] static row_bits may_match(question_leaf const& leaf, document& at) {
        auto bits = at.no_rows();
        for (auto const& [first, terms] : leaf.parts) {
            if (leaf.places.empty()) {
                for (auto term = first; term < first + terms; ++term) at.mark(term, bits);
                continue;
            }
            auto rarest = first;
            for (auto term = first; term < first + terms; ++term) {
                if (at.rows_with(term) < at.rows_with(rarest)) rarest = term;
            }
            auto all = at.no_rows();
            at.mark(rarest, all);
            for (auto term = first; term < first + terms; ++term) {
                if (term == rarest || at.rows_with(term) > look_up_cost * at.rows_with(rarest))
                    continue;
                auto holds = at.no_rows();
                at.mark(term, holds);
                narrow(all, holds);
            }
            widen(bits, all);
        }
        return bits;
    }

    /// The document's score in steps; nothing if it does not match.
    [[nodiscard]] std::optional<std::int32_t> score(
        question_node const& asked, document& at) const {
        if (asked.leaf) {
            auto const& leaf = plan_.leaves[*asked.leaf];
            if (!count(leaf, at)) return std::nullopt;
            return scorer_.contribution(leaf.scored, at.tf, at.at(), scale_);
        }
        std::int32_t total = 0;
        for (auto const& part : asked.must) {
            auto const sum = score(part, at);
            if (!sum) return std::nullopt;
            total += *sum;
        }
        for (auto const& part : asked.must_not) {
            if (score(part, at)) return std::nullopt;
        }
        bool any = !asked.must.empty();
        for (auto const& part : asked.should) {
            auto const sum = score(part, at);
            if (!sum) continue;
            any = true;
            total += *sum;
        }
        return any ? std::optional(total) : std::nullopt;
    }

    /// A sum of sums of whole steps is exact in double, whatever its order.
    [[nodiscard]] explanation explain(question_node const& asked, document& at) const {
        if (asked.leaf) {
            auto const& leaf = plan_.leaves[*asked.leaf];
            static_cast<void>(count(leaf, at));
            return scorer_.explain(leaf.scored, leaf.label, at.tf, at.at(), scale_);
        }
        std::vector<explanation> parts;
        for (auto const* const among : {&asked.must, &asked.should}) {
            for (auto const& part : *among) {
                if (score(part, at)) parts.push_back(explain(part, at));
            }
        }
        return computed(operation::sum, asked.must.empty() ? "any of" : "all of", std::move(parts));
    }

    /// Makes at.tf how often each field holds the leaf; false if none does.
    [[nodiscard]] bool count(question_leaf const& leaf, document& at) const {
        std::fill(at.tf.begin(), at.tf.end(), 0.0f);
        bool any = false;
        for (auto const& part : leaf.parts) {
            auto const tf = leaf.places.empty() ? occurrences(part, at) : phrases(leaf, part, at);
            at.tf[plan_.terms[part.first].field] = tf;
            any = any || tf > 0;
        }
        return any;
    }

    [[nodiscard]] float occurrences(question_leaf::part const& part, document& at) const {
        auto const sixths = at.sixths(part.first, part.terms);
        return static_cast<float>(rounded(static_cast<double>(sixths) / 6));
    }

    [[nodiscard]] float phrases(
        question_leaf const& leaf, question_leaf::part const& part, document& at) const {
        for (auto term = part.first; term < part.first + part.terms; ++term) {
            if (at.count(term) == 0) return 0;
        }
        at.phrase.clear();
        for (std::size_t i = 0; i < part.terms; ++i) {
            auto const term = part.first + i;
            at.phrase.emplace_back(plan_.numbers[term], leaf.places[i], at.positions(term));
        }
        return phrase_matches(at.phrase).frequency(leaf.slop);
    }

    search_options const& options_;
    Scorer scorer_;
    boolean_plan<Scorer> plan_;
    score_quantizer scale_;
};

} // namespace detail
TRAWL_END_NAMESPACE
