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
#include <string>
#include <utility>
#include <vector>

#include <trawl/core/doc_set.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/top_k.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/lexical/detail/scoring/bm25_scorer.hpp>
#include <trawl/lexical/detail/scoring/score_quantizer.hpp>
#include <trawl/lexical/detail/search/boolean_plan.hpp>
#include <trawl/lexical/detail/search/phrase_matches.hpp>
#include <trawl/lexical/detail/search/phrase_search.hpp>
#include <trawl/lexical/detail/search/term_search.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Searches for a lexical_query. A query of nothing but terms is left to term_search or, in an index
/// of fields and where none is required, to field_search; a single phrase in one field to
/// phrase_search. Otherwise the posting lists give a bit for each row that may match. With required
/// children, these are the rows of the rarest of them, narrowed by the others; a required child so
/// frequent that looking rows up in it is cheaper is not read. Without, they are the rows of any
/// optional child. Each candidate is then scored by the code that score and explain use, so nothing
/// is pruned. Of a node with many optional terms and patterns, these are added up for 4096 rows at a
/// time, list by list, instead of being looked up in each candidate.
/// @par Complexity O(postings of the terms + candidates * other leaves) time; O(rows / 8) bytes for
/// each level of the query, 32 KB for each pattern of more than 4 terms that is not added up, 16 KB
/// for each node with many optional leaves.
template <class Scorer>
class boolean_query {
public:
    using document = boolean_document<Scorer>;

    /// Borrows all but the scorer, which knows the index.
    /// @param index  see plan_index.
    /// @param may_stop  whether options.stop is heeded while the plan is made.
    boolean_query(Scorer scorer, plan_index index, lexical_query const& asked,
        search_options const& options, bool may_stop)
        : options_(options),
          scorer_(std::move(scorer)),
          plan_(scorer_, index, asked, [&] { return may_stop && options.stopped(); }),
          quantizer_(scorer_.weights().bound(weighed())) {
        find_tables(plan_.root);
    }
    boolean_query(boolean_query const&) = delete;
    boolean_query& operator=(boolean_query const&) = delete;
    ~boolean_query() = default;

    [[nodiscard]] ranking search() const {
        if (options_.k == 0 || !plan_.asks) return {};
        if constexpr (std::same_as<Scorer, bm25_scorer>) {
            if (auto const terms = plain_terms()) {
                return term_search(scorer_.index(0), *terms, quantizer_, options_).best();
            }
            if (auto const* const leaf = only_phrase()) {
                return phrase_search(scorer_.index(0), plan_.ids_of(leaf->groups[0]), leaf->places,
                    leaf->slop, scorer_.scoring(leaf->scored, quantizer_), quantizer_, options_)
                    .best();
            }
        } else if constexpr (requires { typename Scorer::plain_term; }) {
            if (auto const terms = plain_field_terms()) return scorer_.search(*terms, quantizer_);
        }
        top_k best(options_.k);
        for_each_match([&](doc_id id, std::int32_t sum) {
            best.push({id, quantizer_.score(sum)});
        });
        return best.take();
    }

    /// All documents that match; nothing if the query asks for nothing.
    [[nodiscard]] std::optional<doc_set> matching() const {
        if (!plan_.asks) return std::nullopt;
        doc_set found(scorer_.index(0).next_id);
        for_each_match([&](doc_id id, std::int32_t) { found.insert(id); }, only_words(plan_.root));
        return found;
    }

    [[nodiscard]] std::vector<hit> score(std::span<doc_id const> ids) const {
        std::vector<hit> hits;
        for (doc_id const id : ids) {
            auto at = locate(id);
            if (at) hits.push_back({id, quantizer_.score(score(plan_.root, *at).value_or(0))});
        }
        return hits;
    }

    /// What the plan leaves out or replaces, for people to read.
    [[nodiscard]] std::vector<std::string> const& notes() const noexcept { return plan_.notes; }

