// SPDX-License-Identifier: MIT
#pragma once

/// Answers a lexical_query: which documents match, and what they score.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/core/top_k.hpp>
#include <trawl/lexical/bm25_scorer.hpp>
#include <trawl/lexical/edit_distance.hpp>
#include <trawl/lexical/lexical_query.hpp>
#include <trawl/lexical/word_store.hpp>

namespace trawl::inline v0_1::detail {

template <class Question>
class question_search;

/// Documents that may match are found by the lists of their terms, a bit each; every one of them is then
/// scored by the same code as for score and explain.
template <>
class question_search<lexical_query> {
public:
    using number = index_snapshot::number;
    using location = index_snapshot::location;
    using analyze_ref = function_ref<void(std::string_view, token_sink)>;

    /// Borrows all but the index.
    /// @param positions  whether the index keeps them.
    question_search(inverted_index::reader index, bm25 const& parameters, bool positions, analyze_ref analyze,
        lexical_query const& question, search_options const& options)
        : index_(index),
          options_(options),
          positions_(positions),
          analyze_(analyze),
          scorer_(std::move(index), parameters, {}, options),
          root_(compile(question, 1).value_or(node())),
          scale_(scorer_.bound(weighed())) {}

    [[nodiscard]] ranking search() const {
        top_k best(options_.k);
        if (options_.k == 0) return {};
        for (std::size_t part = 0; part < index_->parts->size(); ++part) {
            auto const& rows = *(*index_->parts)[part].rows;
            document at(*index_, terms_);
            at.enter(part);
            auto const found = may_match(root_, at);
            for (std::size_t group = 0; group < found.size(); ++group) {
                if (group % 64 == 0 && options_.stopped()) return best.take();
                for (auto rest = found[group]; rest != 0; rest &= rest - 1) {
                    auto const row =
                        static_cast<number>(64 * group + static_cast<std::size_t>(std::countr_zero(rest)));
                    if (!(*index_->parts)[part].is_live(row) || !options_.where.admits(rows.id(row)))
                        continue;
                    at.move_to(row);
                    if (auto const sum = score(root_, at)) best.push({rows.id(row), scale_.score(*sum)});
                }
            }
        }
        index_->for_each_in_tail([&](counted_document const& newest, number slot) {
            if (!options_.where.admits(newest.id)) return;
            document at(*index_, terms_);
            at.enter(index_->parts->size());
            at.move_to(slot);
            if (auto const sum = score(root_, at)) best.push({newest.id, scale_.score(*sum)});
        });
        return best.take();
    }

    [[nodiscard]] std::vector<hit> score(std::span<doc_id const> ids) const {
        std::vector<hit> hits;
        for (doc_id const id : ids) {
            auto at = locate(id);
            if (at) hits.push_back({id, scale_.score(score(root_, *at).value_or(0))});
        }
        return hits;
    }

    [[nodiscard]] explanation explain(doc_id id) const {
        auto at = locate(id);
        if (!at || !score(root_, *at)) return {.label = "no match"};
        auto why = explain(root_, *at);
        return {.op = operation::round,
            .label = "question",
            .value = static_cast<double>(static_cast<float>(why.value)),
            .parts = {std::move(why)}};
    }

private:
    static constexpr std::size_t most_expansions = 64;

    /// What scores as one term.
    struct leaf {
        std::size_t first = 0; ///< of its terms, in terms_
        std::size_t terms = 0;
        std::vector<std::uint32_t> sixths = {}; ///< of a pattern: how much an occurrence of each term counts
        std::vector<std::uint32_t> places = {}; ///< of a phrase: where each term stands in it
        std::uint32_t slop = 0;
        std::string label = {};
        bm25_scorer::scored_term scored = {};
    };

    struct node {
        std::optional<std::size_t> leaf = {}; ///< else a combination
        std::vector<node> must = {};
        std::vector<node> should = {};
        std::vector<node> must_not = {};
    };

    using bitmap = std::vector<std::uint64_t>;

    /// The document at hand, and its counts of the question's terms.
    class document {
    public:
        document(index_snapshot const& index, std::span<number const> terms) : index_(index), terms_(terms) {}

        void enter(std::size_t part) {
            part_ = part;
            cursors_.clear();
            if (part == index_.parts->size()) return;
            auto const& lists = (*index_.parts)[part].rows->lists();
            for (auto const term : terms_) {
                auto const* const entry = lists.find(term);
                cursors_.push_back(
                    entry ? std::optional<posting_cursor>(std::in_place, lists, *entry) : std::nullopt);
            }
        }

        void move_to(number row) noexcept { row_ = row; }

        [[nodiscard]] std::uint32_t count(std::size_t term) {
            if (in_tail()) return index_snapshot::count(index_.tail->documents[row_], terms_[term]);
            return cursors_[term] ? cursors_[term]->count_of(row_) : 0;
        }

