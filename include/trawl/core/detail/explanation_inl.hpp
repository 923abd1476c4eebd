// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of core/explanation.hpp.

#include <trawl/core/explanation.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/placed.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE double detail::median_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    auto const middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle]
                                  : rounded(values[middle - 1] + values[middle]) / 2;
}

TRAWL_INLINE std::string_view name_of(operation op) noexcept {
    constexpr std::string_view names[] = {
        "leaf", "sum", "product", "max", "min", "median", "round", "placed", "opaque"};
    return names[static_cast<std::size_t>(op)];
}

TRAWL_INLINE explanation no_match(std::string reason) {
    return {operation::leaf, std::move(reason), 0, {}, node_role::no_match};
}

TRAWL_INLINE double recompute(explanation const& node) {
    auto const& children = node.children;
    auto const need = [&](std::size_t at_least, std::size_t at_most) {
        if (children.size() < at_least || children.size() > at_most) {
            detail::fail(errc::invalid_argument,
                detail::join("recompute: a node of operation ", name_of(node.op), " has ",
                    children.size(), " children"));
        }
    };
    switch (node.op) {
    case operation::leaf:
    case operation::opaque:
        return node.value;
    case operation::sum: {
        double total = detail::rounded(0.0); // as detail::sum_of does
        for (auto const& child : children) total = detail::rounded(total + child.value);
        return total;
    }
    case operation::product: {
        double total = 1;
        for (auto const& child : children) total = detail::rounded(total * child.value);
        return total;
    }
    case operation::max:
    case operation::min: {
        need(1, children.size());
        double best = children[0].value;
        for (auto const& child : children) {
            if (node.op == operation::max ? best < child.value : child.value < best)
                best = child.value;
        }
        return best;
    }
    case operation::median: {
        need(1, children.size());
        std::vector<double> values;
        for (auto const& child : children) values.push_back(child.value);
        return detail::median_of(std::move(values));
    }
    case operation::round:
        need(1, 2);
        if (children.size() == 1) return static_cast<double>(static_cast<float>(children[0].value));
        return detail::nearest_integer(children[0].value / children[1].value) * children[1].value;
    case operation::placed:
        need(2, 2);
        return static_cast<double>(
            placed(static_cast<float>(children[0].value), static_cast<float>(children[1].value)));
    }
    return node.value;
}

TRAWL_INLINE bool adds_up(explanation const& node) {
    if (std::bit_cast<std::uint64_t>(recompute(node)) != std::bit_cast<std::uint64_t>(node.value))
        return false;
    for (auto const& child : node.children)
        if (!adds_up(child)) return false;
    return true;
}

TRAWL_INLINE explanation const* find_role(explanation const& node, node_role role) noexcept {
    if (node.role == role) return &node;
    for (auto const& child : node.children)
        if (auto const* const found = find_role(child, role)) return found;
    return nullptr;
}

TRAWL_INLINE std::string to_text(explanation const& node, std::size_t level) {
    std::string out(2 * level, ' ');
    out += detail::join(node.value, " ");
    if (node.op != operation::leaf) out += detail::join(name_of(node.op), ": ");
    out += node.label;
    out += '\n';
    for (auto const& child : node.children) out += to_text(child, level + 1);
    return out;
}

TRAWL_END_NAMESPACE
