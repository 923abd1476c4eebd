// SPDX-License-Identifier: MIT
#pragma once

/// The terms of an index that prefixes and fuzzy words match.

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
#include <trawl/lexical/detail/prefix_place.hpp>
#include <trawl/lexical/detail/search/edit_distance.hpp>
#include <trawl/lexical/detail/search/query_tree.hpp>
#include <trawl/lexical/detail/surface_terms.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// A prefix, or a fuzzy word if it has edits.
struct term_pattern {
    std::string text = {};
    std::uint32_t edits = 0;
    std::optional<std::size_t> field = {}; ///< none: every field
    bool limited = true;                   ///< to max_expansions terms
};

/// A term that a pattern matches.
struct matched_term {
    std::size_t distance = 0;
    std::uint64_t df = 0;
    std::string_view term = {};
    buffer<term_id> ids = {}; ///< in each field
    std::int32_t sixths = 6;  ///< see query_term
};

/// Matches all patterns of a query in one pass over the dictionary of each field.
/// @par Complexity O(terms * (distinct lengths of prefixes + fuzzy words)), and O(m log m) for the m
/// terms that a pattern matches.
template <class Scorer>
class pattern_terms {
public:
    static constexpr std::size_t max_expansions = 64;
    static constexpr std::size_t min_cut = 4 * max_expansions;

    struct result {
        std::vector<matched_term> terms = {}; ///< nearest first, then by df descending, then bytes
        std::size_t words = 0;                ///< of positive sixths among them
        std::size_t left_out = 0;             ///< words beyond the limit
        std::size_t cut_at = min_cut;         ///< so many terms are kept before words are left out
    };

    explicit pattern_terms(Scorer const& scorer) : scorer_(scorer) {}

    void add(term_pattern pattern) { patterns_.push_back(std::move(pattern)); }

    /// @param stopped  asked now and then; what was found by then is kept.
    /// @return a result for each pattern, in the order of add.
    template <class Stopped>
    [[nodiscard]] std::vector<result> match(Stopped const& stopped) {
        std::vector<result> found(patterns_.size());
        prepare();
        for (std::size_t field = 0; field < scorer_.fields() && !patterns_.empty(); ++field) {
            auto const& index = scorer_.index(field);
            for (term_id id = 0; id < index.terms; ++id) {
                if (id % 4096 == 0 && stopped()) return found;
                match(index.dictionary->term(id), field, found);
            }
        }
        for (std::size_t i = 0; i < found.size(); ++i) finish(patterns_[i], found[i]);
        return found;
    }

private:
    struct asked_prefix {
        std::string_view text;
        std::size_t pattern;
    };
    struct asked_fuzzy {
        edit_distance edits;
        std::size_t pattern;
    };

    void prepare() {
        for (std::size_t i = 0; i < patterns_.size(); ++i) {
            auto const& pattern = patterns_[i];
            if (pattern.edits > 0) {
                fuzzies_.push_back({edit_distance(pattern.text), i});
            } else if (!pattern.text.empty()) {
                prefixes_.push_back({pattern.text, i});
                lengths_.push_back(pattern.text.size());
                inner_ |= has_separator(pattern.text);
            }
        }
        std::sort(prefixes_.begin(), prefixes_.end(),
            [](asked_prefix const& a, asked_prefix const& b) { return a.text < b.text; });
        std::sort(lengths_.begin(), lengths_.end());
        lengths_.erase(std::unique(lengths_.begin(), lengths_.end()), lengths_.end());
    }

    /// Calls visit(pattern) for each prefix that a word, or a word of an identifier, begins with.
    template <class Visit>
    void for_each_prefix_of(std::string_view word, Visit&& visit) const {
        for_each_prefix_at(word, 0, visit);
        for (std::size_t at = 1; inner_ && at < word.size(); ++at) {
            if (!begins_inner_word(word, at)) continue;
            for_each_prefix_at(word, at, [&](std::size_t pattern) {
                if (prefix_place(word, patterns_[pattern].text) == at) visit(pattern);
            });
        }
    }

    template <class Visit>
    void for_each_prefix_at(std::string_view word, std::size_t begin, Visit&& visit) const {
        for (auto const length : lengths_) {
            if (length > word.size() - begin) return;
            auto const beginning = word.substr(begin, length);
            auto at = std::lower_bound(prefixes_.begin(), prefixes_.end(), beginning,
                [](asked_prefix const& a, std::string_view b) { return a.text < b; });
            for (; at != prefixes_.end() && at->text == beginning; ++at) visit(at->pattern);
        }
    }

