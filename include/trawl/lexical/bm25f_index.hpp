// SPDX-License-Identifier: MIT
#pragma once

/// A lexical index of documents with several fields, such as title and text, ranked by BM25F.

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
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
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/lexical/detail/scoring/field_scorer.hpp>
#include <trawl/lexical/detail/segments/analyzed_document.hpp>
#include <trawl/lexical/detail/segments/document_chunks.hpp>
#include <trawl/lexical/detail/segments/inverted_fields.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>

TRAWL_BEGIN_NAMESPACE

/// Documents of several fields, each a bag of terms, ranked by BM25F: a term's occurrences in the
/// fields are divided by B of the field's length, weighted and added up, and the sum saturates
/// once. So a word in the title counts as `weight` of them, and no document scores twice for having
/// it in title and text. (Adding up a BM25 score of each field would; see docs/fields.md.) For the
/// variants other than lucene, the sum takes the place of tf / B in their formulas.
///
///     bm25f_index index({{"title", 2}, {"text"}});
///     index.add({"Refunds", "A refund takes three days."});
///
/// What bm25_index promises holds here too: exact, and safe to share. N counts all live documents,
/// df those that hold the term in any field; a field's average length is over all live documents,
/// those where it is empty included. An index that was moved from may only be assigned or
/// destroyed.
template <analyzer Analyzer = standard_analyzer>
class basic_bm25f_index {
public:
    /// @param fields  at least one, of different names.
    /// @throws trawl::error as bm25::validate; (invalid_argument, not_finite) naming the field.
    explicit basic_bm25f_index(
        std::vector<bm25_field> fields, bm25 parameters = {}, index_options options = {})
        : basic_bm25f_index(std::move(fields), Analyzer(), parameters, options) {}
    basic_bm25f_index(std::vector<bm25_field> fields, Analyzer analyzer, bm25 parameters = {},
        index_options options = {})
        : fields_(std::move(fields)),
          analyzer_(std::move(analyzer)),
          parameters_(parameters),
          options_(options),
          index_(fields_.size()) {
        parameters_.validate();
        validate(fields_);
    }

    /// Adds a document under the next id.
    /// @param texts  of the fields, in their order; an empty one where the document lacks a field.
    /// @throws trawl::error (invalid_argument) if there are more or fewer texts than fields, or no
    /// id is left; what the analyzer throws.
    /// @par Complexity amortised O(its tokens).
    doc_id add(std::span<std::string_view const> texts) { return insert({}, texts); }
    doc_id add(std::initializer_list<std::string_view> texts) { return insert({}, texts); }

    /// Adds a document under this id; ids strictly ascend, gaps are allowed.
    /// @throws trawl::error (id_order; invalid_argument if it is no_doc).
    doc_id add(doc_id id, std::span<std::string_view const> texts) { return insert(id, texts); }
    doc_id add(doc_id id, std::initializer_list<std::string_view> texts) {
        return insert(id, texts);
    }

    /// Adds documents under the next ids, in their order, on the threads of an executor: no other
    /// index than one by one, sooner. All or none.
    /// @param documents  the texts of each, as add takes them.
    /// @return the first id; the next one if there are no documents.
    /// @throws trawl::error (invalid_argument) if one has more or fewer texts than there are
    /// fields, or no ids are left; what the analyzer throws.
    doc_id add(std::span<std::span<std::string_view const> const> documents,
        executor const* where = nullptr) {
        for (auto const& texts : documents) check_texts("bm25f_index::add", texts.size());
        detail::inverted_fields::writer writer(index_);
        auto const first = writer.state().next_id;
        detail::check_ids("bm25f_index::add", documents.size(), first);
        detail::append_chunks(writer.fields(), documents.size(), where,
            [&](std::size_t i, std::size_t field, detail::document_chunk& chunk) {
                return detail::analyzed(analyzer_, documents[i][field], options_.positions, chunk);
            });
        writer.publish();
        return first;
    }

    /// Adds a document that is analysed already: the terms of each field in order, each at a
    /// position of its own.
    doc_id add_terms(std::span<std::span<std::string_view const> const> fields) {
        return insert({}, fields);
    }
    doc_id add_terms(doc_id id, std::span<std::span<std::string_view const> const> fields) {
        return insert(id, fields);
    }

    /// Takes a document out; its id is not given again.
    /// @return false if there is no such document.
    /// @par Complexity  amortised O(its terms * log documents + documents / 64).
    bool erase(doc_id id) {
        detail::inverted_fields::writer writer(index_);
        auto const at = writer.state().locate(id);
        if (!at) return false;
        for (auto& field : writer.fields()) field.remove(*at);
        writer.publish();
        return true;
    }

    /// Gives a document other texts; its id stays.
    /// @throws trawl::error (unknown_id) if there is no such document; as add.
    void update(doc_id id, std::span<std::string_view const> texts) {
        check_texts("bm25f_index::update", texts.size());
        detail::inverted_fields::writer writer(index_);
        auto const at = writer.state().locate(id);
        if (!at)
            detail::fail(errc::unknown_id, detail::join("bm25f_index::update: no document ", id));
        auto document = analyzed(writer, texts);
        for (auto& field : writer.fields()) field.remove(*at);
        append(writer, id, document);
        writer.publish();
    }
    void update(doc_id id, std::initializer_list<std::string_view> texts) {
        update(id, std::span(texts.begin(), texts.size()));
    }

    /// Makes one segment of all documents: the smallest and fastest form of a collection that
    /// rests. No id and no score changes.
    /// @par Complexity O(postings).
    void compact() {
        detail::inverted_fields::writer writer(index_);
        for (auto& field : writer.fields()) field.compact();
        writer.publish();
    }

