// SPDX-License-Identifier: MIT
#pragma once

/// A lexical index: texts in, the best BM25 matches out, exactly.

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/doc_set.hpp>
#include <trawl/core/executor.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/lexical/bm25.hpp>
#include <trawl/lexical/detail/bm25_engine.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

template <class Index>
struct stored; // trawl/lexical/storage.hpp

} // namespace detail

struct lexical_query; // trawl/lexical/lexical_query.hpp

/// What bm25_index and bm25f_index have in common; use it through them.
///
/// Exact: the bits of a score depend on the documents, the parameters and the query alone, not on
/// the order of changes, the order of the query's terms, k, the filter or the number of threads.
/// N, df and the average length are those of the live documents, or of the filtered documents where
/// a search asks for statistics::eligible: then scores are bit-equal to those of an index of these
/// documents alone. A document's length is the number of its positions that hold a term; an empty
/// text is a document of length 0.
///
/// Const members may run from any number of threads at once. A member that changes the index must
/// run alone: beside no other change and no search. That is the rule for all indexes. These two
/// happen to be safe beside changes too: a search reads the index as it was when the search began,
/// and writers wait for each other; only assigning to the index, moving from it, destroying it and
/// set_parameters exclude every other call. Do not rely on this if the program may one day use
/// another kind of index.
///
/// A copy shares nothing. An index that was moved from is empty.
///
/// A member that throws has changed nothing.
template <analyzer Analyzer, class Engine>
class basic_lexical_index {
public:
    /// Erases a document. Its id is never given to another.
    /// @return false if there is no such document.
    /// @par Complexity  amortised O(t log n + n / 64) for t terms of the document and n documents.
    bool erase(doc_id id) { return engine_.erase(id); }

    /// Merges all documents into one segment, the smallest and fastest form of an index that does
    /// not change, and drops the terms that no document contains any more. No id and no score
    /// changes.
    /// @param pool  whose threads help; null: the calling thread alone.
    /// @par Complexity O(postings).
    void compact(executor const* pool = nullptr) { engine_.compact(pool); }

    /// The best k documents that share a term with the query, whatever their score: score
    /// descending, then id ascending. query.terms replaces query.text. Repeated terms add their
    /// weights; unknown terms and terms of weight 0 do not count.
    /// @throws trawl::error (not_finite, invalid_argument) if a weight is not a number >= 0, or so
    /// large that a score could overflow.
    /// @par Complexity O(postings of the terms) at most. statistics::eligible reads all of them and
    /// adds O(m log n) for a filter of m documents; okapi adds the size of the vocabulary where a
    /// term is in more than half of the documents.
    [[nodiscard]] ranking search(query const& q, search_options const& options = {}) const {
        return engine_.search(analyze(), q, options);
    }
    [[nodiscard]] ranking search(std::string_view text, std::size_t k, filter where = {}) const {
        return search(query{.text = text}, search_options{.k = k, .where = std::move(where)});
    }

    /// Searches for each of many queries, all in the index as it is now, on the threads of
    /// options.executor.
    /// @return a ranking for each query, as search gives it.
    /// @throws trawl::error what the first search that fails throws.
    [[nodiscard]] std::vector<ranking> search(
        std::span<query const> queries, search_options const& options = {}) const {
        return engine_.search(analyze(), queries, options);
    }

    /// Scores given documents, with the bits that search gives; 0 for a document that shares no
    /// term.
    /// @param ids  ids that are unknown or outside the filter are left out.
    /// @param options  k is ignored.
    /// @return a hit for each other id, in the order given; none if the query has neither text nor
    /// terms.
    /// @par Complexity O(log df) for each id and term.
    [[nodiscard]] std::vector<hit> score(
        query const& q, std::span<doc_id const> ids, search_options const& options = {}) const {
        return engine_.score(analyze(), q, ids, options);
    }

    /// Explains the score that the document has in such a search, down to the last factor.
    /// @return a leaf "no match" of value 0 if the document shares no term, does not exist or is
    /// outside the filter.
    [[nodiscard]] explanation explain(
        query const& q, doc_id id, search_options const& options = {}) const {
        return engine_.explain(analyze(), q, id, options);
    }

    /// The same for a lexical_query (trawl/lexical/lexical_query.hpp), which defines what matches
    /// and what it scores. As exact as any other search. Plain words and a single phrase are pruned;
    /// any other query reads the lists of all its terms and scores every document that may match.
    /// Prefixes and fuzzy words scan the dictionary.
    /// @throws trawl::error (not_finite, invalid_argument) if a weight or a distance is out of its
    /// range, a phrase is searched in an index without positions, or there is no field of the name.
    template <std::same_as<lexical_query> Query>
    [[nodiscard]] ranking search(Query const& q, search_options const& options = {}) const {
        return engine_.search(analyze(), q, options);
    }
    template <std::same_as<lexical_query> Query>
    [[nodiscard]] ranking search(Query const& q, std::size_t k, filter where = {}) const {
        return engine_.search(analyze(), q, search_options{.k = k, .where = std::move(where)});
    }
    template <std::same_as<lexical_query> Query>
    [[nodiscard]] std::vector<hit> score(
        Query const& q, std::span<doc_id const> ids, search_options const& options = {}) const {
        return engine_.score(analyze(), q, ids, options);
    }
    template <std::same_as<lexical_query> Query>
    [[nodiscard]] explanation explain(
        Query const& q, doc_id id, search_options const& options = {}) const {
        return engine_.explain(analyze(), q, id, options);
    }

