// SPDX-License-Identifier: MIT
#pragma once

/// A segment that is to be written: of documents that were put, or of other segments.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/collection/detail/columns.hpp>
#include <trawl/collection/detail/passages.hpp>
#include <trawl/collection/detail/schema.hpp>
#include <trawl/collection/detail/state.hpp>
#include <trawl/collection/document.hpp>
#include <trawl/core/executor.hpp>
#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// A passage of a document that was put: bytes of its body, or a text that is no part of it.
struct pending_passage {
    std::size_t begin = 0;
    std::size_t size = 0;
    std::optional<std::string> other = {};

    [[nodiscard]] std::string_view text(std::string_view body) const noexcept {
        return other ? std::string_view(*other) : body.substr(begin, size);
    }
};

/// A document that was put and is not yet committed.
struct pending_document {
    document given = {};                 ///< but for its texts and vectors, which are below
    std::vector<std::string> texts = {}; ///< of the fields
    std::vector<pending_passage> passages = {};
    std::vector<std::vector<float>> vectors =
        {};                  ///< of each space, the passages' in a row; or none
    std::uint32_t marks = 0; ///< see given_vectors
    bool replaced = false;   ///< by a later one, or erased
};

class new_segment {
public:
    /// Of the documents that are not replaced, under ids from `first` on.
    /// @param terms  new ones are added.
    /// @throws what the analyzer throws.
    new_segment(collection_schema const& schema, std::span<pending_document const> documents,
        doc_id first, lexical_dictionary& terms, executor const* pool);

    /// Of the live rows of the segments [first, last).
    /// @param keep_terms  terms keep their ids, so that segments behind the last stay readable; else
    /// those that no row has are left out, which needs all segments.
    new_segment(collection_state const& from, std::size_t first, std::size_t last, bool keep_terms,
        executor const* pool);

    new_segment(new_segment const&) = delete;
    new_segment& operator=(new_segment const&) = delete;

    [[nodiscard]] std::size_t rows() const noexcept { return ids_.size(); }
    [[nodiscard]] std::span<doc_id const> ids() const noexcept { return ids_; }
    [[nodiscard]] doc_id last_id() const noexcept { return ids_.back(); }

    /// Replaces the vectors of a space: each passage is embedded by the embedder of the schema.
    void embed_again(collection_state const& from, std::size_t space,
        collection_schema const& schema, any_embedder::progress const* report);

    /// The writer keeps views of this.
    void add_to(section_writer& writer, executor const* pool);

private:
    void add_vectors(std::size_t space, pending_document const& of, doc_id first);

    segment_head head_ = {};
    std::vector<doc_id> ids_;
    passages_builder documents_;
    std::optional<lexical_segment_builder> words_;
    std::vector<flat_segment_builder> vectors_;
    columns metadata_;
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/collection/detail/new_segment_inl.hpp>
#endif