    [[nodiscard]] explanation explain(doc_id id) const {
        auto at = locate(id);
        if (!at || !score(plan_.root, *at)) return no_match("no match");
        return computed(operation::round, "query", {explain(plan_.root, *at)});
    }

private:
    /// Up to this many terms of a pattern are looked up in each candidate; more are added up first.
    static constexpr std::size_t few_terms = 4;

    /// Up to this many optional leaves of a node are counted in each candidate. Of more, most are
    /// not in it: their postings are read instead.
    static constexpr std::size_t few_leaves = 8;

    /// The optional children of a node with many leaves among them.
    struct node_table {
        std::vector<std::size_t> leaves = {}; ///< that are no phrases
        std::vector<std::size_t> others = {}; ///< the other children
    };

    void find_tables(query_node& node) {
        for (auto* const children : {&node.must, &node.should, &node.must_not}) {
            for (auto& child : *children) find_tables(child);
        }
        if (node.should.size() <= few_leaves) return;
        node_table made;
        for (std::size_t i = 0; i < node.should.size(); ++i) {
            auto const leaf = node.should[i].leaf;
            if (leaf && plan_.leaves[*leaf].places.empty()) {
                made.leaves.push_back(*leaf);
            } else {
                made.others.push_back(i);
            }
        }
        if (made.leaves.size() <= few_leaves) return;
        node.table = tables_.size();
        tables_.push_back(std::move(made));
        in_table_.resize(plan_.leaves.size());
        for (auto const leaf : tables_.back().leaves) in_table_[leaf] = 1;
    }

    void fill_tables(document& at) const {
        at.tables.resize(tables_.size());
        for (std::size_t i = 0; i < tables_.size(); ++i) {
            auto& table = at.tables[i];
            table.sums.assign(window_rows, 0);
            table.matched.assign(window_rows / 64, 0);
            for (auto const number : tables_[i].leaves) {
                auto const& leaf = plan_.leaves[number];
                at.add_up_leaf(leaf.groups, [&](std::uint32_t row) {
                    at.move_to(row);
                    auto const place = at.row_in_window();
                    table.matched[place / 64] |= std::uint64_t{1} << place % 64;
                    table.sums[place] +=
                        scorer_.contribution(leaf.scored, at.tf, at.at(), quantizer_);
                });
            }
        }
    }

    /// Calls visit(id, sum of contributions) for each document that matches and may be returned.
    /// @param unscored  all rows that may match do, and the sum may be anything.
    template <class Visit>
    void for_each_match(Visit&& visit, bool unscored = false) const {
        document at(scorer_, plan_.terms);
        for_each_large_group([&](query_leaf::group const& group, bool) {
            at.drop_cursors(group.first, group.terms);
        });
        auto const& index = scorer_.index(0);
        for (std::size_t p = 0; p < index.segments->size(); ++p) {
            if (options_.stopped()) return;
            auto const& segment = (*index.segments)[p];
            at.enter(p);
            auto const found = may_match(plan_.root, at);
            constexpr std::size_t groups = window_rows / 64;
            for (std::size_t group = 0; group < found.size(); ++group) {
                if (group % groups == 0) {
                    if (options_.stopped()) return;
                    auto const window =
                        std::span(found).subspan(group, (std::min)(groups, found.size() - group));
                    if (std::all_of(window.begin(), window.end(),
                            [](std::uint64_t bits) { return bits == 0; })) {
                        group += groups - 1;
                        continue;
                    }
                    if (!unscored) {
                        at.enter_window(static_cast<std::uint32_t>(64 * group));
                        fill_tables(at);
                        for_each_large_group([&](query_leaf::group const& g, bool in_table) {
                            if (!in_table) at.add_up(g.first, g.terms);
                        });
                    }
                }
                for (auto rest = found[group]; rest != 0; rest &= rest - 1) {
                    auto const row = static_cast<std::uint32_t>(
                        64 * group + static_cast<std::size_t>(std::countr_zero(rest)));
                    auto const id = segment.rows->id(row);
                    if (!segment.is_live(row) || !options_.where.admits(id)) continue;
                    if (unscored) {
                        visit(id, 0);
                        continue;
                    }
                    at.move_to(row);
                    if (auto const sum = score(plan_.root, at)) visit(id, *sum);
                }
            }
        }
        at.enter(index.segments->size());
        index.for_each_in_tail([&](counted_document const& newest, std::uint32_t slot) {
            if (!options_.where.admits(newest.id)) return;
            at.move_to(slot);
            if (auto const sum = score(plan_.root, at)) visit(newest.id, *sum);
        });
    }

