// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of columns_builder.hpp.

#include <trawl/collection/detail/columns_builder.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/collection/detail/column_arrays.hpp>
#include <trawl/core/key_table.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The values of one field as they come. Texts have numbers in the order in which they were seen.
struct column_builder {
    field_type type = field_type::text;
    key_table texts = {};
    std::vector<std::uint32_t> seen = {};    ///< [rows] number of a text, 0 of a key, or no_ordinal
    std::vector<std::int64_t> keys = {};     ///< [rows] of what is no text
    std::vector<std::uint64_t> begins = {0}; ///< as column_arrays
    std::vector<std::uint32_t> elements = {};
    std::vector<std::uint64_t> present = {};

    [[nodiscard]] std::uint32_t number_of(std::string_view text) {
        auto const known = texts.find(text);
        return known ? *known : texts.add(text);
    }

    [[nodiscard]] bool is_text() const noexcept {
        return type == field_type::text || type == field_type::text_list;
    }

    void add_text(std::string_view text) { seen.push_back(number_of(text)); }
    void add_key(std::int64_t key) {
        seen.push_back(0);
        keys.push_back(key);
    }
    void begin_list(std::size_t row) { present[row / 64] |= std::uint64_t{1} << row % 64; }

    void add(metadata_value const* value, std::size_t row) {
        if (type == field_type::text_list) {
            if (row % 64 == 0) present.push_back(0);
            if (value != nullptr) {
                begin_list(row);
                for (auto const& text : value->as_list()) elements.push_back(number_of(text));
            }
            begins.push_back(elements.size());
        } else if (value == nullptr) {
            seen.push_back(no_ordinal);
            if (type != field_type::text) keys.push_back(0);
        } else if (type == field_type::text) {
            add_text(value->as_text());
        } else {
            add_key(key_of(*value));
        }
    }

    /// As above, of a row of another column of the same type.
    void add(column_arrays const& from, std::uint32_t from_row, std::size_t row) {
        if (type == field_type::text_list) {
            if (row % 64 == 0) present.push_back(0);
            if (has_bit(from.present, from_row)) {
                begin_list(row);
                for (auto const ordinal : from.list_of(from_row)) {
                    if (ordinal < from.values())
                        elements.push_back(number_of(from.text_at(ordinal)));
                }
            }
            begins.push_back(elements.size());
        } else if (auto const ordinal = from.ordinals[from_row]; ordinal >= from.values()) {
            add(nullptr, row);
        } else if (type == field_type::text) {
            add_text(from.text_at(ordinal));
        } else if (auto const key = from.numbers[ordinal]; value_of_key(type, key)) {
            add_key(key);
        } else {
            add(nullptr, row); // a damaged file
        }
    }

    [[nodiscard]] column_storage finish() {
        column_storage made;
        if (is_text()) {
            auto const ranks = rank_texts(made);
            auto const rank = [&](std::uint32_t& number) {
                if (number != no_ordinal) number = ranks[number];
            };
            for (auto& number : seen) rank(number);
            for (auto& number : elements) rank(number);
        } else {
            rank_keys(made);
        }
        made.ordinals = std::move(seen);
        if (type == field_type::text_list) {
            made.begins = std::move(begins);
            made.elements = std::move(elements);
            made.present = std::move(present);
        }
        index_rows(made);
        return made;
    }

private:
    // Writes the texts in order; returns the place of each.
    [[nodiscard]] std::vector<std::uint32_t> rank_texts(column_storage& out) const {
        std::vector<std::uint32_t> order(texts.size());
        for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
        std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return texts.key(a) < texts.key(b); });
        std::vector<std::uint32_t> ranks(order.size());
        out.bounds.push_back(0);
        for (std::uint32_t i = 0; i < order.size(); ++i) {
            ranks[order[i]] = i;
            out.text.append(texts.key(order[i]));
            out.bounds.push_back(out.text.size());
        }
        return ranks;
    }

    void rank_keys(column_storage& out) {
        for (std::size_t row = 0; row < seen.size(); ++row)
            if (seen[row] != no_ordinal) out.numbers.push_back(keys[row]);
        std::sort(out.numbers.begin(), out.numbers.end());
        out.numbers.erase(std::unique(out.numbers.begin(), out.numbers.end()), out.numbers.end());
        out.numbers.shrink_to_fit();
        for (std::size_t row = 0; row < seen.size(); ++row) {
            if (seen[row] == no_ordinal) continue;
            auto const at = std::lower_bound(out.numbers.begin(), out.numbers.end(), keys[row]);
            seen[row] = static_cast<std::uint32_t>(at - out.numbers.begin());
        }
    }

    // Calls visit(ordinal, row) for each different value of each row, by row.
    template <class Visit>
    void for_each_pair(column_storage const& from, std::size_t values, Visit&& visit) const {
        if (type != field_type::text_list) {
            for (std::uint32_t row = 0; row < from.ordinals.size(); ++row)
                if (from.ordinals[row] != no_ordinal) visit(from.ordinals[row], row);
            return;
        }
        std::vector<std::uint32_t> last_row(values, no_ordinal);
        for (std::uint32_t row = 0; row + 1 < from.begins.size(); ++row) {
            for (auto i = from.begins[row]; i < from.begins[row + 1]; ++i) {
                auto const ordinal = from.elements[i];
                if (last_row[ordinal] != row) visit(ordinal, row);
                last_row[ordinal] = row;
            }
        }
    }

    void index_rows(column_storage& out) const {
        auto const values = is_text() ? out.bounds.size() - 1 : out.numbers.size();
        out.starts.assign(values + 1, 0);
        for_each_pair(out, values,
            [&](std::uint32_t ordinal, std::uint32_t) { ++out.starts[std::size_t{ordinal} + 1]; });
        for (std::size_t i = 0; i < values; ++i) out.starts[i + 1] += out.starts[i];
        out.rows.resize(out.starts.back());
        std::vector<std::uint64_t> next(out.starts.begin(), out.starts.end() - 1);
        for_each_pair(out, values,
            [&](std::uint32_t ordinal, std::uint32_t row) { out.rows[next[ordinal]++] = row; });
    }
};

