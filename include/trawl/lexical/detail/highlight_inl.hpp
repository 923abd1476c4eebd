// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of highlight.hpp.

#include <trawl/lexical/highlight.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/lexical/detail/prefix_place.hpp>
#include <trawl/lexical/detail/query_words.hpp>
#include <trawl/lexical/detail/search/edit_distance.hpp>
#include <trawl/lexical/detail/text_phrases.hpp>
#include <trawl/text/passages/passage_finder.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Finds what a query asks for in one text.
class query_matches {
public:
    query_matches(analyzer_ref analyze, std::string_view field)
        : analyze_(analyze), field_(field) {}

    void ask(lexical_query const& q, double outer, std::string_view field) {
        if (!is_finite(q.weight) || q.weight < 0) {
            fail(is_finite(q.weight) ? errc::invalid_argument : errc::not_finite,
                join("lexical_query: a weight must be a number >= 0, is ", q.weight));
        }
        auto const weight = outer * q.weight;
        if (!q.field.empty()) field = q.field;
        using kind = lexical_query::kind;
        if (q.what == kind::combination) {
            for (auto const& child : q.must) ask(child, weight, field);
            for (auto const& child : q.should) ask(child, weight, field);
            return;
        }
        if (!field_.empty() && !field.empty() && field != field_) return;
        if (q.what == kind::words || q.what == kind::every) return ask_words(q.text, weight);
        if (q.what == kind::fuzzy) return ask_fuzzy(q, weight);
        ask_phrase(q, weight);
    }

    /// @return the matches; weights() are those of their terms.
    [[nodiscard]] std::vector<text_match> in(std::string_view text) {
        read(text);
        for (auto const& phrase : phrases_) {
            std::vector<placed_word> placed;
            for (auto const& word : phrase.words)
                placed.push_back({word.place, occurrences_[word.list]});
            auto const mark = [&](std::size_t begin, std::size_t end) {
                matches_.push_back({begin, end, phrase.weight});
            };
            if (phrase.slop == 0) {
                for_each_exact(placed, mark);
            } else {
                for_each_sloppy(placed, phrase.slop, mark);
            }
        }
        return std::move(matches_);
    }

    [[nodiscard]] std::vector<double> const& weights() const noexcept { return weights_; }

private:
    struct phrase_word_list {
        std::uint32_t place;
        std::size_t list;
    };
    struct asked_phrase {
        std::vector<phrase_word_list> words;
        std::uint32_t slop;
        std::size_t weight;
    };
    struct asked_prefix {
        std::string beginning;
        std::size_t weight;
        std::size_t list; ///< of a phrase's last word; none: it stands alone, each match is marked
    };
    struct asked_fuzzy {
        edit_distance edits;
        std::uint32_t max_edits;
        std::size_t weight;
    };
    using numbers = std::unordered_map<std::string, std::size_t>;
    static constexpr auto none = static_cast<std::size_t>(-1);

    [[nodiscard]] std::size_t new_weight(double weight) {
        weights_.push_back(weight);
        return weights_.size() - 1;
    }

    void ask_word(std::string const& term, double weight) {
        auto const [place, is_new] = terms_.try_emplace(term, weights_.size());
        if (is_new) weights_.push_back(0);
        weights_[place->second] += weight;
    }

    void ask_words(std::string_view text, double weight) {
        std::uint32_t from = 0; // of the last token of more than a character
        std::uint32_t covered = 0;
        analyze_(text, [&](surface_token const& t) {
            if (t.indexed.term.empty()) return;
            if (!is_unspaced_character(t.indexed.term)) {
                from = t.indexed.begin;
                covered = t.indexed.end;
            } else if (t.indexed.begin >= from && t.indexed.end <= covered) {
                return; // it lies inside the token before
            }
            ask_word(std::string(t.indexed.term), weight);
        });
    }

    void ask_fuzzy(lexical_query const& q, double weight) {
        if (q.distance < 1 || q.distance > 2) {
            fail(errc::invalid_argument,
                join("lexical_query: the edits of a fuzzy word must be 1 or 2, are ", q.distance));
        }
        for (auto const& word : query_words(analyze_, q.text)) {
            if (word.term.empty()) continue;
            fuzzies_.push_back({edit_distance(word.term), q.distance, new_weight(weight)});
            return;
        }
    }

    /// The list of a word's occurrences, one for each distinct word.
    [[nodiscard]] std::size_t list_of(numbers& among, std::string const& word) {
        auto const [place, is_new] = among.try_emplace(word, occurrences_.size());
        if (is_new) occurrences_.emplace_back();
        return place->second;
    }

