// SPDX-License-Identifier: MIT
#pragma once

/// Compiles a lexical_query for an index: words, phrases and patterns become leaves
/// (plan_leaves.hpp), combinations nodes.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/detail/buffer.hpp>
#include <trawl/error.hpp>
#include <trawl/lexical/bm25.hpp>
#include <trawl/lexical/detail/query_words.hpp>
#include <trawl/lexical/detail/scoring/term_weights.hpp>
#include <trawl/lexical/detail/search/pattern_terms.hpp>
#include <trawl/lexical/detail/search/plan_leaves.hpp>
#include <trawl/lexical/detail/search/query_tree.hpp>
#include <trawl/lexical/lexical_query.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// What a plan needs to know of an index besides its terms.
struct plan_index {
    std::span<bm25_field const> fields = {}; ///< empty: an index without fields
    bool positions = false;
    bool surfaces = false;
    analyzer_ref analyze;
};

/// A lexical_query as a tree of nodes whose leaves are those of the base.
/// @tparam Scorer  bm25_scorer or field_scorer.
template <class Scorer>
class boolean_plan : public plan_leaves<Scorer> {
    using base = plan_leaves<Scorer>;

public:
    using base::ids;
    using base::terms;

    /// Borrows its arguments.
    /// @param stopped  asked now and then; once it is true, the plan is left incomplete.
    template <class Stopped>
    boolean_plan(
        Scorer const& scorer, plan_index index, lexical_query const& asked, Stopped const& stopped)
        : base(scorer), index_(index) {
        check_depth(asked);
        pattern_terms<Scorer> patterns(scorer);
        collect(asked, {}, true, patterns);
        expansions_ = patterns.match(stopped);
        if (stopped()) return;
        if (auto made = compile(asked, 1, {})) {
            root = std::move(*made);
            asks = true;
        }
    }

    /// What a leaf is called in an explanation. Made there, for a search needs no names.
    [[nodiscard]] std::string name_of(query_leaf const& leaf) const {
        auto name = leaf.is_term ? join("term '", leaf.label, "'") : leaf.label;
        return leaf.field ? join(name, " in ", index_.fields[*leaf.field].name) : name;
    }

    query_node root = {};
    bool asks = false; ///< false: the query asks for nothing, or the plan is incomplete
    std::vector<std::string> notes = {}; ///< what was left out or replaced

private:
    using base::add;
    using base::any_of;
    using base::documents_with;
    using base::ids_in;
    using base::leaf_of;
    using base::push;
    using base::scorer_;
    using base::sum_of;
    using typename base::field_ref;
    using kind = lexical_query::kind;

    // --- patterns -------------------------------------------------------------------------------

    /// Collects the patterns of a query in the order in which compile() meets them.
    /// @param limited  whether documents may match without what is compiled here.
    void collect(lexical_query const& asked, field_ref field, bool limited,
        pattern_terms<Scorer>& patterns) const {
        if (!asked.field.empty()) field = field_named(asked.field);
        if (asked.what == kind::combination) {
            for (auto const& child : asked.must) collect(child, field, false, patterns);
            for (auto const& child : asked.should)
                collect(child, field, limited || !asked.must.empty(), patterns);
            for (auto const& child : asked.must_not) collect(child, field, false, patterns);
            return;
        }
        if (asked.what != kind::prefix && asked.what != kind::fuzzy) return;
        auto const words = pattern_words(asked);
        if (words.empty()) return;
        auto const is_prefix = asked.what == kind::prefix;
        patterns.add({pattern_text(asked, words), is_prefix ? 0 : asked.distance, field, limited});
    }

    /// The words of a pattern, the last of which is the pattern itself. A fuzzy word has one.
    [[nodiscard]] std::vector<query_word> pattern_words(lexical_query const& asked) const {
        auto words = query_words(index_.analyze, asked.text);
        auto const is_prefix = asked.what == kind::prefix;
        std::erase_if(words, [&](query_word const& w) {
            return !w.first || (w.term.empty() && !(is_prefix && index_.surfaces));
        });
        if (!is_prefix && words.size() > 1) words.resize(1);
        auto last =
            is_prefix ? dropped_beginning(index_.analyze, asked.text) : std::optional<query_word>();
        if (words.size() + (last ? 1 : 0) > 1) {
            words = phrase_words(index_.analyze, asked.text);
            if (last) last->position = words.back().position + 1;
            if (!last && words.back().term.empty() && !index_.surfaces) return {};
        }
        if (last) words.push_back(*std::move(last));
        return words;
    }

