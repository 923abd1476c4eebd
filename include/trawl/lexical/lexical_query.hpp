// SPDX-License-Identifier: MIT
#pragma once

/// Structured queries to a lexical index: phrases, prefixes, misspelt words, and which of them a
/// document must, may or must not contain.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

struct lexical_query;

/// The children of a query: a vector whose destructor does not recurse for each level, so that
/// destroying a query of any depth needs a bounded stack.
class lexical_query_list : public std::vector<lexical_query> {
public:
    lexical_query_list() = default;
    lexical_query_list(std::initializer_list<lexical_query> children);
    lexical_query_list(lexical_query_list const&) = default;
    lexical_query_list(lexical_query_list&&) noexcept = default;
    lexical_query_list& operator=(lexical_query_list const&) = default;
    lexical_query_list& operator=(lexical_query_list&&) noexcept = default;
    ~lexical_query_list();
};

/// A query as a tree; a value. Build it with ask::words, every, phrase, prefix, fuzzy, all_of and
/// any_of, or read it from text with parse_query (trawl/lexical/query_syntax.hpp). Pass it to
/// search, score or explain of a bm25_index or a bm25f_index.
///
/// What each kind matches, and its score under the index's BM25 variant:
///
///     words          documents that contain any term of the text. Score: the sum of the terms'
///                    scores, as in a search for the text
///     every          documents that contain every word of the text. Score: as for words
///     phrase         documents that contain the words in order. Scores as one term: tf is the
///                    number of occurrences, idf the sum of the words' idfs
///     prefix, fuzzy  documents that contain any word that the pattern matches. Scores as one
///                    term: tf is the sum of the words' tfs, df the number of documents that
///                    contain any of them
///     combination    documents that match every `must` and no `must_not`; if there is no `must`,
///                    at least one `should`. Score: the sum of the scores of the matching `must`
///                    and `should` children
///
/// A text of which the analyzer leaves nothing (a stop word) is ignored, wherever it stands.
///
/// In an index of fields, a word or pattern may occur in any field; all words of a phrase must
/// occur in the same one. A query restricted to one field scores as if the other fields were empty,
/// except that N and the average lengths stay those of the whole index.
///
/// Queries nested deeper than `max_depth` levels are refused by every function that takes one, with
/// trawl::error (invalid_argument).
struct lexical_query {
    enum class kind : unsigned char { words, every, phrase, prefix, fuzzy, combination };

    static constexpr std::size_t max_depth = 100;

    kind what = kind::combination;
    std::string text = {}; ///< analysed by the index's analyzer
    /// phrase: the slop, how far its words may be out of place; fuzzy: edits, 1 or 2
    std::uint32_t distance = 0;
    /// The field of a bm25f_index to search; inherited by children that name none; empty: all.
    std::string field = {};
    /// Multiplies the score of this query and its children; >= 0. A `should` of weight 0 is
    /// ignored.
    double weight = 1;
    lexical_query_list must = {};
    lexical_query_list should = {};
    lexical_query_list must_not = {};
    /// A phrase of several words in an index without positions: if true, it asks for all of its words
    /// in any order; if false, it is an error.
    bool relaxed = false;

    /// A copy whose weight is multiplied by the factor.
    [[nodiscard]] lexical_query times(double factor) const;

    /// A copy restricted to one field.
    [[nodiscard]] lexical_query in(std::string name) const;

    /// Adds an optional query: documents need not match it, and score more if they do.
    [[nodiscard]] lexical_query also(lexical_query optional) const;

    /// Excludes the documents that match another query.
    [[nodiscard]] lexical_query without(lexical_query excluded) const;

private:
    [[nodiscard]] lexical_query combined() const;
};

inline lexical_query_list::lexical_query_list(std::initializer_list<lexical_query> children)
    : std::vector<lexical_query>(children) {}

namespace detail {

/// @throws trawl::error (invalid_argument) if the query is nested too deep.
void check_depth(lexical_query const& q);

} // namespace detail

namespace ask {

/// Any word of the text.
[[nodiscard]] lexical_query words(std::string text);

/// Every word of the text.
[[nodiscard]] lexical_query every(std::string text);

/// The words of the text, one directly after the other. An identifier (open-source,
/// max_retry_count) counts as the sequence of its words, in the phrase and in the document. Words
/// that the analyzer drops (stop words) leave a gap of their length.
///
/// With a slop, words may be out of place. For each word, subtract its place in the phrase from its
/// position in the document: a match is a stretch of the document in which the largest and the
/// smallest difference are at most the slop apart, and which contains no shorter match. It counts
/// 1 / (1 + distance) occurrences, where distance is how far apart they are. A slop of 2 lets two
/// neighbours change places. Needs an index that keeps positions, unless the phrase is of one word.
[[nodiscard]] lexical_query phrase(std::string text, std::uint32_t slop = 0);

/// Words that begin with the text, as they were written: folded, but neither stemmed nor removed as
/// stop words. "retry_c" matches max_retry_count, too: it begins at a word of the identifier. In a
/// text of several words, all but the last match exactly and the last is the prefix; in an index
/// that keeps positions they must follow each other. In a `should`, a prefix stands for at most 64
/// words: those of the highest df, then in byte order; the explanation says how many were left out.
/// In a `must` or `must_not` there is no limit.
[[nodiscard]] lexical_query prefix(std::string beginning);

/// Words within an edit distance of 1 or 2. An edit inserts, deletes or replaces a character or
/// swaps two adjacent ones (optimal string alignment, on code points). An occurrence at distance
/// 0, 1 or 2 counts 1, 1/2 or 1/3. The limit is that of prefix; the nearest words come first.
[[nodiscard]] lexical_query fuzzy(std::string word, std::uint32_t edits = 2);

/// Documents that match every query.
[[nodiscard]] lexical_query all_of(std::initializer_list<lexical_query> queries);

/// Documents that match at least one of the queries.
[[nodiscard]] lexical_query any_of(std::initializer_list<lexical_query> queries);

} // namespace ask
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/lexical/detail/lexical_query_inl.hpp>
#include <trawl/lexical/detail/query_search_inl.hpp>
#endif
