// SPDX-License-Identifier: MIT
#pragma once

/// The metadata of a segment's rows as columns with indexes: conditions to row bitmaps, sorting by a
/// field, values of a row. Written to and mapped from sections. columns_builder.hpp makes them,
/// facet_counter.hpp counts their values.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/collection/condition.hpp>
#include <trawl/collection/metadata.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE

namespace detail {

/// A bitmap over rows: bit i % 64 of word i / 64 is row i; bits from the number of rows on are 0.
using row_words = std::vector<std::uint64_t>;

/// Where a ranking sorted by a field goes on: behind the rows whose value comes before `value`, and of
/// those with that value at row `row`.
struct sort_position {
    std::optional<metadata_value> value = {}; ///< none: the rows without a value, which come last
    std::uint32_t row = 0;
};

/// A row and its value of the field that it is sorted by.
struct sorted_row {
    std::uint32_t row = 0;
    std::optional<metadata_value> value = {};
};

struct columns_data;

/// Whether the value comes before the other in a ranking that ascends by a field; both of the same type.
[[nodiscard]] bool value_less(metadata_value const& a, metadata_value const& b);

/// The columns of a segment. Immutable; copies share it. A field that the segment was written without
/// has no values there.
class columns {
public:
    /// What the names of sections may begin with.
    static constexpr std::size_t max_prefix = 4;

    /// No rows and no fields.
    columns();
    explicit columns(std::shared_ptr<columns_data const> data) noexcept;

    /// Columns that add_to() added with this prefix. Checks the sizes of all sections, in time that
    /// does not depend on the rows; keeps the file open. Whatever the arrays hold, later calls read
    /// nothing outside them; verify() checks what they hold.
    /// @throws trawl::error (corrupt), its text beginning "PATH: ".
    [[nodiscard]] static columns open(
        section_file const& file, std::string_view prefix, std::size_t rows);

    /// Adds the sections, each name beginning with the prefix of at most max_prefix bytes. The writer
    /// keeps views: this or a copy must live until it has written.
    void add_to(section_writer& writer, std::string_view prefix) const;

    /// Checks every relation between the arrays.
    /// @throws trawl::error (corrupt) naming the field, its text beginning "PATH: " if they are of a
    /// file.
    /// @par Complexity  O(bytes).
    void verify() const;

    [[nodiscard]] columns_data const& data() const noexcept { return *data_; }
    [[nodiscard]] std::size_t rows() const noexcept;
    [[nodiscard]] std::span<metadata_field const> fields() const noexcept;

    /// The rows for which the condition is true. Validate the condition against the collection's
    /// fields before: here a field that is not known has no values.
    /// @throws trawl::error (invalid_argument) as validate(), for a field that is known.
    /// @par Complexity  O(rows / 64) for each node, and for each comparison O(log values + matching
    /// rows) or O(rows), whichever is less.
    [[nodiscard]] row_words evaluate(condition const& asked) const;

    /// A row's value of a field, if it has one.
    [[nodiscard]] std::optional<metadata_value> value(
        std::uint32_t row, std::string_view field) const;

    /// All values of a row, in the order of the fields.
    [[nodiscard]] metadata values(std::uint32_t row) const;

    /// Up to k rows among `among` by their value of a field, then by row; rows without a value come
    /// last, whichever the direction. Not for lists: of them every row is without a value.
    /// @param among  a bitmap over the rows.
    /// @param after  where to go on; null: from the beginning.
    /// @par Complexity  O(rows) at most; about O(k * rows / |among|).
    [[nodiscard]] std::vector<sorted_row> sorted(std::string_view field, bool descending,
        std::span<std::uint64_t const> among, std::size_t k,
        sort_position const* after = nullptr) const;

private:
    std::shared_ptr<columns_data const> data_;
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/collection/detail/columns_inl.hpp>
#endif
