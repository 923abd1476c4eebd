// SPDX-License-Identifier: MIT
#pragma once

/// A lexical index: texts in, the best BM25 matches out, exactly.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/executor.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/error.hpp>
#include <trawl/lexical/bm25.hpp>
#include <trawl/lexical/detail/scoring/bm25_scorer.hpp>
#include <trawl/lexical/detail/segments/analyzed_document.hpp>
#include <trawl/lexical/detail/segments/document_chunks.hpp>
#include <trawl/lexical/detail/segments/inverted_index.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

template <class Index>
struct stored; // trawl/lexical/storage.hpp

} // namespace detail

struct lexical_query;

namespace detail {

template <class Question, class Scorer>
class boolean_query; // trawl/lexical/detail/search/boolean_query.hpp

} // namespace detail

/// What an index keeps besides what BM25 needs.
struct index_options {
    bool positions = false; ///< where each word stands, for phrases: 1.2 to 1.4 bytes a word
};

/// Documents as bags of terms, ranked by BM25. Exact: a score's bits depend on the documents, the
/// parameters and the query alone, not on how the index came about, the order of the query's terms,
/// k or the filter. N, df and average length are those of the live documents, always, or of the
/// filtered ones where a search asks for statistics::eligible: bit-equal to an index of these
/// alone. A document's length is the number of its positions that hold a term; an empty text is a
/// document of length 0.
///
/// Any member may be called from any number of threads at once. What add, erase or update changed
/// is seen by every search that begins after it; a search reads the index as it was when it began,
/// and waits for a writer no longer than a pointer is copied. Writers wait for each other.
/// Assigning, moving from, destroying and set_parameters exclude every other call. A copy shares
/// nothing.
template <analyzer Analyzer = standard_analyzer>
class basic_bm25_index {
public:
    basic_bm25_index() = default;

    /// @throws trawl::error as bm25::validate.
    explicit basic_bm25_index(bm25 parameters, index_options options = {})
        : basic_bm25_index(Analyzer(), parameters, options) {}
    explicit basic_bm25_index(Analyzer analyzer, bm25 parameters = {}, index_options options = {})
        : analyzer_(std::move(analyzer)), parameters_(parameters), options_(options) {
        parameters_.validate();
    }

    /// Adds a document under the next id.
    /// @throws trawl::error (invalid_argument) if no id is left; what the analyzer throws.
    /// @par Complexity  amortised O(its tokens).
    doc_id add(std::string_view text) { return insert({}, text); }

    /// Adds a document under this id; ids strictly ascend, gaps are allowed.
    /// @throws trawl::error (id_order; invalid_argument if it is no_doc).
    doc_id add(doc_id id, std::string_view text) { return insert(id, text); }

    /// Adds documents under the next ids, in their order, on the threads of an executor: no other
    /// index than one by one, sooner. All or none.
    /// @return the first id; the next one if there are no texts.
    /// @throws trawl::error (invalid_argument) if no ids are left; what the analyzer throws.
    /// @par Memory some 12 bytes for each posting of 65536 documents on each thread.
    doc_id add(std::span<std::string_view const> texts, executor const* where = nullptr) {
        detail::inverted_index::writer writer(index_);
        auto const first = writer.state().next_id;
        detail::check_ids("bm25_index::add", texts.size(), first);
        detail::append_chunks(std::span(&writer, 1), texts.size(), where,
            [&](std::size_t i, std::size_t, detail::document_chunk& chunk) {
                return detail::analyzed(analyzer_, texts[i], options_.positions, chunk);
            });
        writer.publish();
        return first;
    }

    /// Adds a document that is analysed already: its terms in order, each at a position of its own.
    doc_id add_terms(std::span<std::string_view const> terms) { return insert({}, terms); }
    doc_id add_terms(doc_id id, std::span<std::string_view const> terms) {
        return insert(id, terms);
    }