        [[nodiscard]] std::uint32_t length() const noexcept { return index_.length({part_, row_}); }
        [[nodiscard]] std::size_t rows() const { return (*index_.parts)[part_].rows->rows(); }
        [[nodiscard]] doc_id id() const {
            return in_tail() ? index_.tail->documents[row_].id : (*index_.parts)[part_].rows->id(row_);
        }

        /// Sets the bits of the rows that hold the term.
        void mark(std::size_t term, bitmap& bits) {
            if (!cursors_[term]) return;
            cursors_[term]->for_each_row([&](number row) { bits[row / 64] |= std::uint64_t{1} << row % 64; });
        }

    private:
        [[nodiscard]] bool in_tail() const { return part_ == index_.parts->size(); }

        index_snapshot const& index_;
        std::span<number const> terms_;
        std::size_t part_ = 0;
        number row_ = 0;
        std::vector<std::optional<posting_cursor>> cursors_;
    };

    struct word {
        std::string term;
        std::uint32_t position;
        bool first; ///< of those at its position
    };

    [[nodiscard]] std::vector<word> analyzed(std::string_view text) const {
        std::vector<word> words;
        analyze_(text, [&](token const& t) {
            words.push_back(
                {std::string(t.term), t.position, words.empty() || words.back().position != t.position});
        });
        return words;
    }

    /// Nothing where it asks for nothing.
    [[nodiscard]] std::optional<node> compile(lexical_query const& asked, double outer) {
        if (!is_finite(asked.weight) || asked.weight < 0) {
            fail(is_finite(asked.weight) ? errc::invalid_argument : errc::not_finite,
                join("lexical_query: a weight must be a number >= 0, is ", asked.weight));
        }
        auto const weight = rounded(outer * asked.weight);
        using kind = lexical_query::kind;
        switch (asked.what) {
        case kind::words:
        case kind::every:
            return words(asked, weight);
        case kind::phrase:
            return phrase(asked, weight);
        case kind::prefix:
        case kind::fuzzy:
            return pattern(asked, weight);
        case kind::combination:
            break;
        }
        node made;
        for (auto const& part : asked.must) {
            if (auto below = compile(part, weight)) made.must.push_back(std::move(*below));
        }
        for (auto const& part : asked.should) {
            auto below = compile(part, weight);
            if (below && part.weight > 0) made.should.push_back(std::move(*below));
        }
        for (auto const& part : asked.must_not) {
            if (auto below = compile(part, 0)) made.must_not.push_back(std::move(*below));
        }
        if (made.must.empty() && made.should.empty()) return std::nullopt;
        return made;
    }

    [[nodiscard]] node of(leaf made) {
        leaves_.push_back(std::move(made));
        return {.leaf = leaves_.size() - 1};
    }

    [[nodiscard]] std::optional<node> words(lexical_query const& asked, double weight) {
        node made;
        for (auto const& [term, position, first] : analyzed(asked.text)) {
            auto const needed = first && asked.what == lexical_query::kind::every;
            (needed ? made.must : made.should)
                .push_back(of_terms({term}, {6}, weight, term, join("term '", term, "'")));
        }
        if (made.must.empty() && made.should.empty()) return std::nullopt;
        return made;
    }

    /// A leaf of any of these; those that the index does not know are left out.
    [[nodiscard]] node of_terms(std::vector<std::string> const& any, std::vector<std::uint32_t> const& sixths,
        double weight, std::string const& name, std::string label) {
        leaf made{.first = terms_.size(), .label = std::move(label)};
        for (std::size_t i = 0; i < any.size(); ++i) {
            auto const known = index_->find(any[i]);
            if (!known) continue;
            terms_.push_back(*known);
            made.sixths.push_back(sixths[i]);
        }
        made.terms = terms_.size() - made.first;
        auto const documents = made.terms == 1 ? scorer_.df(terms_.back()) : documents_with(made);
        if (documents > 0) made.scored = scorer_.weigh(name, weight, documents, scorer_.idf_of(documents));
        return of(std::move(made));
    }

