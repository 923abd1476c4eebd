// SPDX-License-Identifier: MIT
#pragma once

/// Metadata beside indexes of the caller's own: conditions become filters.

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <trawl/collection/condition.hpp>
#include <trawl/collection/detail/columns.hpp>
#include <trawl/collection/facets.hpp>
#include <trawl/collection/metadata.hpp>
#include <trawl/core/doc_set.hpp>
#include <trawl/core/filter.hpp>
#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE

/// The metadata of documents 0, 1, …, made once. For programs that keep bm25_index and flat_index
/// themselves; a collection has this inside.
///
///     trawl::metadata_table const about({{"version", trawl::text_field}}, metadata_of_documents);
///     trawl::doc_set const current = about.matching(trawl::field("version") == "3.1");
///     search({.text = "refund"}, 10, current);
///
/// Immutable; copies share it. Any number of threads may use it at once.
class metadata_table {
public:
    metadata_table() = default;

    /// @param rows  of document i at place i; empty where it has none.
    /// @throws trawl::error as validate(fields); (unknown_id, invalid_argument) for an entry that
    /// converted() refuses, naming the document; (invalid_argument) if there are too many rows.
    /// @par Complexity  O(n log n) for n rows, for each field.
    metadata_table(std::vector<metadata_field> fields, std::span<metadata const> rows);

    [[nodiscard]] std::size_t size() const noexcept { return columns_.rows(); }
    [[nodiscard]] std::span<metadata_field const> fields() const noexcept {
        return columns_.fields();
    }

    /// The documents for which the condition is true, over the universe size().
    /// @throws trawl::error as validate(condition, fields).
    /// @par Complexity  O(size() / 64) for each part of the condition, and for each comparison
    /// O(log values + matches) or O(size()), whichever is less.
    [[nodiscard]] doc_set matching(condition const& asked) const;

    /// The values of a document, in the order of the fields.
    /// @throws trawl::error (unknown_id) if there is no such document.
    [[nodiscard]] metadata at(doc_id id) const;

    /// The n most frequent values of a field among the documents inside the filter: count
    /// descending, then value ascending. Of a list, each element counts.
    /// @throws trawl::error (unknown_id) naming a field that does not exist and those that do.
    /// @par Complexity  O(size() + v log v) for v values.
    [[nodiscard]] std::vector<facet_count> facets(
        std::string_view field, std::size_t n, filter const& where = {}) const;

private:
    detail::columns columns_;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/collection/detail/metadata_table_inl.hpp>
#endif