    /// The best k documents that share a term with the query in any field: as bm25_index::search.
    [[nodiscard]] ranking search(query const& q, search_options const& options) const {
        return scorer(index_.read(), q, options).search();
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
    [[nodiscard]] std::vector<hit> score(
        query const& q, std::span<doc_id const> ids, search_options const& options = {}) const {
        if (q.text.empty() && q.terms.empty()) return {};
        return scorer(index_.read(), q, options).score(ids);
    }

    /// Why the document has its score in such a search: for each term idf, and for each field that
    /// holds it tf, length and weight; a leaf "no match" of value 0 as bm25_index::explain.
    [[nodiscard]] explanation explain(
        query const& q, doc_id id, search_options const& options = {}) const {
        return scorer(index_.read(), q, options).explain(id);
    }

    /// The same for a lexical_query, which may name fields: as bm25_index::search.
    /// trawl/lexical/detail/search/boolean_query.hpp must be included.
    /// @throws trawl::error (invalid_argument) if there is no field of the name.
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
    [[nodiscard]] std::size_t size() const { return state()->live; }

    /// The id that the next add gives; every id so far is below it.
    [[nodiscard]] doc_id next_id() const { return state()->next_id; }

    [[nodiscard]] bool contains(doc_id id) const { return state()->locate(id).has_value(); }

    [[nodiscard]] bm25 const& parameters() const noexcept { return parameters_; }
    [[nodiscard]] std::span<bm25_field const> fields() const noexcept { return fields_; }

private:
    friend detail::stored<basic_bm25f_index>;

    static void validate(std::span<bm25_field const> fields) {
        if (fields.empty())
            detail::fail(errc::invalid_argument, "bm25f_index: there must be a field");
        for (std::size_t i = 0; i < fields.size(); ++i) {
            auto const& [name, weight, b] = fields[i];
            if (name.empty() || name.find('\0') != name.npos) {
                detail::fail(errc::invalid_argument, detail::join("bm25f_index: the name of field ",
                                                         i, " is empty or has a zero byte"));
            }
            for (std::size_t other = 0; other < i; ++other) {
                if (fields[other].name != name) continue;
                detail::fail(errc::invalid_argument,
                    detail::join("bm25f_index: two fields are called '", name, "'"));
            }
            require("weight", name, weight, weight > 0 && weight <= 1000, "(0, 1000]");
            if (b) require("b", name, *b, *b >= 0 && *b <= 1, "[0, 1]");
        }
    }

    static void require(std::string_view what, std::string_view field, double value, bool inside,
        std::string_view range) {
        if (detail::is_finite(value) && inside) return;
        detail::fail(detail::is_finite(value) ? errc::invalid_argument : errc::not_finite,
            detail::join("bm25f_index: ", what, " of the field '", field, "' must be in ", range,
                ", is ", value));
    }

    void check_texts(std::string_view caller, std::size_t texts) const {
        if (texts == fields_.size()) return;
        detail::fail(errc::invalid_argument,
            detail::join(caller, ": ", texts, " texts for ", fields_.size(), " fields"));
    }

    /// @tparam Text  a text, or the terms of one.
    template <class Text>
    doc_id insert(std::optional<doc_id> wanted, std::span<Text const> texts) {
        check_texts("bm25f_index::add", texts.size());
        detail::inverted_fields::writer writer(index_);
        auto const id = detail::checked_id("bm25f_index::add", wanted, writer.state().next_id);
        append(writer, id, analyzed(writer, texts));
        writer.publish();
        return id;
    }
    doc_id insert(std::optional<doc_id> wanted, std::initializer_list<std::string_view> texts) {
        return insert(wanted, std::span(texts.begin(), texts.size()));
    }

    template <class Text>
    [[nodiscard]] std::vector<detail::analyzed_document> analyzed(
        detail::inverted_fields::writer& writer, std::span<Text const> texts) const {
        std::vector<detail::analyzed_document> made;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            made.push_back(
                detail::analyzed(analyzer_, texts[i], options_.positions, writer.fields()[i]));
        }
        return made;
    }

    static void append(detail::inverted_fields::writer& writer, doc_id id,
        std::span<detail::analyzed_document const> document) {
        for (std::size_t i = 0; i < document.size(); ++i) {
            detail::append(writer.fields()[i], id, document[i]);
        }
    }

    /// Of the first field.
    [[nodiscard]] detail::inverted_index::reader state() const { return index_.read()->front(); }

    [[nodiscard]] detail::field_scorer scorer(detail::inverted_fields::reader index, query const& q,
        search_options const& options) const {
        std::vector<detail::field_scorer::asked_term> asked;
        for (auto const& [term, weight] : q.terms) {
            detail::check_term_weight(term, weight);
            asked.push_back({std::string(term), weight});
        }
        if (q.terms.empty()) {
            analyzer_.analyze(q.text, [&](token const& t) {
                asked.push_back({std::string(t.term), 1});
            });
        }
        return {std::move(index), fields_, parameters_, std::move(asked), options};
    }

    template <class Question, class Call>
    [[nodiscard]] auto with_question(
        Question const& question, search_options const& options, Call const& call) const {
        auto const analyze = [&](std::string_view text, token_sink sink) {
            analyzer_.analyze(text, sink);
        };
        return call(detail::boolean_query<Question, detail::field_scorer>(
            detail::field_scorer(index_.read(), fields_, parameters_, {}, options), fields_,
            options_.positions, analyze, question, options));
    }

    std::vector<bm25_field> fields_;
    Analyzer analyzer_;
    bm25 parameters_;
    index_options options_;
    detail::inverted_fields index_;
};

using bm25f_index = basic_bm25f_index<>;

TRAWL_END_NAMESPACE
