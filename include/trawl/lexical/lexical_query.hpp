// SPDX-License-Identifier: MIT
#pragma once

/// Questions to a lexical index that say more than a bag of words: phrases, beginnings, misspelt
/// words, and which of them must, may or must not be there.

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

/// A question as a tree, a value. Build it with ask::words, every, phrase, prefix, fuzzy, all_of,
/// any_of; ask it with `index.search(question, options)` of a bm25_index or a bm25f_index,
/// trawl/lexical/detail/search/boolean_query.hpp included.
///
/// What matches, and what it scores (idf and the tf part are those of the index's variant of BM25):
/// words any term of the text; the sum of its terms' scores, as a search for the text gives every
/// the same, but each word must be there (of an identifier, the whole) phrase its words in their
/// places. One term: tf is how often the phrase is there, idf the sum of its
///            words' idfs
/// prefix, fuzzy any of the words that the pattern stands for. One term: tf adds up their tfs, df
/// is the
///            number of documents that hold any of them
/// a combination every `must`, no `must_not`; where there is no `must`, at least one `should`. The
/// sum of
///            the scores of the musts and shoulds that match
/// What the analyzer leaves nothing of (a stop word) asks for nothing and forbids nothing.
///
/// In an index of fields a word or pattern may stand in any of them, a phrase in one of them; what
/// is asked of one field alone scores as if the others were empty, but for N and the average
/// lengths.
struct lexical_query {
    enum class kind : unsigned char { words, every, phrase, prefix, fuzzy, combination };

    kind what = kind::combination;
    /// goes through the index's analyzer; of prefix and fuzzy its first term
    std::string text = {};
    /// phrase: how far its words may be out of place; fuzzy: edits, 1 or 2
    std::uint32_t distance = 0;
    /// of a bm25f_index, for all below that names none; empty: every field
    std::string field = {};
    /// >= 0, multiplies the scores of what is below; a should of 0 is left out
    double weight = 1;
    std::vector<lexical_query> must = {};
    std::vector<lexical_query> should = {};
    std::vector<lexical_query> must_not = {};

    /// The same with another weight.
    [[nodiscard]] lexical_query times(double factor) const {
        auto copy = *this;
        copy.weight *= factor;
        return copy;
    }

    /// The same asked of one field.
    [[nodiscard]] lexical_query in(std::string name) const {
        auto copy = *this;
        copy.field = std::move(name);
        return copy;
    }

    /// What need not be there, but counts where it is.
    [[nodiscard]] lexical_query also(lexical_query part) const {
        auto both = combined();
        both.should.push_back(std::move(part));
        return both;
    }

    /// What takes its documents away.
    [[nodiscard]] lexical_query without(lexical_query part) const {
        auto both = combined();
        both.must_not.push_back(std::move(part));
        return both;
    }

private:
    [[nodiscard]] lexical_query combined() const {
        if (what == kind::combination && !must.empty() && weight == 1 && field.empty())
            return *this;
        lexical_query outer;
        outer.must.push_back(*this);
        return outer;
    }
};

namespace ask {

[[nodiscard]] inline lexical_query words(std::string text) {
    return {.what = lexical_query::kind::words, .text = std::move(text)};
}

[[nodiscard]] inline lexical_query every(std::string text) {
    return {.what = lexical_query::kind::every, .text = std::move(text)};
}

/// The words of the text one behind the other. With a slop they may be out of place: a match is a
/// stretch of the document in which, after taking from each word's position its place in the
/// phrase, largest and smallest differ by at most the slop (2 lets neighbours change places), and
/// which holds no shorter one; it counts 1 / (1 + difference). Needs an index that keeps positions.
[[nodiscard]] inline lexical_query phrase(std::string text, std::uint32_t slop = 0) {
    return {.what = lexical_query::kind::phrase, .text = std::move(text), .distance = slop};
}

/// Words that begin so: at most 64 terms, those of the most documents, by bytes where that is
/// equal.
[[nodiscard]] inline lexical_query prefix(std::string beginning) {
    return {.what = lexical_query::kind::prefix, .text = std::move(beginning)};
}

/// Words that so many edits make of this one; an edit inserts, drops or replaces a character or
/// swaps two neighbours (optimal string alignment, on code points). At most 64 terms, the nearest
/// first, then as prefix. An occurrence at distance 0, 1, 2 counts 1, 1/2, 1/3.
[[nodiscard]] inline lexical_query fuzzy(std::string word, std::uint32_t edits = 2) {
    return {.what = lexical_query::kind::fuzzy, .text = std::move(word), .distance = edits};
}

[[nodiscard]] inline lexical_query all_of(std::initializer_list<lexical_query> parts) {
    return {.must = parts};
}

[[nodiscard]] inline lexical_query any_of(std::initializer_list<lexical_query> parts) {
    return {.should = parts};
}

} // namespace ask
TRAWL_END_NAMESPACE
