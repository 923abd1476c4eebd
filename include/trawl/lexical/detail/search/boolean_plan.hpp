// SPDX-License-Identifier: MIT
#pragma once

/// A lexical_query in the terms of an index: a tree whose leaves score as one term each.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/lexical/bm25.hpp>
#include <trawl/lexical/detail/lexical_engine.hpp>
#include <trawl/lexical/detail/scoring/term_weights.hpp>
#include <trawl/lexical/detail/search/boolean_document.hpp>
#include <trawl/lexical/detail/search/edit_distance.hpp>
#include <trawl/lexical/lexical_query.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// What scores as one term.
struct question_leaf {
    /// Some of the plan's terms, all of one field.
    struct part {
        std::size_t first = 0;
        std::size_t terms = 0;
    };

    std::vector<part> parts = {};           ///< by field, ascending
    std::vector<std::uint32_t> places = {}; ///< of a phrase: where each term of a part stands in it
    std::uint32_t slop = 0;
    std::string label = {};
    scored_term scored = {};
};

struct question_node {
    std::optional<std::size_t> leaf = {}; ///< else a combination
    std::vector<question_node> must = {};
    std::vector<question_node> should = {};
    std::vector<question_node> must_not = {};
};

/// What a plan needs to know of an index besides its terms.
struct question_index {
    std::span<bm25_field const> fields = {}; ///< none: an index without fields
    bool positions = false;
    analyze_ref analyze;
};

/// @tparam Scorer  bm25_scorer, field_scorer.
template <class Scorer>
class boolean_plan {
public:
    using number = index_snapshot::number;

    /// Borrows all.
    boolean_plan(Scorer const& scorer, question_index index, lexical_query const& asked)
        : scorer_(scorer), index_(index) {
        check_depth(asked);
        if (auto made = compile(asked, 1, {})) root = std::move(*made);
    }

    question_node root = {};
    std::vector<question_leaf> leaves = {};
    std::vector<question_term> terms = {};
    std::vector<number> numbers = {}; ///< of the terms

    [[nodiscard]] std::span<number const> numbers_of(
        question_leaf::part const& part) const noexcept {
        return std::span(numbers).subspan(part.first, part.terms);
    }

private:
    static constexpr std::size_t most_expansions = 64;

    struct word {
        std::string term;
        std::uint32_t position;
        bool first; ///< of those at its position
    };

    [[nodiscard]] std::vector<word> analyzed(std::string_view text) const {
        std::vector<word> words;
        index_.analyze(text, [&](token const& t) {
            words.push_back({std::string(t.term), t.position,
                words.empty() || words.back().position != t.position});
        });
        return words;
    }

    /// Nothing where it asks for nothing.
    /// @param field  the one that is asked; none: all.
    [[nodiscard]] std::optional<question_node> compile(
        lexical_query const& asked, double outer, std::optional<std::size_t> field) {
        if (!is_finite(asked.weight) || asked.weight < 0) {
            fail(is_finite(asked.weight) ? errc::invalid_argument : errc::not_finite,
                join("lexical_query: a weight must be a number >= 0, is ", asked.weight));
        }
        auto const weight = rounded(outer * asked.weight);
        if (!asked.field.empty()) field = field_named(asked.field);
        using kind = lexical_query::kind;
        switch (asked.what) {
        case kind::words:
        case kind::every:
            return words(asked, weight, field);
        case kind::phrase:
            return phrase(asked, weight, field);
        case kind::prefix:
        case kind::fuzzy:
            return pattern(asked, weight, field);
        case kind::combination:
            break;
        }
        question_node made;
        for (auto const& part : asked.must) {
            if (auto below = compile(part, weight, field)) made.must.push_back(std::move(*below));
        }
        for (auto const& part : asked.should) {
            auto below = compile(part, weight, field);
            if (below && part.weight > 0) made.should.push_back(std::move(*below));
        }
        for (auto const& part : asked.must_not) {
            if (auto below = compile(part, 0, field)) made.must_not.push_back(std::move(*below));
        }
        if (made.must.empty() && made.should.empty()) return std::nullopt;
        return made;
    }