[[nodiscard]] inline column_arrays arrays_of(column_storage const& from, field_type type) {
    return {.type = type,
        .numbers = from.numbers,
        .bounds = from.bounds,
        .text = from.text,
        .starts = from.starts,
        .rows = from.rows,
        .ordinals = from.ordinals,
        .begins = from.begins,
        .elements = from.elements,
        .present = from.present};
}

TRAWL_INLINE columns_builder::columns_builder(std::vector<metadata_field> fields)
    : fields_(std::move(fields)) {
    validate(fields_);
    for (auto const& field : fields_) columns_.emplace_back().type = field.type;
}
TRAWL_INLINE columns_builder::columns_builder(columns_builder&&) noexcept = default;
TRAWL_INLINE columns_builder& columns_builder::operator=(columns_builder&&) noexcept = default;
TRAWL_INLINE columns_builder::~columns_builder() = default;

TRAWL_INLINE void columns_builder::add(metadata const& given) {
    require_room();
    auto const checked = converted(given, fields_);
    for (std::size_t i = 0; i < fields_.size(); ++i)
        columns_[i].add(checked.find(fields_[i].name), rows_);
    ++rows_;
}

TRAWL_INLINE void columns_builder::add(columns const& from, std::uint32_t row) {
    require_room();
    auto const& data = from.data();
    if (row >= data.rows) {
        fail(errc::unknown_id,
            join("columns_builder::add: row ", row, " must be below ", data.rows));
    }
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        auto const* const column = data.find(fields_[i].name);
        if (column == nullptr || column->type != fields_[i].type) {
            columns_[i].add(nullptr, rows_);
        } else {
            columns_[i].add(*column, row, rows_);
        }
    }
    ++rows_;
}

TRAWL_INLINE void columns_builder::require_room() const {
    if (rows_ + 1 >= no_ordinal) {
        fail(errc::invalid_argument,
            join("columns_builder::add: there is room for ", no_ordinal - 1, " rows"));
    }
}

TRAWL_INLINE columns columns_builder::finish() {
    auto made = std::make_shared<columns_data>();
    auto& out = *made;
    out.rows = rows_;
    out.fields = fields_;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        auto const& column = out.storage.emplace_back(columns_[i].finish());
        out.heads.push_back({.type = static_cast<std::uint32_t>(fields_[i].type),
            .values = column.starts.size() - 1});
        out.names.append(fields_[i].name).push_back('\0');
    }
    // Only now: views of storage that no longer moves.
    for (std::size_t i = 0; i < fields_.size(); ++i)
        out.arrays.push_back(arrays_of(out.storage[i], fields_[i].type));
    *this = columns_builder(std::move(fields_));
    return columns(std::move(made));
}

} // namespace detail
TRAWL_END_NAMESPACE
