// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of new_segment.hpp.

#include <trawl/collection/detail/new_segment.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/collection/detail/columns_builder.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE new_segment::new_segment(collection_schema const& schema,
    std::span<pending_document const> documents, doc_id first, lexical_dictionary& terms,
    executor const* pool)
    : documents_(schema.texts(), schema.text_number("text")) {
    struct row_text {
        pending_document const* document;
        pending_passage const* passage;
    };
    auto const body = schema.text_number("text");
    std::vector<row_text> rows;
    columns_builder metadata(schema.fields);
    for (auto const& space : schema.spaces) vectors_.emplace_back(space.dim, space.metric);
    for (std::size_t space = 0; space < vectors_.size(); ++space) {
        std::size_t count = 0;
        for (auto const& each : documents)
            if (!each.replaced && !each.vectors[space].empty()) count += each.passages.size();
        vectors_[space].reserve(count);
    }
    for (auto const& each : documents) {
        if (each.replaced) continue;
        if (each.passages.size() > no_doc - first - ids_.size())
            fail(errc::invalid_argument, "collection: no document ids are left");
        std::vector<std::string_view> const texts(each.texts.begin(), each.texts.end());
        documents_.begin(each.given.key, each.given.parent, texts, each.marks);
        auto const first_of_document = first + static_cast<doc_id>(ids_.size());
        for (auto const& passage : each.passages) {
            if (passage.other) {
                documents_.add_text(*passage.other);
            } else if (body < schema.texts()) {
                documents_.add_part(passage.begin, passage.size);
            } else {
                documents_.add_whole(0);
            }
            metadata.add(each.given.metadata);
            ids_.push_back(first + static_cast<doc_id>(ids_.size()));
            rows.push_back({&each, &passage});
        }
        for (std::size_t space = 0; space < vectors_.size(); ++space)
            add_vectors(space, each, first_of_document);
    }
    documents_.finish();
    metadata_ = metadata.finish();
    words_ = lexical_segment_builder::of_texts(
        *schema.lexical, terms, ids_,
        [&](std::size_t row, std::size_t field) {
            auto const& [document, passage] = rows[row];
            std::string_view const text = document->texts[field];
            return field == body ? passage->text(text) : text;
        },
        pool);
}

TRAWL_INLINE void new_segment::add_vectors(
    std::size_t space, pending_document const& of, doc_id first) {
    auto const& values = of.vectors[space];
    auto const dim = of.passages.empty() ? 0 : values.size() / of.passages.size();
    for (std::size_t i = 0; dim > 0 && i < of.passages.size(); ++i) {
        vectors_[space].add(
            first + static_cast<doc_id>(i), std::span(values).subspan(i * dim, dim));
    }
}

TRAWL_INLINE new_segment::new_segment(collection_state const& from, std::size_t first,
    std::size_t last, bool keep_terms, executor const* pool)
    : documents_(from.schema->texts(), from.schema->text_number("text")) {
    auto const& schema = *from.schema;
    auto const body = schema.text_number("text");
    columns_builder metadata(schema.fields);
    for (auto const& space : schema.spaces) vectors_.emplace_back(space.dim, space.metric);
    for (std::size_t space = 0; space < vectors_.size(); ++space) {
        std::size_t count = 0;
        for (auto i = first; i < last; ++i) count += from.segments[i]->vectors[space].ids().size();
        vectors_[space].reserve(count);
    }
    std::vector<live_lexical_segment> inputs;
    std::vector<std::string_view> texts(schema.texts());
    for (auto i = first; i < last; ++i) {
        auto const& segment = *from.segments[i];
        auto const& documents = segment.documents;
        inputs.push_back({segment.words, from.moment.segments[i].live});
        for (std::size_t d = 0; d < documents.documents(); ++d) {
            auto const [begin, end] = documents.rows_of(d);
            if (begin == end || !from.is_live({i, begin})) continue;
            for (std::size_t field = 0; field < texts.size(); ++field)
                texts[field] = documents.text(d, field);
            documents_.begin(documents.key(d), documents.parent(d), texts, documents.marks(d));
            for (auto row = begin; row < end; ++row) {
                auto const passage = documents.passage(row);
                if (auto const at = documents.place_in_document(row)) {
                    documents_.add_part(*at, passage.size());
                } else if (body < schema.texts() && !passage.empty()) {
                    documents_.add_text(passage);
                } else {
                    documents_.add_whole(0);
                }
                metadata.add(segment.metadata, row);
                ids_.push_back(segment.id(row));
            }
        }
        for (std::size_t space = 0; space < vectors_.size(); ++space) {
            auto const have = segment.vectors[space].ids();
            for (std::size_t v = 0; v < have.size(); ++v) {
                auto const row = segment.row_of(have[v]);
                if (row && from.is_live({i, *row}))
                    vectors_[space].add(have[v], segment.vectors[space].vector(v));
            }
        }
    }
    documents_.finish();
    metadata_ = metadata.finish();
    words_ = keep_terms ? lexical_segment_builder::of_segments(from.terms, inputs, pool)
                        : lexical_segment_builder::of_all(from.terms, inputs, pool);
}

TRAWL_INLINE void new_segment::add_to(section_writer& writer, executor const* pool) {
    head_ = {.rows = ids_.size(),
        .documents = documents_.documents(),
        .first_id = ids_.empty() ? 0 : ids_.front(),
        .texts = static_cast<std::uint32_t>(documents_.texts()),
        .spaces = static_cast<std::uint32_t>(vectors_.size())};
    auto const consecutive = ids_.empty() || ids_.back() - ids_.front() == ids_.size() - 1;
    writer.add("segment", std::span<segment_head const>(&head_, 1));
    writer.add("ids", consecutive ? std::span<doc_id const>() : std::span<doc_id const>(ids_));
    documents_.add_to(writer);
    words_->add_to(writer);
    for (std::size_t space = 0; space < vectors_.size(); ++space)
        vectors_[space].add_to(writer, space_prefix(space), pool);
    metadata_.add_to(writer, column_prefix);
}

} // namespace detail
TRAWL_END_NAMESPACE