    [[nodiscard]] std::size_t field_named(std::string_view name) const {
        std::string all;
        for (std::size_t i = 0; i < index_.fields.size(); ++i) {
            if (index_.fields[i].name == name) return i;
            all += join(i == 0 ? "; there are " : ", ", index_.fields[i].name);
        }
        fail(errc::invalid_argument, join("lexical_query: there is no field '", name, "'", all));
    }

    /// A term's number in each field that is asked; no_number where it is not known or not asked.
    [[nodiscard]] std::vector<number> numbers_in(
        std::string_view term, std::optional<std::size_t> only) const {
        std::vector<number> in(scorer_.fields(), no_number);
        for (std::size_t field = 0; field < in.size(); ++field) {
            if (!only || *only == field)
                in[field] = scorer_.index(field).find(term).value_or(no_number);
        }
        return in;
    }

    void push(question_term const& term) {
        terms.push_back(term);
        numbers.push_back(term.number);
    }

    [[nodiscard]] std::string in_field(
        std::string const& label, std::optional<std::size_t> only) const {
        return only ? join(label, " in ", index_.fields[*only].name) : label;
    }

    [[nodiscard]] question_node of(question_leaf made) {
        leaves.push_back(std::move(made));
        return {.leaf = leaves.size() - 1};
    }

    [[nodiscard]] std::optional<question_node> words(
        lexical_query const& asked, double weight, std::optional<std::size_t> field) {
        question_node made;
        for (auto const& [term, position, first] : analyzed(asked.text)) {
            auto const needed = first && asked.what == lexical_query::kind::every;
            std::vector<expansion> const alone{{0, 0, term, numbers_in(term, field)}};
            (needed ? made.must : made.should)
                .push_back(any_of(alone, weight, term, in_field(join("term '", term, "'"), field)));
        }
        if (made.must.empty() && made.should.empty()) return std::nullopt;
        return made;
    }

    /// A term that a pattern stands for.
    struct expansion {
        std::size_t distance;
        std::uint64_t df;
        std::string_view term;
        std::vector<number> numbers; ///< in each field
    };

    /// A leaf of any of these.
    [[nodiscard]] question_node any_of(std::span<expansion const> found, double weight,
        std::string const& name, std::string label) {
        question_leaf made{.label = std::move(label)};
        for (std::size_t field = 0; field < scorer_.fields(); ++field) {
            auto const first = terms.size();
            for (auto const& e : found) {
                if (e.numbers[field] == no_number) continue;
                push({field, e.numbers[field], static_cast<std::uint32_t>(6 / (e.distance + 1))});
            }
            if (terms.size() > first) made.parts.push_back({first, terms.size() - first});
        }
        auto const documents =
            found.size() == 1 ? scorer_.df(found[0].numbers) : documents_with(made);
        if (documents > 0) {
            made.scored =
                scorer_.weights().weigh(name, weight, documents, scorer_.idf_of(documents));
        }
        return of(std::move(made));
    }

    /// How many documents hold any of the leaf's terms.
    [[nodiscard]] std::uint64_t documents_with(question_leaf const& any) const {
        if (any.parts.empty()) return 0;
        auto const first = any.parts.front().first;
        auto const wanted = std::span(terms).subspan(first, terms.size() - first);
        std::uint64_t documents = 0;
        boolean_document at(scorer_, wanted);
        auto const& index = scorer_.index(0);
        for (std::size_t part = 0; part < index.parts->size(); ++part) {
            at.enter(part);
            auto bits = at.no_rows();
            for (std::size_t term = 0; term < wanted.size(); ++term) at.mark(term, bits);
            auto const& rows = (*index.parts)[part];
            for (std::size_t group = 0; group < bits.size(); ++group) {
                for (auto rest = bits[group]; rest != 0; rest &= rest - 1) {
                    auto const row = static_cast<number>(
                        64 * group + static_cast<std::size_t>(std::countr_zero(rest)));
                    if (rows.is_live(row) && scorer_.counts(rows.rows->id(row))) ++documents;
                }
            }
        }
        at.enter(index.parts->size());
        index.for_each_in_tail([&](counted_document const& newest, number slot) {
            at.move_to(slot);
            bool holds = false;
            for (std::size_t term = 0; term < wanted.size() && !holds; ++term)
                holds = at.count(term) > 0;
            if (holds && scorer_.counts(newest.id)) ++documents;
        });
        return documents;
    }

