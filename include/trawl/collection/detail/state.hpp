// SPDX-License-Identifier: MIT
#pragma once

/// A collection at one moment: what searches read while the next moments are written.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/collection/detail/columns.hpp>
#include <trawl/collection/detail/manifest.hpp>
#include <trawl/collection/detail/passages.hpp>
#include <trawl/collection/detail/schema.hpp>
#include <trawl/collection/detail/segment_store.hpp>
#include <trawl/collection/document.hpp>
#include <trawl/core/doc_set.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/flat_segments.hpp>
#include <trawl/lexical/lexical_segments.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// What names of sections of metadata begin with.
inline constexpr char const* column_prefix = "m ";
[[nodiscard]] inline std::string space_prefix(std::size_t space) { return join("v", space, " "); }

struct segment_head {
    std::uint64_t rows = 0;
    std::uint64_t documents = 0;
    std::uint32_t first_id = 0;
    std::uint32_t texts = 0;
    std::uint32_t spaces = 0;
    std::uint32_t zero = 0;
};

/// A segment's file, opened. Immutable and shared.
struct stored_segment {
    /// Checks all that later calls rely on.
    /// @throws trawl::error (corrupt), its text beginning with the file's path.
    stored_segment(section_file from, collection_schema const& schema, std::uint64_t number,
        std::uint64_t rows);

    [[nodiscard]] std::size_t rows() const noexcept { return documents.rows(); }
    [[nodiscard]] doc_id id(std::size_t row) const noexcept {
        return ids.empty() ? first_id + static_cast<doc_id>(row) : ids[row];
    }
    [[nodiscard]] std::optional<std::uint32_t> row_of(doc_id id) const noexcept;

    /// What the document of a row is a part of: its own key unless it was given.
    [[nodiscard]] std::string_view parent_of(std::size_t row) const noexcept {
        auto const document = documents.document_of(row);
        auto const parent = documents.parent(document);
        return parent.empty() ? documents.key(document) : parent;
    }

    /// The vector of an id in a space; empty if it has none.
    /// @throws trawl::error (corrupt) if it is not finite.
    [[nodiscard]] std::vector<float> vector_of(std::size_t space, doc_id id) const;

    /// Reads every byte and checks every relation.
    /// @throws trawl::error (corrupt).
    void verify() const;

    section_file file;
    std::uint64_t number;
    doc_id first_id = 0;
    std::span<doc_id const> ids = {}; ///< of the rows; none: consecutive
    passages documents = {};
    lexical_segment words = {};
    std::vector<flat_segment> vectors = {}; ///< of each space
    columns metadata = {};
};

/// A row of a segment.
struct row_place {
    std::size_t segment = 0;
    std::uint32_t row = 0;
};

struct collection_state {
    std::shared_ptr<collection_schema const> schema;
    manifest moment;
    std::vector<std::shared_ptr<stored_segment const>> segments; ///< as moment.segments
    lexical_dictionary terms;
    lexical_segments lexical;
    std::vector<flat_segments> vectors; ///< of each space
    std::shared_ptr<doc_set const> live;
    std::size_t documents = 0;
    std::size_t passages = 0;
    std::vector<std::size_t> documents_of = {}; ///< how many live ones each segment has

    /// Opens the segments of a manifest.
    /// @param before  an earlier moment, whose open segments and terms are used where they are the
    /// same; null: none.
    /// @throws trawl::error (io; corrupt).
    [[nodiscard]] static std::shared_ptr<collection_state const> opened(segment_store const& store,
        std::shared_ptr<collection_schema const> schema, manifest moment,
        collection_state const* before);

    [[nodiscard]] bool is_live(row_place at) const noexcept {
        auto const& bits = moment.segments[at.segment].live;
        return bits == nullptr || ((*bits)[at.row / 64] >> at.row % 64 & 1u) != 0;
    }
    /// Where the live document of this key begins.
    [[nodiscard]] std::optional<row_place> find(std::string_view key) const noexcept;
    /// The live row of an id.
    [[nodiscard]] std::optional<row_place> locate(doc_id id) const noexcept;
    /// The document that a row is of, as it was put.
    [[nodiscard]] document document_at(row_place at) const;
    /// The live rows for which a condition is true.
    /// @throws trawl::error as validate(asked, schema->fields).
    [[nodiscard]] doc_set matching(condition const& asked) const;
};

/// The live rows of one segment for which a condition is true.
[[nodiscard]] row_words live_matching(
    collection_state const& state, std::size_t segment, condition const& asked);

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/collection/detail/state_inl.hpp>
#endif