    /// A phrase, or a prefix of several words: the last one is the prefix, those before match
    /// exactly.
    void ask_phrase(lexical_query const& q, double weight) {
        auto const is_prefix = q.what == lexical_query::kind::prefix;
        auto words = phrase_words(analyze_, q.text);
        if (is_prefix) {
            auto whole = query_words(analyze_, q.text);
            std::erase_if(whole, [](query_word const& w) { return !w.first; });
            if (whole.size() <= 1) words = std::move(whole);
            if (auto last = dropped_beginning(analyze_, q.text)) {
                last->position = words.empty() ? 0 : words.back().position + 1;
                words.push_back(*std::move(last));
            }
        }
        asked_phrase made{{}, is_prefix ? 0 : q.distance, new_weight(weight)};
        for (auto const& word : words) {
            if (is_prefix && &word == &words.back()) {
                auto const alone = words.size() == 1;
                prefixes_.push_back(
                    {word.surface, made.weight, alone ? none : occurrences_.size()});
                if (alone) return;
                made.words.push_back({word.position, occurrences_.size()});
                occurrences_.emplace_back();
            } else if (is_prefix) {
                made.words.push_back({word.position, list_of(surface_lists_, word.surface)});
            } else if (!word.term.empty()) {
                made.words.push_back({word.position, list_of(term_lists_, word.term)});
            }
        }
        if (made.words.empty()) return;
        auto const first = made.words.front().place;
        for (auto& word : made.words) word.place -= first;
        phrases_.push_back(std::move(made));
    }

    /// Marks the words and patterns in a text and collects the occurrences of the phrases' words.
    void read(std::string_view text) {
        struct listed {
            std::size_t list;
            std::size_t token;
        };
        std::vector<listed> found;
        std::vector<text_match> tokens;
        word_positions positions;
        std::string key;
        auto const number_in = [&key](numbers const& among, std::string_view word) {
            key.assign(word);
            auto const at = among.find(key);
            return at == among.end() ? none : at->second;
        };
        analyze_(text, [&](surface_token const& t) {
            auto const term = t.indexed.term;
            auto const begin = t.indexed.begin;
            auto const end = t.indexed.end;
            auto const mark = [&](std::size_t weight) { matches_.push_back({begin, end, weight}); };
            auto const list = [&](std::size_t in) {
                if (in != none) found.push_back({in, tokens.size()});
            };
            if (!term.empty()) {
                if (auto const weight = number_in(terms_, term); weight != none) mark(weight);
                for (auto& fuzzy : fuzzies_) {
                    if (fuzzy.edits.to(term, fuzzy.max_edits) <= fuzzy.max_edits)
                        mark(fuzzy.weight);
                }
                list(number_in(term_lists_, term));
            }
            if (!t.surface.empty()) {
                for (auto const& prefix : prefixes_) {
                    if (prefix_place(t.surface, prefix.beginning) == t.surface.npos) continue;
                    prefix.list == none ? mark(prefix.weight) : list(prefix.list);
                }
                list(number_in(surface_lists_, t.surface));
            }
            positions.add(t.indexed);
            tokens.push_back({begin, end, 0});
        });
        positions.finish();
        for (auto const& [in, token] : found) {
            auto& all = occurrences_[in];
            word_occurrence const made{
                positions.all()[token], tokens[token].begin, tokens[token].end};
            // Positions fall in an identifier only.
            auto at = all.end();
            while (at != all.begin() && (at - 1)->position > made.position) --at;
            if (at == all.begin() || (at - 1)->position != made.position) {
                all.insert(at, made);
            } else if (made.end - made.begin < (at - 1)->end - (at - 1)->begin) {
                *(at - 1) = made; // of a word and the identifier that begins with it, the word
            }
        }
    }

    analyzer_ref analyze_;
    std::string_view field_;
    numbers terms_; ///< places in weights_
    numbers term_lists_;
    numbers surface_lists_;
    std::vector<double> weights_;
    std::vector<asked_fuzzy> fuzzies_;
    std::vector<asked_prefix> prefixes_;
    std::vector<asked_phrase> phrases_;
    std::vector<std::vector<word_occurrence>> occurrences_;
    std::vector<text_match> matches_;
};

TRAWL_INLINE highlighted_passage highlight_lexical(std::string_view text, lexical_query const& q,
    analyzer_ref analyze, std::string_view field, highlight_options const& options) {
    check_depth(q);
    query_matches asked(analyze, field);
    asked.ask(q, 1, {});
    auto matches = asked.in(text);
    return passage_finder(text, std::move(matches), asked.weights()).passage(options);
}

} // namespace detail
TRAWL_END_NAMESPACE
