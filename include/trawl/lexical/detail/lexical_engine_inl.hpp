// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of lexical_engine.hpp.

#include <trawl/lexical/detail/lexical_engine.hpp>

#include <utility>

#include <trawl/error.hpp>
#include <trawl/lexical/detail/lexical_problem.hpp>
#include <trawl/lexical/detail/segments/document_chunks.hpp>
#include <trawl/lexical/detail/segments/field_document.hpp>
#include <trawl/lexical/detail/segments/inverted_index.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE lexical_engine::lexical_engine(
    std::vector<bm25_field> fields, bm25 const& parameters, index_options options)
    : fields_(std::move(fields)), parameters_(parameters), options_(options) {
    parameters_.validate();
    if (auto const wrong = problem_of(array_ref<bm25_field const>(fields_)); !wrong.text.empty())
        fail(wrong.code, wrong.text);
    index_ = counted_ptr<inverted_index>::make(field_count());
}

TRAWL_INLINE lexical_engine::lexical_engine(std::vector<bm25_field> fields, bm25 const& parameters,
    index_options options, index_reader begin)
    : lexical_engine(std::move(fields), parameters, options) {
    index_ = counted_ptr<inverted_index>::make(std::move(begin));
}

TRAWL_INLINE lexical_engine::lexical_engine(lexical_engine const& other)
    : fields_(other.fields_),
      parameters_(other.parameters_),
      options_(other.options_),
      index_(counted_ptr<inverted_index>::make(independent(other.read()))) {}

TRAWL_INLINE lexical_engine::lexical_engine(lexical_engine&& other) noexcept = default;

TRAWL_INLINE lexical_engine& lexical_engine::operator=(lexical_engine const& other) {
    if (this != &other) *this = lexical_engine(other);
    return *this;
}

TRAWL_INLINE lexical_engine& lexical_engine::operator=(lexical_engine&& other) noexcept = default;

TRAWL_INLINE lexical_engine::~lexical_engine() = default;

TRAWL_INLINE std::string_view lexical_engine::name() const noexcept {
    return fields_.empty() ? "bm25_index" : "bm25f_index";
}

TRAWL_INLINE std::size_t lexical_engine::field_count() const noexcept {
    return fields_.empty() ? 1 : fields_.size();
}

TRAWL_INLINE index_reader lexical_engine::read() const {
    if (index_ == nullptr) return inverted_index::empty(field_count());
    return index_->read();
}

TRAWL_INLINE inverted_index& lexical_engine::writable() {
    if (index_ == nullptr) index_ = counted_ptr<inverted_index>::make(field_count());
    return *index_;
}

TRAWL_INLINE void lexical_engine::check_texts(std::string_view caller, std::size_t texts) const {
    if (texts == field_count()) return;
    fail(errc::invalid_argument,
        join(name(), "::", caller, ": ", texts, " texts for ", field_count(), " fields"));
}

/// The id under which a document is added: *id, or the next one if `id` is null.
/// @throws trawl::error (invalid_argument; id_order).
[[nodiscard]] TRAWL_INLINE doc_id checked_id(
    std::string_view index, doc_id const* id, doc_id next) {
    auto const wanted = id != nullptr ? *id : next;
    if (wanted == no_doc) {
        fail(errc::invalid_argument, join(index, "::add: 0xFFFFFFFF is not a document id"));
    }
    if (wanted < next) {
        fail(errc::id_order, join(index, "::add: id ", wanted, " is below the next id ", next));
    }
    return wanted;
}

TRAWL_INLINE doc_id lexical_engine::add(
    analyzer_ref analyze, doc_id const* id, std::span<std::string_view const> texts) {
    check_texts("add", texts.size());
    inverted_index::writer writer(writable());
    auto const added = checked_id(name(), id, writer.state().next_id);
    auto& document = writer.document();
    for (std::size_t i = 0; i < texts.size(); ++i) {
        auto& field = writer.fields()[i];
        document.analyze(analyze, texts[i], options_, field.terms());
        field.append(added, document);
    }
    writer.publish();
    return added;
}

TRAWL_INLINE doc_id lexical_engine::add_terms(
    doc_id const* id, std::span<std::span<std::string_view const> const> fields) {
    check_texts("add_terms", fields.size());
    inverted_index::writer writer(writable());
    auto const added = checked_id(name(), id, writer.state().next_id);
    auto& document = writer.document();
    for (std::size_t i = 0; i < fields.size(); ++i) {
        auto& field = writer.fields()[i];
        document.take(fields[i], options_.positions, field.terms());
        field.append(added, document);
    }
    writer.publish();
    return added;
}

TRAWL_INLINE doc_id lexical_engine::add_all(
    analyzer_ref analyze, std::size_t documents, text_ref text, executor const* pool) {
    inverted_index::writer writer(writable());
    auto const first = writer.state().next_id;
    if (documents > no_doc - first) {
        fail(errc::invalid_argument, join(name(), "::add_all: ", documents, " documents from id ",
                                         first, " on are too many"));
    }
    append_chunks(writer.fields(), documents, analyze, text, options_, pool);
    writer.publish();
    return first;
}

TRAWL_INLINE bool lexical_engine::update(
    analyzer_ref analyze, doc_id id, std::span<std::string_view const> texts) {
    check_texts("update", texts.size());
    inverted_index::writer writer(writable());
    auto const at = writer.state().locate(id);
    if (!at) return false;
    auto& document = writer.document();
    for (std::size_t i = 0; i < texts.size(); ++i) {
        auto& field = writer.fields()[i];
        document.analyze(analyze, texts[i], options_, field.terms());
        field.remove(*at);
        field.append(id, document);
    }
    writer.publish();
    return true;
}

TRAWL_INLINE bool lexical_engine::erase(doc_id id) {
    inverted_index::writer writer(writable());
    auto const at = writer.state().locate(id);
    if (!at) return false;
    for (auto& field : writer.fields()) field.remove(*at);
    writer.publish();
    return true;
}

TRAWL_INLINE void lexical_engine::compact(executor const* pool) {
    inverted_index::writer writer(writable());
    for (auto& field : writer.fields()) field.compact(pool);
    writer.publish();
}

TRAWL_INLINE void lexical_engine::freeze(executor const* pool) {
    inverted_index::writer writer(writable());
    for (auto& field : writer.fields()) field.freeze(pool);
    writer.publish();
}

TRAWL_INLINE std::size_t lexical_engine::size() const { return read()->front()->live; }

TRAWL_INLINE doc_id lexical_engine::next_id() const { return read()->front()->next_id; }

TRAWL_INLINE bool lexical_engine::contains(doc_id id) const {
    return read()->front()->locate(id).has_value();
}

TRAWL_INLINE void lexical_engine::set_parameters(bm25 const& parameters) {
    parameters.validate();
    parameters_ = parameters;
}

} // namespace detail
TRAWL_END_NAMESPACE