    /// Where the index keeps no surfaces, the term is the best that it has.
    [[nodiscard]] std::string const& pattern_text(
        lexical_query const& asked, std::vector<query_word> const& words) const {
        auto const is_prefix = asked.what == kind::prefix;
        return is_prefix && index_.surfaces ? words.back().surface : words.back().term;
    }

    [[nodiscard]] std::optional<query_node> pattern(
        lexical_query const& asked, double weight, field_ref field) {
        auto const is_prefix = asked.what == kind::prefix;
        if (!is_prefix && (asked.distance < 1 || asked.distance > 2)) {
            fail(errc::invalid_argument,
                join("lexical_query: the edits of a fuzzy word must be 1 or 2, are ",
                    asked.distance));
        }
        auto const words = pattern_words(asked);
        if (words.empty()) return std::nullopt;
        auto const found = std::move(expansions_[next_expansion_++]);
        auto const shown =
            pattern_text(asked, words) + (is_prefix ? "*" : join("~", asked.distance));
        auto label = found.left_out == 0 ? join("'", shown, "', ", found.words, " terms")
                                         : join("'", shown, "', ", found.words, " of ",
                                             found.words + found.left_out, " terms");
        if (found.left_out > 0) {
            notes.push_back(join("'", shown, "' stands for ", found.words, " of ",
                found.words + found.left_out, " terms"));
        }
        if (words.size() == 1)
            return any_of(found.terms, weight, shown, {.label = std::move(label), .field = field});
        auto const before = std::span(words).first(words.size() - 1);
        if (index_.positions)
            return phrase_prefix(before, words.back(), found.terms, weight, shown, label, field);
        query_node all;
        for (auto const& word : before) {
            if (auto const alone = exact_word(word, field)) {
                all.must.push_back(
                    any_of({&*alone, 1}, weight, word.surface, term_label(word.surface, field)));
            }
        }
        all.must.push_back(
            any_of(found.terms, weight, shown, {.label = std::move(label), .field = field}));
        return all;
    }

    /// The term of a word before a prefix: its surface, if it has an entry; nothing if the index
    /// does not keep the word.
    [[nodiscard]] std::optional<matched_term> exact_word(
        query_word const& word, field_ref field) const {
        if (word.term.empty() && !index_.surfaces) return std::nullopt;
        matched_term made{.term = word.surface};
        if (word.surface == word.term || !index_.surfaces) {
            made.ids = ids_in(word.term, field);
        } else {
            std::string entry;
            make_surface_entry(word.surface, word.term, entry);
            made.ids = ids_in(entry, field);
        }
        made.df = scorer_.df(made.ids);
        return made;
    }

    /// A phrase whose last word is any of several: a group of terms for each.
    [[nodiscard]] query_node phrase_prefix(std::span<query_word const> before,
        query_word const& last, std::span<matched_term const> found, double weight,
        std::string const& name, std::string const& label, field_ref field) {
        query_leaf made{.label = label, .field = field};
        std::vector<matched_term> exact;
        std::vector<double> idfs;
        std::uint32_t start = last.position;
        for (auto const& word : before) {
            auto known = exact_word(word, field);
            if (!known) continue;
            if (known->df == 0) return add({.label = std::move(made.label), .field = field});
            idfs.push_back(scorer_.idf_of(known->df));
            start = (std::min)(start, word.position);
            made.places.push_back(word.position - start);
            exact.push_back(std::move(*known));
        }
        made.places.push_back(last.position - start);
        auto const mark = terms.size();
        auto const alone = leaf_of(found);
        auto const documents = alone.groups.empty() ? 0 : documents_with(alone);
        terms.resize(mark);
        ids.resize(mark);
        if (documents == 0) return add({.label = std::move(made.label), .field = field});
        idfs.push_back(scorer_.idf_of(documents));
        for (std::size_t at = 0; at < scorer_.fields(); ++at) {
            auto const knows = [&](matched_term const& t) { return t.ids[at] != no_term; };
            if (!std::all_of(exact.begin(), exact.end(), knows)) continue;
            for (auto const& word : found) {
                if (!knows(word)) continue;
                made.groups.push_back({terms.size(), exact.size() + 1});
                for (auto const& t : exact) push({at, t.ids[at], 6});
                push({at, word.ids[at], word.sixths});
            }
        }
        made.scored = scorer_.weights().weigh(name, weight, 0, sum_of(std::move(idfs)));
        return add(std::move(made));
    }

    // --- everything else ------------------------------------------------------------------------