    template <class Visit>
    void for_each_large_group(Visit&& visit) const {
        for (std::size_t i = 0; i < plan_.leaves.size(); ++i) {
            auto const& leaf = plan_.leaves[i];
            if (!leaf.places.empty()) continue;
            for (auto const& group : leaf.groups) {
                if (group.terms > few_terms || is_in_table(i)) visit(group, is_in_table(i));
            }
        }
    }

    [[nodiscard]] bool is_in_table(std::size_t leaf) const noexcept {
        return !in_table_.empty() && in_table_[leaf] != 0;
    }

    [[nodiscard]] buffer<scored_term> weighed() const {
        buffer<scored_term> all;
        for (auto const& leaf : plan_.leaves) all.push_back(leaf.scored);
        return all;
    }

    /// The query's terms, if it asks for nothing but terms that must or should be there.
    [[nodiscard]] std::optional<buffer<term_search::term>> plain_terms() const {
        buffer<term_search::term> all;
        auto const add = [&](query_node const& node, bool needed) {
            if (!node.leaf) return false;
            auto const& leaf = plan_.leaves[*node.leaf];
            if (!leaf.places.empty() || leaf.groups.size() > 1) return false;
            if (leaf.groups.empty() || leaf.groups[0].terms == 0) return !needed;
            auto const& term = plan_.terms[leaf.groups[0].first];
            if (leaf.groups[0].terms > 1 || term.sixths != 6) return false;
            all.push_back({term.id, scorer_.scoring(leaf.scored, quantizer_), needed});
            return true;
        };
        auto const& root = plan_.root;
        bool plain = root.must_not.empty();
        if (root.leaf) plain = add(root, true);
        for (auto const& node : root.must) plain = plain && add(node, true);
        for (auto const& node : root.should) plain = plain && add(node, false);
        return plain ? std::optional(std::move(all)) : std::nullopt;
    }

    /// Of an index of fields: the query's words, if it asks for nothing but words that should be
    /// there.
    [[nodiscard]] auto plain_field_terms() const {
        using plain_term = typename Scorer::plain_term;
        std::vector<plain_term> all;
        auto const add = [&](auto const& self, query_node const& node) -> bool {
            if (!node.leaf) {
                auto plain = node.must.empty() && node.must_not.empty();
                for (auto const& child : node.should) plain = plain && self(self, child);
                return plain;
            }
            auto const& leaf = plan_.leaves[*node.leaf];
            if (!leaf.places.empty()) return false;
            plain_term made{std::vector<term_id>(scorer_.fields(), no_term), &leaf.scored};
            for (auto const& group : leaf.groups) {
                auto const& term = plan_.terms[group.first];
                if (group.terms > 1 || term.sixths != 6) return false;
                made.ids[term.field] = term.id;
            }
            if (!leaf.groups.empty()) all.push_back(std::move(made));
            return true;
        };
        return add(add, plan_.root) ? std::optional(std::move(all)) : std::nullopt;
    }