    void match(std::string_view text, std::size_t field, std::vector<result>& found) {
        auto const entry = surface_entry_of(text);
        auto const keep = [&](std::size_t pattern, std::size_t distance, std::int32_t sixths) {
            auto const only = patterns_[pattern].field;
            if (only && *only != field) return;
            buffer<term_id> ids(scorer_.fields(), no_term);
            for (std::size_t f = only ? field : 0; f < (only ? field + 1 : ids.size()); ++f) {
                ids[f] = scorer_.index(f).find(text).value_or(no_term);
                if (f < field && ids[f] != no_term) return; // met there
            }
            if (auto const df = scorer_.df(ids); df > 0) {
                found[pattern].terms.push_back({distance, df, text, std::move(ids), sixths});
                if (patterns_[pattern].limited
                    && found[pattern].terms.size() >= found[pattern].cut_at)
                    cut(found[pattern]);
            }
        };
        if (!entry) {
            for_each_prefix_of(text, [&](std::size_t pattern) { keep(pattern, 0, 6); });
            for (auto& fuzzy : fuzzies_) {
                auto const limit = patterns_[fuzzy.pattern].edits;
                auto const distance = fuzzy.edits.to(text, limit);
                if (distance <= limit)
                    keep(fuzzy.pattern, distance, static_cast<std::int32_t>(6 / (distance + 1)));
            }
            return;
        }
        auto const begins = [&](std::string_view word, std::size_t pattern) {
            return prefix_place(word, patterns_[pattern].text) != word.npos;
        };
        for_each_prefix_of(entry->surface, [&](std::size_t pattern) {
            if (!begins(entry->term, pattern)) keep(pattern, 0, 6);
        });
        for_each_prefix_of(entry->term, [&](std::size_t pattern) {
            if (!begins(entry->surface, pattern)) keep(pattern, 0, -6);
        });
    }

    /// Sorts what a pattern matches, and leaves out words beyond the limit.
    static void cut(result& found) {
        sort(found);
        if (found.words > max_expansions) drop_words(found);
        found.cut_at = (std::max)(min_cut, 2 * found.terms.size()); // so all cuts are O(m log m)
    }

    static void drop_words(result& found) {
        found.left_out += found.words - max_expansions;
        auto const first = found.terms.begin() + static_cast<std::ptrdiff_t>(max_expansions);
        found.terms.erase(first, found.terms.begin() + static_cast<std::ptrdiff_t>(found.words));
        found.words = max_expansions;
    }

    static void sort(result& found) {
        auto& terms = found.terms;
        std::sort(terms.begin(), terms.end(), [](matched_term const& a, matched_term const& b) {
            if ((a.sixths > 0) != (b.sixths > 0)) return a.sixths > 0;
            if (a.distance != b.distance) return a.distance < b.distance;
            return a.df != b.df ? a.df > b.df : a.term < b.term;
        });
        found.words = static_cast<std::size_t>(std::count_if(
            terms.begin(), terms.end(), [](matched_term const& t) { return t.sixths > 0; }));
    }

    static void finish(term_pattern const& pattern, result& found) {
        if (!pattern.limited) return sort(found);
        cut(found);
        if (found.left_out == 0) return;
        // An entry that is subtracted stays only with its term.
        auto const kept = std::span<matched_term const>(found.terms).first(found.words);
        std::vector<matched_term> all(kept.begin(), kept.end());
        for (std::size_t i = found.words; i < found.terms.size(); ++i) {
            auto const of = surface_entry_of(found.terms[i].term)->term;
            if (std::any_of(kept.begin(), kept.end(),
                    [&](matched_term const& t) { return t.term == of; })) {
                all.push_back(std::move(found.terms[i]));
            }
        }
        found.terms = std::move(all);
    }

    Scorer const& scorer_;
    std::vector<term_pattern> patterns_;
    std::vector<asked_prefix> prefixes_; ///< by text
    std::vector<std::size_t> lengths_;   ///< of prefixes, distinct, ascending
    bool inner_ = false;                 ///< a prefix has several words of an identifier
    std::vector<asked_fuzzy> fuzzies_;
};

} // namespace detail
TRAWL_END_NAMESPACE
