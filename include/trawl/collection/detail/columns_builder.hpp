// SPDX-License-Identifier: MIT
#pragma once

/// Makes columns of the metadata of rows.

#include <cstddef>
#include <cstdint>
#include <vector>

#include <trawl/collection/detail/columns.hpp>
#include <trawl/collection/metadata.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

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
    void require_room() const;

    std::vector<metadata_field> fields_;
    std::vector<column_builder> columns_;
    std::size_t rows_ = 0;
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/collection/detail/columns_builder_inl.hpp>
#endif