    /// Whether a node asks for nothing but words, any of which suffices: then every row that may match
    /// does.
    [[nodiscard]] bool only_words(query_node const& node) const {
        if (!node.leaf) {
            return node.must.empty() && node.must_not.empty()
                   && std::all_of(node.should.begin(), node.should.end(),
                       [&](query_node const& child) { return only_words(child); });
        }
        auto const& leaf = plan_.leaves[*node.leaf];
        if (!leaf.places.empty()) return false;
        for (auto const& group : leaf.groups) {
            for (auto term = group.first; term < group.first + group.terms; ++term) {
                if (plan_.terms[term].sixths <= 0) return false;
            }
        }
        return true;
    }

    /// The phrase, if the query is a single one that may occur.
    [[nodiscard]] query_leaf const* only_phrase() const {
        if (!plan_.root.leaf) return nullptr;
        auto const& leaf = plan_.leaves[*plan_.root.leaf];
        return leaf.places.empty() || leaf.groups.size() != 1 ? nullptr : &leaf;
    }

    [[nodiscard]] std::optional<document> locate(doc_id id) const {
        auto const at = options_.where.admits(id) ? scorer_.index(0).locate(id) : std::nullopt;
        if (!at) return std::nullopt;
        document found(scorer_, plan_.terms);
        for_each_large_group(
            [&](query_leaf::group const& g, bool) { found.drop_cursors(g.first, g.terms); });
        found.enter(at->segment);
        found.move_to(at->row);
        return found;
    }

    static void narrow(row_bits& bits, row_bits const& by) {
        for (std::size_t i = 0; i < bits.size(); ++i) bits[i] &= by[i];
    }
    static void widen(row_bits& bits, row_bits const& by) {
        for (std::size_t i = 0; i < bits.size(); ++i) bits[i] |= by[i];
    }

    /// An upper bound of the rows of the segment that match.
    [[nodiscard]] std::uint64_t max_rows(query_node const& asked, document const& at) const {
        std::uint64_t total = 0;
        if (asked.leaf) {
            auto const& leaf = plan_.leaves[*asked.leaf];
            for (auto const& group : leaf.groups) {
                auto rows_at_most = at.rows_with(group.first);
                for (auto term = group.first + 1; term < group.first + group.terms; ++term) {
                    auto const rows = at.rows_with(term);
                    rows_at_most =
                        leaf.places.empty() ? rows_at_most + rows : (std::min)(rows_at_most, rows);
                }
                total += rows_at_most;
            }
            return total;
        }
        if (!asked.must.empty()) return rarest(asked.must, at).rows;
        for (auto const& child : asked.should) total += max_rows(child, at);
        return total;
    }

    struct bounded_child {
        std::size_t child;
        std::uint64_t rows;
    };

    /// The first of the children that fewest rows match.
    [[nodiscard]] bounded_child rarest(
        std::vector<query_node> const& children, document const& at) const {
        bounded_child best{0, max_rows(children[0], at)};
        for (std::size_t i = 1; i < children.size(); ++i) {
            if (auto const rows = max_rows(children[i], at); rows < best.rows) best = {i, rows};
        }
        return best;
    }

    /// Looking up a posting costs as much as reading this many.
    static constexpr std::uint64_t look_up_cost = 32;

    /// A superset of the rows that match: frequent required terms are left to be looked up.
    [[nodiscard]] row_bits may_match(query_node const& asked, document& at) const {
        if (asked.leaf) return may_match(plan_.leaves[*asked.leaf], at);
        if (!asked.must.empty()) {
            auto const [first, rows] = rarest(asked.must, at);
            auto bits = may_match(asked.must[first], at);
            auto const worth = look_up_cost * rows;
            for (std::size_t i = 0; i < asked.must.size(); ++i) {
                if (i != first && max_rows(asked.must[i], at) <= worth) {
                    narrow(bits, may_match(asked.must[i], at));
                }
            }
            return bits;
        }
        auto bits = at.no_rows();
        for (auto const& child : asked.should) widen(bits, may_match(child, at));
        return bits;
    }

