// SPDX-License-Identifier: MIT
#pragma once

/// The leaves of a compiled query, made of terms of an index.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/detail/buffer.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/lexical/detail/search/boolean_document.hpp>
#include <trawl/lexical/detail/search/pattern_terms.hpp>
#include <trawl/lexical/detail/search/query_tree.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The leaves of a plan and their terms, added one after the other. Borrows the scorer.
/// @tparam Scorer  bm25_scorer or field_scorer.
template <class Scorer>
class plan_leaves {
public:
    std::vector<query_leaf> leaves = {};
    std::vector<query_term> terms = {};
    buffer<term_id> ids = {}; ///< of the terms

    [[nodiscard]] array_ref<term_id const> ids_of(query_leaf::group const& group) const noexcept {
        return std::span(ids).subspan(group.first, group.terms);
    }

protected:
    using field_ref = std::optional<std::size_t>; ///< none: every field

    explicit plan_leaves(Scorer const& scorer) : scorer_(scorer) {
        constexpr std::size_t usual = 4; // words of a query
        leaves.reserve(usual);
        terms.reserve(usual);
        ids.reserve(usual);
    }

    /// A term's id in each field that is asked; no_term where it is unknown or not asked.
    [[nodiscard]] buffer<term_id> ids_in(std::string_view term, field_ref only) const {
        buffer<term_id> in(scorer_.fields(), no_term);
        for (std::size_t field = 0; field < in.size(); ++field) {
            if (!only || *only == field)
                in[field] = scorer_.index(field).find(term).value_or(no_term);
        }
        return in;
    }

    /// Adds a term.
    void push(query_term const& term) {
        terms.push_back(term);
        ids.push_back(term.id);
    }

    /// Adds a leaf.
    /// @return a node of it.
    [[nodiscard]] query_node add(query_leaf made) {
        leaves.push_back(std::move(made));
        return {.leaf = leaves.size() - 1};
    }

    /// The leaf, matched by any of these terms. The terms are added to the plan; the leaf is not, and has
    /// no weight.
    [[nodiscard]] query_leaf leaf_of(std::span<matched_term const> found, query_leaf made = {}) {
        for (std::size_t field = 0; field < scorer_.fields(); ++field) {
            auto const first = terms.size();
            for (auto const& match : found) {
                if (match.ids[field] != no_term) push({field, match.ids[field], match.sixths});
            }
            if (terms.size() > first) made.groups.push_back({first, terms.size() - first});
        }
        return made;
    }

    /// Adds a leaf that any of these terms matches, and weighs it.
    /// @param name    of the terms, for the message if the weight is too large.
    /// @param leaf    what it is called.
    [[nodiscard]] query_node any_of(std::span<matched_term const> found, double weight,
        std::string const& name, query_leaf leaf) {
        auto made = leaf_of(found, std::move(leaf));
        auto const documents = made.groups.empty() ? 0
                               : found.size() == 1 ? scorer_.df(found[0].ids)
                                                   : documents_with(made);
        if (documents > 0) {
            made.scored =
                scorer_.weights().weigh(name, weight, documents, scorer_.idf_of(documents));
        }
        return add(std::move(made));
    }

    /// The df of a leaf: how many documents contain any of its terms, which are the last of the plan.
    [[nodiscard]] std::uint64_t documents_with(query_leaf const& any) const {
        auto const first = any.groups.front().first;
        auto const wanted = std::span(terms).subspan(first, terms.size() - first);
        auto const subtracts = std::any_of(
            wanted.begin(), wanted.end(), [](query_term const& t) { return t.sixths < 0; });
        std::uint64_t documents = 0;
        boolean_document at(scorer_, wanted);
        at.drop_cursors(0, wanted.size());
        auto const counts = [&] { return !subtracts || at.sixths(0, wanted.size()) > 0; };
        auto const& index = scorer_.index(0);
        for (std::size_t segment = 0; segment < index.segments->size(); ++segment) {
            at.enter(segment);
            auto bits = at.no_rows();
            for (std::size_t term = 0; term < wanted.size(); ++term) {
                if (wanted[term].sixths > 0) at.mark(term, bits);
            }
            auto const& rows = (*index.segments)[segment];
            for (std::size_t group = 0; group < bits.size(); ++group) {
                for (auto rest = bits[group]; rest != 0; rest &= rest - 1) {
                    auto const row = static_cast<std::uint32_t>(
                        64 * group + static_cast<std::size_t>(std::countr_zero(rest)));
                    if (!rows.is_live(row) || !scorer_.counts(rows.rows->id(row))) continue;
                    at.move_to(row);
                    if (counts()) ++documents;
                }
            }
        }
        at.enter(index.segments->size());
        index.for_each_in_tail([&](counted_document const& newest, std::uint32_t slot) {
            at.move_to(slot);
            if (at.sixths(0, wanted.size()) > 0 && scorer_.counts(newest.id)) ++documents;
        });
        return documents;
    }

    /// The sum of the idfs of a phrase's words: the same bits in whatever order they are.
    [[nodiscard]] static double sum_of(std::vector<double> idfs) {
        std::sort(idfs.begin(), idfs.end());
        double sum = 0;
        for (auto const value : idfs) sum = rounded(sum + value);
        return sum;
    }

    Scorer const& scorer_;
};

} // namespace detail
TRAWL_END_NAMESPACE