    [[nodiscard]] std::optional<question_node> pattern(
        lexical_query const& asked, double weight, std::optional<std::size_t> field) {
        auto const is_prefix = asked.what == lexical_query::kind::prefix;
        if (!is_prefix && (asked.distance < 1 || asked.distance > 2)) {
            fail(errc::invalid_argument,
                join("lexical_query: the edits of a fuzzy word must be 1 or 2, are ",
                    asked.distance));
        }
        auto const words = analyzed(asked.text);
        if (words.empty()) return std::nullopt;
        auto const& wanted = words.front().term;
        auto found =
            is_prefix ? expanded(field,
                [&](std::string_view term) {
                    return term.starts_with(wanted) ? std::optional(std::size_t{0}) : std::nullopt;
                })
                      : expanded(
                          field, [&, edits = edit_distance(wanted)](std::string_view term) mutable {
                              auto const distance = edits.to(term, asked.distance);
                              return distance <= asked.distance ? std::optional(distance)
                                                                : std::nullopt;
                          });
        std::sort(found.begin(), found.end(), [](expansion const& a, expansion const& b) {
            if (a.distance != b.distance) return a.distance < b.distance;
            return a.df != b.df ? a.df > b.df : a.term < b.term;
        });
        if (found.size() > most_expansions) found.resize(most_expansions);
        auto const shown = is_prefix ? wanted + "*" : join(wanted, "~", asked.distance);
        return any_of(
            found, weight, shown, in_field(join("'", shown, "', ", found.size(), " terms"), field));
    }

    /// The terms that documents hold and for which distance_of gives a distance, each once.
    template <class DistanceOf>
    [[nodiscard]] std::vector<expansion> expanded(
        std::optional<std::size_t> only, DistanceOf&& distance_of) const {
        std::vector<expansion> found;
        for (std::size_t field = 0; field < scorer_.fields(); ++field) {
            if (only && *only != field) continue;
            auto const& index = scorer_.index(field);
            for (number n = 0; n < index.terms; ++n) {
                auto const term = index.dictionary->term(n);
                auto const distance = distance_of(term);
                if (!distance) continue;
                auto in = numbers_in(term, only);
                auto const first = std::find_if(
                    in.begin(), in.end(), [](number known) { return known != no_number; });
                if (static_cast<std::size_t>(first - in.begin()) != field) continue; // met before
                if (auto const df = scorer_.df(in); df > 0) {
                    found.push_back({*distance, df, term, std::move(in)});
                }
            }
        }
        return found;
    }

    [[nodiscard]] std::optional<question_node> phrase(
        lexical_query const& asked, double weight, std::optional<std::size_t> field) {
        auto words = analyzed(asked.text);
        if (words.empty()) return std::nullopt;
        if (!index_.positions) {
            fail(errc::invalid_argument,
                join("lexical_query: the phrase \"", asked.text,
                    "\" needs an index that keeps positions: build it with {.positions = true}"));
        }
        std::erase_if(words, [](word const& w) { return !w.first; }); // of an identifier the whole
        question_leaf made{
            .slop = asked.distance, .label = in_field(join("phrase \"", asked.text, "\""), field)};
        std::vector<std::vector<number>> in;
        std::vector<double> idfs;
        for (auto const& [term, position, first] : words) {
            in.push_back(numbers_in(term, field));
            auto const documents = scorer_.df(in.back());
            if (documents == 0) return of({.label = std::move(made.label)});
            idfs.push_back(scorer_.idf_of(documents));
            made.places.push_back(position - words.front().position);
        }
        for (std::size_t at = 0; at < scorer_.fields(); ++at) { // all of it in one field
            auto const knows = [&](std::vector<number> const& known) {
                return known[at] != no_number;
            };
            if (!std::all_of(in.begin(), in.end(), knows)) continue;
            made.parts.push_back({terms.size(), in.size()});
            for (auto const& known : in) push({at, known[at]});
        }
        std::sort(idfs.begin(), idfs.end());
        double idf = 0;
        for (auto const value : idfs) idf = rounded(idf + value);
        made.scored = scorer_.weights().weigh(asked.text, weight, 0, idf);
        return of(std::move(made));
    }

    Scorer const& scorer_;
    question_index index_;
};

} // namespace detail
TRAWL_END_NAMESPACE
