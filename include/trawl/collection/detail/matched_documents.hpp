// SPDX-License-Identifier: MIT
#pragma once

/// All documents that match a search, whatever they score: counted, sorted, and their fields counted.

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/collection/detail/columns.hpp>
#include <trawl/collection/detail/facet_counter.hpp>
#include <trawl/collection/detail/state.hpp>
#include <trawl/collection/search.hpp>
#include <trawl/core/doc_set.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class matched_documents {
public:
    /// @param inside  the filter; null: everything.
    /// @param words   those that match the words; nothing: there are none.
    matched_documents(
        collection_state const& state, doc_set const* inside, std::optional<doc_set> words)
        : state_(state) {
        for (std::size_t i = 0; i < state.segments.size(); ++i) {
            auto const& segment = *state.segments[i];
            row_words rows((segment.rows() + 63) / 64);
            std::size_t last_document = static_cast<std::size_t>(-1);
            auto const one_each = segment.documents.documents() == segment.rows();
            for (std::uint32_t row = 0; row < segment.rows(); ++row) {
                auto const id = segment.id(row);
                if (inside != nullptr ? !inside->contains(id) : !state.is_live({i, row})) continue;
                if (words && !words->contains(id)) continue;
                // Of a document the first passage stands for it.
                auto const document = one_each ? row : segment.documents.document_of(row);
                if (document == last_document) continue;
                last_document = document;
                rows[row / 64] |= std::uint64_t{1} << row % 64;
                ++count_;
            }
            rows_.push_back(std::move(rows));
        }
    }
    matched_documents(matched_documents const&) = delete;

    [[nodiscard]] std::size_t count() const noexcept { return count_; }

    [[nodiscard]] facet facet_of(std::string const& name, std::size_t most) const {
        static_cast<void>(field_of(name));
        facet_counter counter(name);
        for (std::size_t i = 0; i < rows_.size(); ++i)
            counter.add(state_.segments[i]->metadata, rows_[i]);
        facet made{.field = name};
        made.values = counter.top(most);
        made.others = counter.values() - made.values.size();
        return made;
    }

    /// The documents of a page, in the order asked for, or by id.
    /// @return the cursor of the next page; empty: there is none.
    [[nodiscard]] std::string page(collection_search_options const& asked, ranking& to) const {
        auto const first = place_of(asked.cursor);
        auto const last = asked.k > count_ - (std::min)(first, count_) ? count_ : first + asked.k;
        if (asked.sort)
            sorted(*asked.sort, first, last, to);
        else
            by_id(first, last, to);
        return last < count_ ? join("@", last) : std::string();
    }

private:
    [[nodiscard]] static std::size_t place_of(std::string_view cursor) {
        if (cursor.empty()) return 0;
        std::size_t place = 0;
        auto const* const end = cursor.data() + cursor.size();
        auto const read = std::from_chars(cursor.data() + 1, end, place);
        if (cursor.front() != '@' || read.ptr != end || read.ec != std::errc())
            fail(errc::parse,
                join("cursor ", cursor, " is none of a search in an order of its own"));
        return place;
    }

    [[nodiscard]] metadata_field const& field_of(std::string_view name) const {
        std::string names;
        for (auto const& field : state_.schema->fields) {
            if (field.name == name) return field;
            names += (names.empty() ? "" : ", ") + field.name;
        }
        fail(errc::unknown_id, join("there is no field ", name,
                                   names.empty() ? "; there are none" : "; there are: ", names));
    }

    void by_id(std::size_t first, std::size_t last, ranking& to) const {
        std::size_t at = 0;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            for (std::size_t word = 0; word < rows_[i].size(); ++word) {
                for (auto rest = rows_[i][word]; rest != 0; rest &= rest - 1, ++at) {
                    if (at >= last) return;
                    auto const bit = static_cast<std::size_t>(std::countr_zero(rest));
                    if (at >= first) to.push_back({state_.segments[i]->id(64 * word + bit), 0});
                }
            }
        }
    }

    void sorted(field_order const& order, std::size_t first, std::size_t last, ranking& to) const {
        if (field_of(order.field).type == field_type::text_list) {
            fail(errc::invalid_argument,
                join("field ", order.field, " is a list: hits cannot be sorted by it"));
        }
        struct placed {
            sorted_row row;
            doc_id id;
        };
        std::vector<placed> all;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            auto const& segment = *state_.segments[i];
            for (auto& row :
                segment.metadata.sorted(order.field, order.descending, rows_[i], last)) {
                auto const id = segment.id(row.row);
                all.push_back({std::move(row), id});
            }
        }
        std::stable_sort(all.begin(), all.end(), [&](placed const& a, placed const& b) {
            if (a.row.value.has_value() != b.row.value.has_value()) return a.row.value.has_value();
            if (!a.row.value) return a.id < b.id;
            if (value_less(*a.row.value, *b.row.value)) return !order.descending;
            if (value_less(*b.row.value, *a.row.value)) return order.descending;
            return a.id < b.id;
        });
        for (auto i = first; i < (std::min)(last, all.size()); ++i) to.push_back({all[i].id, 0});
    }

    collection_state const& state_;
    std::vector<row_words> rows_; ///< of each segment: a row for each document
    std::size_t count_ = 0;
};

} // namespace detail
TRAWL_END_NAMESPACE
