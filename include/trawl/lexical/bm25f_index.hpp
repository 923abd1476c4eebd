// SPDX-License-Identifier: MIT
#pragma once

/// A lexical index of documents with several fields, such as title and text, ranked by BM25F.

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/executor.hpp>
#include <trawl/core/words.hpp>
#include <trawl/lexical/bm25.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/lexical/detail/bm25f_engine.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>

TRAWL_BEGIN_NAMESPACE

/// Documents of several fields, each a bag of terms, ranked by BM25F: the frequency of a term in
/// each field is divided by B of the field's length and multiplied by the field's weight; the sum
/// over the fields saturates once. So a word in a title of weight 2 counts as two words, and no
/// document scores twice for having the word in title and text, as it would if a BM25 score of each
/// field were added (see docs/fields.md). For variants other than lucene, the sum takes the place of
/// tf / B in their formulas.
///
///     trawl::bm25f_index index({{"title", 2}, {"text"}});
///     index.add({"Refunds", "A refund takes three days."});
///
/// All that basic_lexical_index promises holds. N counts all live documents, df those that contain
/// the term in any field; the average length of a field is over all live documents, including those
/// where it is empty.
template <analyzer Analyzer = standard_analyzer>
class basic_bm25f_index : public basic_lexical_index<Analyzer, detail::bm25f_engine> {
    using base = basic_lexical_index<Analyzer, detail::bm25f_engine>;
    using texts_view = std::span<std::string_view const>;
    using texts_list = std::initializer_list<std::string_view>;

public:
    /// @param fields  1 to 100 fields with different names.
    /// @throws trawl::error as bm25::validate; (invalid_argument, not_finite) naming the field.
    explicit basic_bm25f_index(
        std::vector<bm25_field> fields, bm25 parameters = {}, index_options options = {})
        : basic_bm25f_index(std::move(fields), Analyzer(), parameters, options) {}
    basic_bm25f_index(std::vector<bm25_field> fields, Analyzer analyzer, bm25 parameters = {},
        index_options options = {})
        : base(std::move(analyzer), detail::bm25f_engine(std::move(fields), parameters, options)) {}

    /// Adds a document under the next id.
    /// @param texts  One for each field, in their order; empty where the document lacks the field.
    /// @throws trawl::error (invalid_argument) if there are more or fewer texts than fields, or no
    /// id is left; what the analyzer throws.
    /// @par Complexity amortised O(its tokens).
    doc_id add(texts_view texts) { return this->engine_.add(this->analyze(), nullptr, texts); }
    doc_id add(texts_list texts) { return add(texts_view(texts.begin(), texts.size())); }

    /// Adds a document under this id. Ids ascend strictly; gaps are allowed.
    /// @throws trawl::error (id_order) if the id is below next_id(); (invalid_argument) if it is
    /// no_doc.
    doc_id add(doc_id id, texts_view texts) {
        return this->engine_.add(this->analyze(), &id, texts);
    }
    doc_id add(doc_id id, texts_list texts) {
        return add(id, texts_view(texts.begin(), texts.size()));
    }

    /// Adds documents under the next ids, in their order. The index is the same as after adding
    /// them one by one. All are added or none.
    /// @param documents  the texts of each, as add takes them.
    /// @param pool  whose threads help; null: the calling thread alone.
    /// @return the first id; the next one if there are no documents.
    /// @throws trawl::error (invalid_argument) if a document has more or fewer texts than there are
    /// fields, or too few ids are left; what the analyzer throws.
    doc_id add_all(std::span<texts_view const> documents, executor const* pool = nullptr) {
        for (auto const& texts : documents) this->engine_.check_texts("add_all", texts.size());
        return this->engine_.add_all(
            this->analyze(), documents.size(),
            [&](std::size_t document, std::size_t field) { return documents[document][field]; },
            pool);
    }

    /// Adds a document that is analysed already: the terms of each field in order, each at a
    /// position of its own.
    doc_id add_terms(std::span<texts_view const> fields) {
        return this->engine_.add_terms(nullptr, fields);
    }
    doc_id add_terms(doc_id id, std::span<texts_view const> fields) {
        return this->engine_.add_terms(&id, fields);
    }

    /// Replaces a document's texts. Its id stays.
    /// @return false if there is no such document.
    /// @throws trawl::error (invalid_argument) as add.
    bool update(doc_id id, texts_view texts) {
        return this->engine_.update(this->analyze(), id, texts);
    }
    bool update(doc_id id, texts_list texts) {
        return update(id, texts_view(texts.begin(), texts.size()));
    }

    [[nodiscard]] std::span<bm25_field const> fields() const noexcept {
        return this->engine_.fields();
    }

private:
    friend detail::stored<basic_bm25f_index>;

    basic_bm25f_index(Analyzer analyzer, detail::lexical_engine&& opened)
        : base(std::move(analyzer), detail::bm25f_engine(std::move(opened))) {}
};

using bm25f_index = basic_bm25f_index<>;

TRAWL_END_NAMESPACE
