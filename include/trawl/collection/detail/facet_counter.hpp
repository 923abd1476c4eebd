// SPDX-License-Identifier: MIT
#pragma once

/// Counts the values of a field.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/collection/detail/columns.hpp>
#include <trawl/collection/facets.hpp>
#include <trawl/collection/metadata.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

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
#include <trawl/collection/detail/facet_counter_inl.hpp>
#endif