    [[nodiscard]] static row_bits may_match(query_leaf const& leaf, document& at) {
        auto bits = at.no_rows();
        for (auto const& [first, terms] : leaf.groups) {
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
    [[nodiscard]] std::optional<std::int32_t> score(query_node const& asked, document& at) const {
        if (asked.leaf) {
            auto const& leaf = plan_.leaves[*asked.leaf];
            if (!count(leaf, at)) return std::nullopt;
            return scorer_.contribution(leaf.scored, at.tf, at.at(), quantizer_);
        }
        std::int32_t total = 0;
        for (auto const& child : asked.must) {
            auto const sum = score(child, at);
            if (!sum) return std::nullopt;
            total += *sum;
        }
        for (auto const& child : asked.must_not) {
            if (score(child, at)) return std::nullopt;
        }
        bool any = !asked.must.empty();
        auto const add = [&](query_node const& child) {
            auto const sum = score(child, at);
            if (!sum) return;
            any = true;
            total += *sum;
        };
        if (asked.table && !at.tables.empty()) {
            auto const& table = at.tables[*asked.table];
            auto const place = at.row_in_window();
            if ((table.matched[place / 64] >> place % 64 & 1u) != 0) {
                any = true;
                total += table.sums[place];
            }
            for (auto const child : tables_[*asked.table].others) add(asked.should[child]);
        } else {
            for (auto const& child : asked.should) add(child);
        }
        return any ? std::optional(total) : std::nullopt;
    }

    /// A sum of sums of whole steps is exact in double, whatever its order.
    [[nodiscard]] explanation explain(query_node const& asked, document& at) const {
        if (asked.leaf) {
            auto const& leaf = plan_.leaves[*asked.leaf];
            static_cast<void>(count(leaf, at));
            return scorer_.explain(leaf.scored, plan_.name_of(leaf), at.tf, at.at(), quantizer_);
        }
        std::vector<explanation> children;
        for (auto const* const among : {&asked.must, &asked.should}) {
            for (auto const& child : *among) {
                if (score(child, at)) children.push_back(explain(child, at));
            }
        }
        return computed(
            operation::sum, asked.must.empty() ? "any of" : "all of", std::move(children));
    }

    /// Sets at.tf to the leaf's tf in each field; false if it is 0 in all.
    [[nodiscard]] bool count(query_leaf const& leaf, document& at) const {
        std::fill(at.tf.begin(), at.tf.end(), 0.0f);
        bool any = false;
        for (auto const& group : leaf.groups) {
            auto& tf = at.tf[plan_.terms[group.first].field];
            tf = leaf.places.empty() ? occurrences(group, at) : tf + phrases(leaf, group, at);
        }
        for (auto const tf : at.tf) any = any || tf > 0;
        return any;
    }

    [[nodiscard]] float occurrences(query_leaf::group const& group, document& at) const {
        return document::tf_of(at.sixths(group.first, group.terms));
    }

    /// How often the phrase occurs; negative for a group that takes back what another one counts
    /// too often (query_term::sixths).
    [[nodiscard]] float phrases(
        query_leaf const& leaf, query_leaf::group const& group, document& at) const {
        auto const last = group.first + group.terms - 1;
        for (auto term = group.first; term <= last; ++term) {
            if (at.count(term) == 0) return 0;
        }
        at.phrase.clear();
        for (std::size_t i = 0; i < group.terms; ++i) {
            auto const term = group.first + i;
            at.phrase.emplace_back(plan_.ids[term], leaf.places[i], at.positions(term));
        }
        auto const frequency = phrase_matches(at.phrase).frequency(leaf.slop);
        return plan_.terms[last].sixths < 0 ? -frequency : frequency;
    }

    search_options const& options_;
    Scorer scorer_;
    boolean_plan<Scorer> plan_;
    score_quantizer quantizer_;
    std::vector<node_table> tables_;
    buffer<char> in_table_; ///< by leaf; empty: none is
};

} // namespace detail
TRAWL_END_NAMESPACE