    /// How many documents hold any of the leaf's terms.
    [[nodiscard]] std::uint64_t documents_with(leaf const& any) const {
        if (any.terms == 0) return 0;
        std::uint64_t documents = 0;
        auto const counts = [&](doc_id id) { return !scorer_.of_eligible() || options_.where.admits(id); };
        auto const terms = std::span(terms_).subspan(any.first, any.terms);
        for (std::size_t part = 0; part < index_->parts->size(); ++part) {
            document at(*index_, terms);
            at.enter(part);
            bitmap bits((at.rows() + 63) / 64);
            for (std::size_t term = 0; term < terms.size(); ++term) at.mark(term, bits);
            for (number row = 0; row < at.rows(); ++row) {
                if (((bits[row / 64] >> row % 64) & 1u) == 0) continue;
                auto const& rows = (*index_->parts)[part];
                if (rows.is_live(row) && counts(rows.rows->id(row))) ++documents;
            }
        }
        index_->for_each_in_tail([&](counted_document const& newest, number) {
            auto const holds = [&](number term) { return index_snapshot::count(newest, term) > 0; };
            if (counts(newest.id) && std::any_of(terms.begin(), terms.end(), holds)) ++documents;
        });
        return documents;
    }

    [[nodiscard]] std::optional<node> pattern(lexical_query const& asked, double weight) {
        auto const is_prefix = asked.what == lexical_query::kind::prefix;
        if (!is_prefix && (asked.distance < 1 || asked.distance > 2)) {
            fail(errc::invalid_argument,
                join("lexical_query: the edits of a fuzzy word must be 1 or 2, are ", asked.distance));
        }
        auto const words = analyzed(asked.text);
        if (words.empty()) return std::nullopt;
        auto const& wanted = words.front().term;
        struct expansion {
            std::size_t distance;
            std::uint64_t df;
            std::string_view term;
        };
        std::vector<expansion> found;
        edit_distance edits(wanted);
        for (number term = 0; term < index_->terms; ++term) {
            auto const text = index_->dictionary->term(term);
            std::size_t distance = 0;
            if (is_prefix ? !text.starts_with(wanted)
                          : (distance = edits.to(text, asked.distance)) > asked.distance) {
                continue;
            }
            if (auto const df = scorer_.df(term); df > 0) found.push_back({distance, df, text});
        }
        std::sort(found.begin(), found.end(), [](expansion const& a, expansion const& b) {
            if (a.distance != b.distance) return a.distance < b.distance;
            return a.df != b.df ? a.df > b.df : a.term < b.term;
        });
        if (found.size() > most_expansions) found.resize(most_expansions);
        std::vector<std::string> any;
        std::vector<std::uint32_t> sixths;
        for (auto const& e : found) {
            any.emplace_back(e.term);
            sixths.push_back(static_cast<std::uint32_t>(6 / (e.distance + 1)));
        }
        auto const shown = is_prefix ? wanted + "*" : join(wanted, "~", asked.distance);
        return of_terms(any, sixths, weight, shown, join("'", shown, "', ", any.size(), " terms"));
    }

    [[nodiscard]] std::optional<node> phrase(lexical_query const& asked, double weight) {
        auto const words = analyzed(asked.text);
        if (words.empty()) return std::nullopt;
        if (!positions_) {
            fail(errc::invalid_argument,
                join("lexical_query: the phrase \"", asked.text,
                    "\" needs an index that keeps positions: build it with {.positions = true}"));
        }
        leaf made{
            .first = terms_.size(), .slop = asked.distance, .label = join("phrase \"", asked.text, "\"")};
        std::vector<double> idfs;
        for (auto const& [term, position, first] : words) {
            if (!first) continue; // of an identifier the whole
            auto const known = index_->find(term);
            auto const documents = known ? scorer_.df(*known) : 0;
            if (documents == 0) return of({.label = made.label});
            terms_.push_back(*known);
            made.places.push_back(position - words.front().position);
            idfs.push_back(scorer_.idf_of(documents));
        }
        made.terms = made.places.size();
        std::sort(idfs.begin(), idfs.end());
        double idf = 0;
        for (auto const value : idfs) idf = rounded(idf + value);
        made.scored = scorer_.weigh(asked.text, weight, 0, idf);
        return of(std::move(made));
    }

    [[nodiscard]] std::vector<bm25_scorer::scored_term> weighed() const {
        std::vector<bm25_scorer::scored_term> all;
        for (auto const& each : leaves_) all.push_back(each.scored);
        return all;
    }

    [[nodiscard]] std::optional<document> locate(doc_id id) const {
        auto const at = options_.where.admits(id) ? index_->locate(id) : std::nullopt;
        if (!at) return std::nullopt;
        document found(*index_, terms_);
        found.enter(at->part);
        found.move_to(at->row);
        return found;
    }

