// SPDX-License-Identifier: MIT
#pragma once

/// Why a document has its score: a tree whose nodes can be recomputed, bit for bit.

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

/// How the value of an explanation follows from its parts.
enum class operation : unsigned char {
    leaf,    ///< given; no parts
    sum,     ///< of all parts in double, first to last; 0 if there are none
    product, ///< of all parts in double, first to last; 1 if there are none
    max,     ///< of all parts
    min,     ///< of all parts
    median,  ///< of all parts; of an even number, half the sum of the two in the middle
    /// one part: to float. Two: the first to the nearest multiple of the second, a power of two,
    /// ties to even
    round,
    placed, ///< placed(first, second): the stage's value, below the score of the hit before
    opaque, ///< computed elsewhere; the parts, if any, inform
};

struct explanation {
    operation op = operation::leaf;
    std::string label = {};
    double value = 0;
    std::vector<explanation> parts = {};
};

/// "sum", "placed", …
[[nodiscard]] constexpr std::string_view name_of(operation op) noexcept {
    constexpr std::string_view names[] = {
        "leaf", "sum", "product", "max", "min", "median", "round", "placed", "opaque"};
    return names[static_cast<std::size_t>(op)];
}

namespace detail {

// Halves the sum of the two middle values by one rounding each, as the fusion rules do.
[[nodiscard]] inline double median_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    auto const middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle]
                                  : rounded(values[middle - 1] + values[middle]) / 2;
}

// To the nearest integer, ties to even, under any rounding mode and compiler flag.
[[nodiscard]] inline double nearest_integer(double value) noexcept {
    constexpr double shift = 6755399441055744.0; // 1.5 * 2^52
    return rounded(rounded(value + shift) - shift);
}

} // namespace detail

/// The value that the operation gives on the values of the parts; a leaf's or an opaque node's own
/// value.
/// @throws trawl::error (invalid_argument) if the operation needs parts that are not there.
[[nodiscard]] inline double recompute(explanation const& node) {
    auto const& parts = node.parts;
    auto const by_value = [](explanation const& a, explanation const& b) {
        return a.value < b.value;
    };
    auto const need = [&](std::size_t least, std::size_t most) {
        if (parts.size() < least || parts.size() > most) {
            detail::fail(
                errc::invalid_argument, detail::join("recompute: a node of operation ",
                                            name_of(node.op), " has ", parts.size(), " parts"));
        }
    };
    switch (node.op) {
    case operation::leaf:
    case operation::opaque:
        return node.value;
    case operation::sum: {
        double total = detail::rounded(0.0); // as detail::sum_of does
        for (auto const& part : parts) total = detail::rounded(total + part.value);
        return total;
    }
    case operation::product: {
        double total = 1;
        for (auto const& part : parts) total = detail::rounded(total * part.value);
        return total;
    }
    case operation::max:
        need(1, parts.size());
        return std::max_element(parts.begin(), parts.end(), by_value)->value;
    case operation::min:
        need(1, parts.size());
        return std::min_element(parts.begin(), parts.end(), by_value)->value;
    case operation::median: {
        need(1, parts.size());
        std::vector<double> values;
        for (auto const& part : parts) values.push_back(part.value);
        return detail::median_of(std::move(values));
    }
    case operation::round:
        need(1, 2);
        if (parts.size() == 1) return static_cast<double>(static_cast<float>(parts[0].value));
        return detail::nearest_integer(parts[0].value / parts[1].value) * parts[1].value;
    case operation::placed:
        need(2, 2);
        return static_cast<double>(
            placed(static_cast<float>(parts[0].value), static_cast<float>(parts[1].value)));
    }
    return node.value;
}

/// Whether every node of the tree has the value that its parts give, bit for bit.
[[nodiscard]] inline bool adds_up(explanation const& node) {
    return std::bit_cast<std::uint64_t>(recompute(node)) == std::bit_cast<std::uint64_t>(node.value)
           && std::all_of(node.parts.begin(), node.parts.end(),
               [](explanation const& part) { return adds_up(part); });
}

/// The tree as lines, two spaces a level: "0.0325 sum: rrf". Ends with a newline.
[[nodiscard]] inline std::string to_text(explanation const& node, std::size_t level = 0) {
    std::string out(2 * level, ' ');
    out += detail::join(node.value, " ");
    if (node.op != operation::leaf) out += detail::join(name_of(node.op), ": ");
    out += node.label;
    out += '\n';
    for (auto const& part : node.parts) out += to_text(part, level + 1);
    return out;
}

TRAWL_END_NAMESPACE
