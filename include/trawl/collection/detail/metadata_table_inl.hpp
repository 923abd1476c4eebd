// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of metadata_table.hpp.

#include <trawl/collection/metadata_table.hpp>

#include <cstdint>
#include <string>
#include <utility>

#include <trawl/collection/detail/columns_builder.hpp>
#include <trawl/collection/detail/facet_counter.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE metadata_table::metadata_table(
    std::vector<metadata_field> fields, std::span<metadata const> rows) {
    detail::columns_builder builder(std::move(fields));
    for (std::size_t i = 0; i < rows.size(); ++i) {
#if TRAWL_HAS_EXCEPTIONS
        try {
            builder.add(rows[i]);
        } catch (error const& e) {
            detail::fail(e.code(), detail::join("document ", i, ": ", e.what()));
        }
#else
        builder.add(rows[i]);
#endif
    }
    columns_ = builder.finish();
}

TRAWL_INLINE doc_set metadata_table::matching(condition const& asked) const {
    validate(asked, fields());
    auto const rows = columns_.evaluate(asked);
    doc_set out(size());
    for (std::size_t row = 0; row < size(); ++row) {
        if ((rows[row / 64] >> row % 64 & 1u) != 0) out.insert(static_cast<doc_id>(row));
    }
    return out;
}

TRAWL_INLINE metadata metadata_table::at(doc_id id) const {
    if (id >= size()) {
        detail::fail(errc::unknown_id,
            detail::join("metadata_table: there is no document ", id, ", they are ", size()));
    }
    return columns_.values(id);
}

TRAWL_INLINE std::vector<facet_count> metadata_table::facets(
    std::string_view field, std::size_t n, filter const& where) const {
    validate(condition(condition_op::exists, std::string(field), {}), fields());
    auto const& admitted = where.admits_all() ? doc_set::all(size()) : *where.set();
    std::vector<std::uint64_t> among(admitted.words().begin(), admitted.words().end());
    among.resize((size() + 63) / 64);
    if (size() % 64 != 0) among.back() &= (std::uint64_t{1} << size() % 64) - 1;
    detail::facet_counter counter{std::string(field)};
    counter.add(columns_, among);
    return counter.top(n);
}

TRAWL_END_NAMESPACE
