// SPDX-License-Identifier: MIT
#pragma once

/// The documents of a view.

#include <memory>
#include <optional>

#include <trawl/collection/condition.hpp>
#include <trawl/collection/detail/collection_arms.hpp>
#include <trawl/collection/detail/state.hpp>
#include <trawl/core/doc_set.hpp>
#include <trawl/core/filter.hpp>
#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline bool is_everything(condition const& where) noexcept {
    return where.op() == condition_op::everything;
}

/// The documents of a view; null: all.
[[nodiscard]] inline view_filter filter_of(collection_state const& state, condition const& where) {
    if (is_everything(where)) return nullptr;
    return std::make_shared<doc_set const>(state.matching(where));
}

[[nodiscard]] inline filter as_filter(view_filter const& view) {
    return view == nullptr ? filter() : filter(*view);
}

/// The row of an id that is live and in the view.
[[nodiscard]] inline std::optional<row_place> visible(
    collection_state const& state, view_filter const& view, doc_id id) {
    if (view != nullptr && !view->contains(id)) return std::nullopt;
    return state.locate(id);
}

} // namespace detail
TRAWL_END_NAMESPACE