    /// Takes a document out; its id is not given again.
    /// @return false if there is no such document.
    /// @par Complexity  amortised O(its terms * log documents + documents / 64).
    bool erase(doc_id id) {
        detail::inverted_index::writer writer(index_);
        auto const at = writer.state().locate(id);
        if (!at) return false;
        writer.remove(*at);
        writer.publish();
        return true;
    }

    /// Gives a document another text; its id stays.
    /// @throws trawl::error (unknown_id) if there is no such document.
    void update(doc_id id, std::string_view text) {
        detail::inverted_index::writer writer(index_);
        auto const at = writer.state().locate(id);
        if (!at)
            detail::fail(errc::unknown_id, detail::join("bm25_index::update: no document ", id));
        auto document = detail::analyzed(analyzer_, text, options_.positions, writer);
        writer.remove(*at);
        detail::append(writer, id, document);
        writer.publish();
    }

    /// Makes one segment of all documents: the smallest and fastest form of a collection that
    /// rests. No id and no score changes.
    /// @param where  whose threads help.
    /// @par Complexity O(postings).
    void compact(executor const* where = nullptr) {
        detail::inverted_index::writer writer(index_);
        writer.compact(where);
        writer.publish();
    }

    /// compact(), and besides unpacks the lists of frequent terms, for a collection that rests and
    /// is asked much. No id and no score changes; what is added or erased later is as ever. A saved
    /// index is opened without.
    /// @param where  whose threads help.
    /// @par Complexity O(postings).
    /// @par Memory a byte for each document and each term that is in an eighth of the documents or
    /// more.
    void freeze(executor const* where = nullptr) {
        detail::inverted_index::writer writer(index_);
        writer.freeze(where);
        writer.publish();
    }

    /// The best k documents that share a term with the query, whatever their score: score
    /// descending, then id ascending. query.terms replaces query.text; repeated terms add their
    /// weights; unknown terms and those of weight 0 do not count.
    /// @throws trawl::error (not_finite, invalid_argument) if a weight is not a number >= 0, or so
    /// large that a score could overflow.
    /// @par Complexity O(postings of the terms) at most. statistics::eligible reads all of them and
    /// adds O(m log n) for a filter of m documents; okapi adds the size of the vocabulary where a
    /// term is in more than half of the documents.
    [[nodiscard]] ranking search(query const& q, search_options const& options) const {
        return scorer(q, options).search();
    }
    [[nodiscard]] ranking search(std::string_view text, std::size_t k, filter where = {}) const {
        return search(query{.text = text}, search_options{.k = k, .where = where});
    }

    /// What each of many queries finds alone, all in the index as it is now; on the threads of
    /// options.executor.
    /// @throws trawl::error what the first of the searches that fail throws.
    [[nodiscard]] std::vector<ranking> search(
        std::span<query const> queries, search_options const& options) const {
        auto const index = index_.read();
        std::vector<ranking> found(queries.size());
        run_tasks(options.executor, queries.size(),
            [&](std::size_t i) { found[i] = scorer(index, queries[i], options).search(); });
        return found;
    }

    /// One hit for each id that is there and inside the filter, in the order given: the bits that
    /// search gives, 0 where no term is shared. No hits if the query has neither text nor terms. k
    /// is ignored.
    /// @par Complexity O(log df) for each id and term.
    [[nodiscard]] std::vector<hit> score(
        query const& q, std::span<doc_id const> ids, search_options const& options = {}) const {
        if (q.text.empty() && q.terms.empty()) return {};
        return scorer(q, options).score(ids);
    }

    /// Why the document has its score in such a search, to the last factor; a leaf "no match" of
    /// value 0 if it shares no term, is not there or is outside the filter.
    [[nodiscard]] explanation explain(
        query const& q, doc_id id, search_options const& options = {}) const {
        return scorer(q, options).explain(id);
    }

