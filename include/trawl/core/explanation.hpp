// SPDX-License-Identifier: MIT
#pragma once

/// Why a document has its score: a tree whose nodes can be recomputed, bit for bit.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/config.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// How the value of a node follows from the values of its children.
enum class operation : unsigned char {
    leaf,    ///< given; no children
    sum,     ///< of all children in double, first to last; 0 if there are none
    product, ///< of all children in double, first to last; 1 if there are none
    max,     ///< of all children
    min,     ///< of all children
    median,  ///< of all children; of an even number, half the sum of the two in the middle
    /// one child: rounded to float; two: the first rounded to the nearest multiple of the second,
    /// which is a power of two, ties to even
    round,
    /// placed(first, second): the stage's value, and the score of the hit before, which it must not
    /// reach (core/placed.hpp)
    placed,
    opaque, ///< computed elsewhere; children, if any, inform and are not recomputed
};

/// What a node means to a program. The label says it to people and may change; the role does not.
enum class node_role : unsigned char {
    none,      ///< nothing in particular
    no_match,  ///< a leaf of value 0: the document has no score here; the label says why
    no_reason, ///< a leaf: the arm, rule or stage cannot explain its scores
    arm,       ///< what one arm contributed to a fused score
    weight,    ///< the weight of an arm
    relevance, ///< the relevance that a diversifier reads; its child explains it
};

/// A node with its subtree.
struct explanation {
    operation op = operation::leaf;
    std::string label = {}; ///< for people: "tf, occurrences in the document"
    double value = 0;       ///< what `op` makes of the children's values, bit for bit
    std::vector<explanation> children = {};
    node_role role = node_role::none;
};

namespace detail {

// The value in the middle; of an even number, half the rounded sum of the two.
[[nodiscard]] double median_of(std::vector<double> values);

} // namespace detail

/// "sum", "placed", …
[[nodiscard]] std::string_view name_of(operation op) noexcept;

/// A leaf of value 0 and role no_match.
/// @param reason  Where or why the document was lost: "no match: outside the filter".
[[nodiscard]] explanation no_match(std::string reason);

/// The value that the node's operation gives for the values of its children. A leaf and an opaque
/// node give their own value.
/// @throws trawl::error (invalid_argument) if the node has fewer or more children than its
/// operation takes.
[[nodiscard]] double recompute(explanation const& node);

/// Whether every node of the tree has the value that its children give, bit for bit.
[[nodiscard]] bool adds_up(explanation const& node);

/// The first node with this role, a parent before its children; null if there is none.
[[nodiscard]] explanation const* find_role(explanation const& node, node_role role) noexcept;

/// The tree as lines, indented by two spaces a level: "0.0325 sum: rrf". Ends with a newline.
[[nodiscard]] std::string to_text(explanation const& node, std::size_t level = 0);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/core/detail/explanation_inl.hpp>
#endif
