// SPDX-License-Identifier: MIT
#pragma once

/// A lexical_query compiled for an index: a tree whose leaves score as one term each.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <trawl/detail/buffer.hpp>
#include <trawl/lexical/detail/scoring/term_weights.hpp>
#include <trawl/lexical/detail/segments/index_snapshot.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The id of a term that an index does not know.
inline constexpr term_id no_term = 0xFFFFFFFFu;

/// A term of one field; in an index without fields, the field is 0.
struct query_term {
    std::size_t field = 0;
    term_id id = no_term;
    /// What an occurrence counts, in sixths: 6, 3 or 2 by edit distance. Negative for occurrences
    /// that another term of the leaf counts, too, but that the pattern does not match.
    std::int32_t sixths = 6;
};

/// Scores as one term.
struct query_leaf {
    /// Consecutive terms of the plan, all of one field. In a phrase: one way to write it.
    struct group {
        std::size_t first = 0;
        std::size_t terms = 0;
    };

    std::vector<group> groups = {};    ///< by field, ascending
    buffer<std::uint32_t> places = {}; ///< phrases: the place of each term of a group
    std::uint32_t slop = 0;
    std::string label = {}; ///< in an explanation; of a single term its text
    bool is_term = false;
    std::optional<std::size_t> field = {}; ///< the only one that is searched
    scored_term scored = {};
};

struct query_node {
    std::optional<std::size_t> leaf = {};  ///< number of a leaf; otherwise a combination
    std::optional<std::size_t> table = {}; ///< in which its many optional leaves are added up
    std::vector<query_node> must = {};
    std::vector<query_node> should = {};
    std::vector<query_node> must_not = {};
};

} // namespace detail
TRAWL_END_NAMESPACE
