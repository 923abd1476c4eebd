// SPDX-License-Identifier: MIT
#pragma once

/// Rerankers that give an order and no scores, such as language models that are shown a list.

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>

TRAWL_BEGIN_NAMESPACE

template <class F>
concept list_orderer = requires(F const& f, query const& q, std::span<candidate const> list) {
    /** Places in the list, counted from 0, best first: a container of integers. */
    requires std::integral<typename decltype(f(q, list))::value_type>;
};

namespace detail {

void check_list(std::size_t candidates, std::size_t scores);

/// Writes 0, -1, -2, … by place, and repairs an order that is no permutation.
/// @param order  Places in the list; those outside it are at least out.size().
void score_by_place(
    std::span<std::size_t const> order, std::span<float> out, std::vector<std::string>& notes);

} // namespace detail

/// Makes a reranker of a callable that orders a list. It sees all candidates of the stage in one
/// call. An order that is no permutation is repaired, and the trace says how: places outside the
/// list and repeated ones are passed over, missing ones follow in the order given. Scores are 0,
/// -1, -2, … by place.
template <list_orderer Order>
class listwise {
public:
    static constexpr bool whole_list = true;

    explicit listwise(Order order) : order_(std::move(order)) {}

    void operator()(query const& q, std::span<candidate const> list, std::span<float> out) const {
        std::vector<std::string> unread;
        (*this)(q, list, out, unread);
    }

    /// @throws trawl::error (dimension_mismatch) if list and out differ in size.
    void operator()(query const& q, std::span<candidate const> list, std::span<float> out,
        std::vector<std::string>& notes) const {
        detail::check_list(list.size(), out.size());
        std::vector<std::size_t> order;
        for (auto const at : order_(q, list)) {
            bool const inside = std::cmp_greater_equal(at, 0) && std::cmp_less(at, list.size());
            order.push_back(inside ? static_cast<std::size_t>(at) : list.size());
        }
        detail::score_by_place(order, out, notes);
    }

private:
    Order order_;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/rerank/detail/listwise_inl.hpp>
#endif