    /// All documents that match a lexical_query, whatever they score: those of search(q, size()).
    /// @return nothing if the query excludes no document: it is empty, or the analyzer drops all of
    /// its words, as of "the".
    /// @throws trawl::error as search.
    /// @par Complexity as search; O(next_id() / 8) bytes.
    template <std::same_as<lexical_query> Query>
    [[nodiscard]] std::optional<doc_set> matching(Query const& q) const {
        return engine_.matching(analyze(), q);
    }

    /// What a search for a lexical_query leaves out or replaces, a sentence each: optional patterns that
    /// stand for some of their terms only, relaxed phrases without positions. Usually none.
    /// @throws trawl::error as search.
    /// @par Complexity that of search without scoring: patterns scan the dictionary.
    template <std::same_as<lexical_query> Query>
    [[nodiscard]] std::vector<std::string> warnings(Query const& q) const {
        return engine_.warnings(analyze(), q);
    }

    /// How many live documents there are.
    [[nodiscard]] std::size_t size() const { return engine_.size(); }

    /// The id that the next add gives; every id given so far is below it.
    [[nodiscard]] doc_id next_id() const { return engine_.next_id(); }

    /// Whether there is a live document of this id.
    [[nodiscard]] bool contains(doc_id id) const { return engine_.contains(id); }

    [[nodiscard]] bm25 const& parameters() const noexcept { return engine_.parameters(); }

    /// Replaces the parameters of later searches. The index does not depend on them, so that tuning
    /// needs one index only. Excludes every other call.
    /// @throws trawl::error as bm25::validate.
    void set_parameters(bm25 const& parameters) { engine_.set_parameters(parameters); }

protected:
    basic_lexical_index(Analyzer analyzer, Engine engine)
        : analyzer_(std::move(analyzer)), engine_(std::move(engine)) {}

    [[nodiscard]] detail::analyzer_ref analyze() const noexcept {
        return detail::analyzer_ref(analyzer_);
    }

    Analyzer analyzer_;
    Engine engine_;
};

/// Documents as bags of terms, ranked by BM25.
///
///     trawl::bm25_index index;
///     index.add("Refunds take 3 days");
///     trawl::ranking best = index.search("refund", 10);
template <analyzer Analyzer = standard_analyzer>
class basic_bm25_index : public basic_lexical_index<Analyzer, detail::bm25_engine> {
    using base = basic_lexical_index<Analyzer, detail::bm25_engine>;

public:
    basic_bm25_index() : basic_bm25_index(Analyzer()) {}

    /// @throws trawl::error as bm25::validate.
    explicit basic_bm25_index(bm25 parameters, index_options options = {})
        : basic_bm25_index(Analyzer(), parameters, options) {}
    explicit basic_bm25_index(Analyzer analyzer, bm25 parameters = {}, index_options options = {})
        : base(std::move(analyzer), detail::bm25_engine({}, parameters, options)) {}

    /// Adds a document under the next id.
    /// @throws trawl::error (invalid_argument) if no id is left; what the analyzer throws.
    /// @par Complexity  amortised O(its tokens).
    doc_id add(std::string_view text) {
        return this->engine_.add(this->analyze(), nullptr, {&text, 1});
    }

    /// Adds a document under this id. Ids ascend strictly; gaps are allowed.
    /// @throws trawl::error (id_order) if the id is below next_id(); (invalid_argument) if it is
    /// no_doc.
    doc_id add(doc_id id, std::string_view text) {
        return this->engine_.add(this->analyze(), &id, {&text, 1});
    }

    /// Adds documents under the next ids, in their order. The index is the same as after adding
    /// them one by one. All are added or none.
    /// @param pool  whose threads help; null: the calling thread alone.
    /// @return the first id; the next one if there are no texts.
    /// @throws trawl::error (invalid_argument) if too few ids are left; what the analyzer throws.
    /// @par Memory some 12 bytes a posting while it adds: each thread works on up to 65536
    /// documents.
    doc_id add_all(std::span<std::string_view const> texts, executor const* pool = nullptr) {
        return this->engine_.add_all(
            this->analyze(), texts.size(),
            [&](std::size_t document, std::size_t) { return texts[document]; }, pool);
    }

    /// Adds a document that is analysed already: its terms in order, each at a position of its own.
    doc_id add_terms(std::span<std::string_view const> terms) {
        return this->engine_.add_terms(nullptr, {&terms, 1});
    }
    doc_id add_terms(doc_id id, std::span<std::string_view const> terms) {
        return this->engine_.add_terms(&id, {&terms, 1});
    }

    /// Replaces a document's text. Its id stays.
    /// @return false if there is no such document.
    bool update(doc_id id, std::string_view text) {
        return this->engine_.update(this->analyze(), id, {&text, 1});
    }

    /// compact(), and also unpacks the posting lists of frequent terms: for an index that is
    /// searched often and does not change. No id and no score changes. Later changes work as usual.
    /// The unpacked lists are not saved.
    /// @param pool  whose threads help; null: the calling thread alone.
    /// @par Complexity O(postings).
    /// @par Memory a byte for each document and each term that is in an eighth of the documents or
    /// more.
    void freeze(executor const* pool = nullptr) { this->engine_.freeze(pool); }

private:
    friend detail::stored<basic_bm25_index>;

    basic_bm25_index(Analyzer analyzer, detail::lexical_engine&& opened)
        : base(std::move(analyzer), detail::bm25_engine(std::move(opened))) {}
};

using bm25_index = basic_bm25_index<>;

TRAWL_END_NAMESPACE
