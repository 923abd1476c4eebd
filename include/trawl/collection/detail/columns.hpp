// SPDX-License-Identifier: MIT
#pragma once

/// The metadata of a segment's rows as columns with indexes: conditions to row bitmaps, facets, sorting
/// by a field, values of a row. Written to and mapped from sections.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/collection/condition.hpp>
#include <trawl/collection/metadata.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE

/// A value of a field and how many documents have it.
struct facet_count {
    metadata_value value;
    std::size_t count = 0;

    friend bool operator==(facet_count const&, facet_count const&) = default;
};

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

/// The columns of a segment. Immutable; copies share it. A field that the segment was written without
/// has no values there.
class columns {
public:
    /// What the names of sections may begin with.
    static constexpr std::size_t max_prefix = 4;

    /// No rows and no fields.
    columns();

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
    friend class columns_builder;
    friend class facet_counter;

    explicit columns(std::shared_ptr<columns_data const> data) noexcept;

    std::shared_ptr<columns_data const> data_;
};

struct column_builder;

/// Collects the metadata of rows, one after the other.
class columns_builder {
public:
    /// @throws trawl::error as validate(fields).
    explicit columns_builder(std::vector<metadata_field> fields);
    columns_builder(columns_builder&&) noexcept;
    columns_builder& operator=(columns_builder&&) noexcept;
    columns_builder(columns_builder const&) = delete;
    columns_builder& operator=(columns_builder const&) = delete;
    ~columns_builder();

    /// Adds a row.
    /// @throws trawl::error as converted(metadata, fields), before anything changed. Not so if memory
    /// runs out: the builder may then only be destroyed.
    void add(metadata const& given);

    /// Adds a row of other columns: the values of fields that are here, which must have the same type.
    void add(columns const& from, std::uint32_t row);

    [[nodiscard]] std::size_t rows() const noexcept { return rows_; }

    /// The columns of all rows added. The builder is then empty.
    /// @par Complexity  O(rows log rows) for each field.
    [[nodiscard]] columns finish();

private:
    std::vector<metadata_field> fields_;
    std::vector<column_builder> columns_;
    std::size_t rows_ = 0;
};

/// Counts the values of a field over the rows of several segments.
class facet_counter {
public:
    explicit facet_counter(std::string field) : field_(std::move(field)) {}

    /// Counts the rows of a bitmap. The columns must live until top() was called. Of a list, each
    /// element counts, a row once for each different one.
    /// @par Complexity  O(rows + values).
    void add(columns const& from, std::span<std::uint64_t const> among);

    /// The n most frequent values: count descending, then value ascending.
    /// @par Complexity  O(v log v), v: values counted, over all segments.
    [[nodiscard]] std::vector<facet_count> top(std::size_t n) const;

    /// How many different values were counted.
    [[nodiscard]] std::size_t values() const;

private:
    struct counted {
        std::string_view text = {};
        std::int64_t number = 0;
        std::size_t count = 0;
    };

    [[nodiscard]] std::vector<counted> merged() const;

    std::string field_;
    field_type type_ = field_type::text;
    std::vector<counted> counted_ = {};
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/collection/detail/columns_inl.hpp>
#endif
