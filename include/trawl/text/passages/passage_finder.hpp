// SPDX-License-Identifier: MIT
#pragma once

/// The best passage of a text, given where it matches.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

struct highlight_options {
    std::string_view before = "<b>"; ///< inserted before a match
    std::string_view after = "</b>"; ///< inserted after a match
    /// The maximum length of the passage in bytes, without the marks. A text that is no longer is
    /// returned whole.
    std::size_t length = 240;
};

/// The bytes [begin, end) of a text, with its matches marked.
struct highlighted_passage {
    std::string text = {};
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// The bytes [begin, end) of a text that match term number `term` of a query.
struct text_match {
    std::size_t begin;
    std::size_t end;
    std::size_t term;
};

/// Finds the passage of a text that holds the most weight of matches: highlight() for matches that
/// the caller found by means of its own. Borrows the text.
class passage_finder {
public:
    /// @param matches  in any order; those that are empty or reach past the text are left out.
    /// @param weights  of the terms; finite.
    /// @throws trawl::error (invalid_argument) if a weight is not finite or a match is of a term that
    /// has no weight.
    passage_finder(
        std::string_view text, std::vector<text_match> matches, std::span<double const> weights);

    /// O(n + m log m).
    [[nodiscard]] highlighted_passage passage(highlight_options const& options) const;

private:
    using extent = std::pair<std::size_t, std::size_t>;

    [[nodiscard]] extent best_window(std::size_t length) const;
    [[nodiscard]] extent widened(std::size_t first, std::size_t last, std::size_t length) const;
    [[nodiscard]] std::size_t sentence_before(std::size_t at) const noexcept;
    [[nodiscard]] std::size_t boundary_from(std::size_t from, std::size_t otherwise) const noexcept;
    [[nodiscard]] std::size_t boundary_before(
        std::size_t limit, std::size_t otherwise) const noexcept;
    [[nodiscard]] std::size_t character_before(std::size_t limit) const noexcept;
    [[nodiscard]] extent trimmed_extent(
        std::size_t begin, std::size_t end, std::size_t first, std::size_t last) const noexcept;
    void mark(highlighted_passage& out, highlight_options const& options) const;

    std::string_view text_;
    std::vector<text_match> matches_;   ///< by begin, then end
    std::vector<std::int64_t> weights_; ///< in steps of the largest / 2^30: their sums are exact
};

/// Whether a text is one character of a script that puts no blanks between words.
[[nodiscard]] bool is_unspaced_character(std::string_view text) noexcept;

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/text/detail/passage_finder_inl.hpp>
#endif
