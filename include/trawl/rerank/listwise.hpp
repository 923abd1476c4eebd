// SPDX-License-Identifier: MIT
#pragma once

/// Rerankers that give an order and no scores, as language models do that are shown a list.

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

template <class F>
concept list_orderer = requires(F const& f, query const& q, std::span<candidate const> list) {
    /** Places in the list, counted from 0, best first: a container of integers. */
    requires std::integral<typename decltype(f(q, list))::value_type>;
};

/// Makes a reranker of a callable that orders a list. It sees all candidates of the stage in one
/// call. An order that is no permutation is repaired, and the trace says how: places outside the
/// list and repeated ones are passed over, the missing ones follow in the order given. Scores are
/// 0, -1, -2, … by place.
template <list_orderer Order>
class listwise {
public:
    static constexpr bool whole_list = true;

    explicit listwise(Order order) : order_(std::move(order)) {}

    void operator()(query const& q, std::span<candidate const> list, std::span<float> out) const {
        std::vector<std::string> unread;
        (*this)(q, list, out, unread);
    }

    void operator()(query const& q, std::span<candidate const> list, std::span<float> out,
        std::vector<std::string>& notes) const {
        if (out.size() != list.size()) {
            detail::fail(
                errc::dimension_mismatch, detail::join("listwise: ", list.size(),
                                              " candidates, room for ", out.size(), " scores"));
        }
        std::vector<bool> placed(list.size());
        std::size_t place = 0;
        auto const put = [&](std::size_t i) {
            placed[i] = true;
            out[i] = -static_cast<float>(place++);
        };
        std::size_t outside = 0;
        std::size_t repeated = 0;
        for (auto const at : order_(q, list)) {
            if (std::cmp_less(at, 0) || std::cmp_greater_equal(at, list.size())) {
                ++outside;
            } else if (placed[static_cast<std::size_t>(at)]) {
                ++repeated;
            } else {
                put(static_cast<std::size_t>(at));
            }
        }
        auto const missing = list.size() - place;
        for (std::size_t i = 0; i < list.size(); ++i)
            if (!placed[i]) put(i);
        if (outside + repeated + missing > 0) {
            notes.push_back(detail::join("listwise: the order of ", list.size(), " was repaired: ",
                outside, " outside, ", repeated, " repeated, ", missing, " missing"));
        }
    }

private:
    Order order_;
};

TRAWL_END_NAMESPACE