    /// The rows that match if the order of words and what must not be there are left aside.
    [[nodiscard]] bitmap may_match(node const& asked, document& at) const {
        bitmap bits((at.rows() + 63) / 64);
        auto const narrow = [&](bitmap const& by) {
            for (std::size_t i = 0; i < bits.size(); ++i) bits[i] &= by[i];
        };
        if (asked.leaf) {
            auto const& l = leaves_[*asked.leaf];
            for (std::size_t term = l.first; term < l.first + l.terms; ++term) {
                if (l.places.empty() || term == l.first) {
                    at.mark(term, bits);
                } else {
                    bitmap holds(bits.size());
                    at.mark(term, holds);
                    narrow(holds);
                }
            }
        } else if (!asked.must.empty()) {
            bits = may_match(asked.must[0], at);
            for (std::size_t i = 1; i < asked.must.size(); ++i) narrow(may_match(asked.must[i], at));
        } else {
            for (auto const& part : asked.should) {
                auto const more = may_match(part, at);
                for (std::size_t i = 0; i < bits.size(); ++i) bits[i] |= more[i];
            }
        }
        return bits;
    }

    /// The document's score in steps; nothing if it does not match.
    [[nodiscard]] std::optional<std::int32_t> score(node const& asked, document& at) const {
        if (asked.leaf) {
            auto const& l = leaves_[*asked.leaf];
            auto const tf = frequency(l, at);
            if (tf <= 0) return std::nullopt;
            return scorer_.scoring(l.scored, scale_).contribution(tf, at.length());
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
    [[nodiscard]] explanation explain(node const& asked, document& at) const {
        if (asked.leaf) {
            auto const& l = leaves_[*asked.leaf];
            return scorer_.explain(l.scored, l.label, at.length(), frequency(l, at), scale_);
        }
        explanation why{.op = operation::sum, .label = asked.must.empty() ? "any of" : "all of"};
        for (auto const* const parts : {&asked.must, &asked.should}) {
            for (auto const& part : *parts) {
                if (score(part, at)) why.parts.push_back(explain(part, at));
            }
        }
        why.value = recompute(why);
        return why;
    }

    /// How often the document holds the leaf, 0 if not at all.
    [[nodiscard]] float frequency(leaf const& l, document& at) const {
        if (!l.places.empty()) return phrase_frequency(l, at);
        std::uint64_t sixths = 0;
        for (std::size_t i = 0; i < l.terms; ++i) {
            sixths += std::uint64_t{at.count(l.first + i)} * l.sixths[i];
        }
        return static_cast<float>(rounded(static_cast<double>(sixths) / 6));
    }

    [[nodiscard]] float phrase_frequency(leaf const& l, document& at) const {
        for (std::size_t i = 0; i < l.terms; ++i) {
            if (at.count(l.first + i) == 0) return 0;
        }
        // Of each word: where the phrase would begin if this occurrence were its own.
        std::vector<std::vector<std::int64_t>> begins(l.terms);
        index_->words.for_each(at.id(), [&](placed_word const& w) {
            for (std::size_t i = 0; i < l.terms; ++i) {
                if (terms_[l.first + i] != w.term) continue;
                auto const begin = std::int64_t{w.position} - std::int64_t{l.places[i]};
                if (begins[i].empty() || begins[i].back() != begin) begins[i].push_back(begin);
            }
        });
        std::vector<std::size_t> next(l.terms);
        auto const span_of = [&] {
            auto least = begins[0][next[0]];
            auto most = least;
            for (std::size_t i = 1; i < l.terms; ++i) {
                least = (std::min)(least, begins[i][next[i]]);
                most = (std::max)(most, begins[i][next[i]]);
            }
            return std::pair{least, most};
        };
        double total = 0;
        for (auto [least, most] = span_of();;) {
            bool const apart = all_apart(l, begins, next);
            bool ended = false;
            for (std::size_t i = 0; i < l.terms; ++i) {
                if (begins[i][next[i]] == least && ++next[i] == begins[i].size()) ended = true;
            }
            auto const following = ended ? std::pair{most, most} : span_of();
            // Not the shortest here if one that begins later ends as early.
            bool const shortest = ended || following.second > most;
            if (shortest && apart && most - least <= std::int64_t{l.slop}) {
                total = rounded(total + rounded(1 / rounded(static_cast<double>(most - least + 1))));
            }
            if (ended) return static_cast<float>(total);
            std::tie(least, most) = following;
        }
    }

    /// Whether a word that the phrase has twice stands in two places.
    [[nodiscard]] bool all_apart(leaf const& l, std::vector<std::vector<std::int64_t>> const& begins,
        std::vector<std::size_t> const& next) const {
        auto const place = [&](std::size_t i) { return begins[i][next[i]] + std::int64_t{l.places[i]}; };
        for (std::size_t i = 0; i < l.terms; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (terms_[l.first + i] == terms_[l.first + j] && place(i) == place(j)) return false;
            }
        }
        return true;
    }

    inverted_index::reader index_;
    search_options const& options_;
    bool positions_;
    analyze_ref analyze_;
    bm25_scorer scorer_;
    std::vector<number> terms_;
    std::vector<leaf> leaves_;
    node root_;
    score_scale scale_;
};

} // namespace trawl::inline v0_1::detail