    /// Nothing if the query asks for nothing.
    [[nodiscard]] std::optional<query_node> compile(
        lexical_query const& asked, double outer, field_ref field) {
        if (!is_finite(asked.weight) || asked.weight < 0) {
            fail(is_finite(asked.weight) ? errc::invalid_argument : errc::not_finite,
                join("lexical_query: a weight must be a number >= 0, is ", asked.weight));
        }
        auto const weight = rounded(outer * asked.weight);
        if (!asked.field.empty()) field = field_named(asked.field);
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
        query_node made;
        for (auto const& child : asked.must) {
            if (auto below = compile(child, weight, field)) made.must.push_back(std::move(*below));
        }
        for (auto const& child : asked.should) {
            auto below = compile(child, weight, field);
            if (below && child.weight > 0) made.should.push_back(std::move(*below));
        }
        for (auto const& child : asked.must_not) {
            if (auto below = compile(child, 0, field)) made.must_not.push_back(std::move(*below));
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

    [[nodiscard]] static query_leaf term_label(std::string const& term, field_ref field) {
        return {.label = term, .is_term = true, .field = field};
    }

    [[nodiscard]] std::optional<query_node> words(
        lexical_query const& asked, double weight, field_ref field) {
        query_node made;
        for (auto const& word : query_words(index_.analyze, asked.text)) {
            if (word.term.empty()) continue;
            auto const needed = word.first && asked.what == kind::every;
            matched_term const alone{.ids = ids_in(word.term, field)};
            (needed ? made.must : made.should)
                .push_back(any_of({&alone, 1}, weight, word.term, term_label(word.term, field)));
        }
        if (made.must.empty() && made.should.empty()) return std::nullopt;
        return made;
    }

    /// The words of a phrase: of an identifier its words, if the index knows their positions, else
    /// the whole.
    [[nodiscard]] std::vector<query_word> phrase_of(std::string_view text) const {
        auto words = index_.surfaces ? phrase_words(index_.analyze, text)
                                     : query_words(index_.analyze, text);
        std::erase_if(words,
            [&](query_word const& w) { return w.term.empty() || (!index_.surfaces && !w.first); });
        return words;
    }

    [[nodiscard]] std::optional<query_node> phrase(
        lexical_query const& asked, double weight, field_ref field) {
        auto const words = phrase_of(asked.text);
        if (words.empty()) return std::nullopt;
        if (!index_.positions) return phrase_without_positions(asked, words, weight, field);
        query_leaf made{
            .slop = asked.distance, .label = join("phrase \"", asked.text, "\""), .field = field};
        buffer<buffer<term_id>> in;
        std::vector<double> idfs;
        for (auto const& word : words) {
            in.push_back(ids_in(word.term, field));
            auto const documents = scorer_.df(in.back());
            if (documents == 0) return add({.label = std::move(made.label), .field = field});
            idfs.push_back(scorer_.idf_of(documents));
            made.places.push_back(word.position - words.front().position);
        }
        for (std::size_t at = 0; at < scorer_.fields(); ++at) { // all of it in one field
            auto const knows = [&](buffer<term_id> const& known) { return known[at] != no_term; };
            if (!std::all_of(in.begin(), in.end(), knows)) continue;
            made.groups.push_back({terms.size(), in.size()});
            for (auto const& known : in) push({at, known[at], 6});
        }
        made.scored = scorer_.weights().weigh(asked.text, weight, 0, sum_of(std::move(idfs)));
        return add(std::move(made));
    }

    /// A phrase of one word is that word. Of more words, a relaxed one asks for all of them.
    [[nodiscard]] query_node phrase_without_positions(lexical_query const& asked,
        std::span<query_word const> words, double weight, field_ref field) {
        if (words.size() > 1 && !asked.relaxed) {
            fail(errc::invalid_argument,
                join("lexical_query: the phrase \"", asked.text,
                    "\" needs an index that keeps positions: build it with {.positions = true}"));
        }
        if (words.size() > 1) {
            notes.push_back(join("the index keeps no positions: \"", asked.text,
                "\" matches documents that contain its words anywhere"));
        }
        query_node all;
        for (auto const& word : words) {
            matched_term const alone{.ids = ids_in(word.term, field)};
            all.must.push_back(
                any_of({&alone, 1}, weight, word.term, term_label(word.term, field)));
        }
        return all;
    }

    plan_index index_;
    std::vector<typename pattern_terms<Scorer>::result> expansions_; ///< of the patterns, in order
    std::size_t next_expansion_ = 0;
};

} // namespace detail
TRAWL_END_NAMESPACE