    /// The same for a lexical_query: which documents match, and what they score, is said there.
    /// trawl/lexical/detail/search/boolean_query.hpp must be included. Exact as all else. Words
    /// alone and a phrase alone are searched as that; of another question nothing is pruned: it
    /// reads the lists of all terms and scores every document that may match. Prefix and fuzzy
    /// words read the dictionary.
    /// @throws trawl::error (not_finite, invalid_argument) if a weight or a distance is out of its
    /// range, or a phrase is asked of an index without positions.
    template <std::same_as<lexical_query> Question>
    [[nodiscard]] ranking search(Question const& question, search_options const& options) const {
        return with_question(question, options, [](auto const& asked) { return asked.search(); });
    }
    template <std::same_as<lexical_query> Question>
    [[nodiscard]] ranking search(Question const& question, std::size_t k, filter where = {}) const {
        return search(question, search_options{.k = k, .where = where});
    }
    template <std::same_as<lexical_query> Question>
    [[nodiscard]] std::vector<hit> score(Question const& question, std::span<doc_id const> ids,
        search_options const& options = {}) const {
        return with_question(
            question, options, [&](auto const& asked) { return asked.score(ids); });
    }
    template <std::same_as<lexical_query> Question>
    [[nodiscard]] explanation explain(
        Question const& question, doc_id id, search_options const& options = {}) const {
        return with_question(
            question, options, [&](auto const& asked) { return asked.explain(id); });
    }

    /// Live documents.
    [[nodiscard]] std::size_t size() const { return index_.read()->live; }

    /// The id that the next add gives; every id so far is below it.
    [[nodiscard]] doc_id next_id() const { return index_.read()->next_id; }

    [[nodiscard]] bool contains(doc_id id) const { return index_.read()->locate(id).has_value(); }

    [[nodiscard]] bm25 const& parameters() const noexcept { return parameters_; }

    /// Later searches score by these: what the index holds does not depend on them, so that tuning
    /// needs one index. Excludes every other call.
    /// @throws trawl::error as bm25::validate.
    void set_parameters(bm25 const& parameters) {
        parameters.validate();
        parameters_ = parameters;
    }

private:
    friend detail::stored<basic_bm25_index>;

    template <class Document>
    doc_id insert(std::optional<doc_id> wanted, Document const& document) {
        detail::inverted_index::writer writer(index_);
        auto const id = detail::checked_id("bm25_index::add", wanted, writer.state().next_id);
        detail::append(
            writer, id, detail::analyzed(analyzer_, document, options_.positions, writer));
        writer.publish();
        return id;
    }

    [[nodiscard]] detail::bm25_scorer scorer(query const& q, search_options const& options) const {
        return scorer(index_.read(), q, options);
    }
    [[nodiscard]] detail::bm25_scorer scorer(
        detail::inverted_index::reader index, query const& q, search_options const& options) const {
        std::vector<detail::bm25_scorer::asked_term> asked;
        auto const ask = [&](std::string_view term, double weight) {
            if (auto const known = index->find(term)) asked.push_back({*known, weight});
        };
        for (auto const& [term, weight] : q.terms) {
            detail::check_term_weight(term, weight);
            ask(term, weight);
        }
        if (q.terms.empty()) analyzer_.analyze(q.text, [&](token const& t) { ask(t.term, 1); });
        return {std::move(index), parameters_, std::move(asked), options};
    }

    template <class Question, class Call>
    [[nodiscard]] auto with_question(
        Question const& question, search_options const& options, Call const& call) const {
        auto const analyze = [&](std::string_view text, token_sink sink) {
            analyzer_.analyze(text, sink);
        };
        return call(detail::boolean_query<Question, detail::bm25_scorer>(
            detail::bm25_scorer(index_.read(), parameters_, {}, options),
            std::span<bm25_field const>(), options_.positions, analyze, question, options));
    }

    Analyzer analyzer_ = {};
    bm25 parameters_ = {};
    index_options options_ = {};
    detail::inverted_index index_;
};

using bm25_index = basic_bm25_index<>;

TRAWL_END_NAMESPACE
