// SPDX-License-Identifier: MIT
#pragma once

/// Rewriting a query before anything else reads it, without losing the words that must be matched
/// exactly.

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE

template <class R>
concept query_rewriter = requires(R const& r, query const& q) {
    /** The text to search for instead of q.text; empty: keep q.text. */
    { r(q) } -> std::convertible_to<std::string>;
};

struct rewrite_options {
    /// append what must be kept and was lost; false: only report it
    bool protect = true;
};

/// The words of a text that a rewriting must keep: words with a digit, identifiers (runs of letters
/// or digits joined by single . _ / - : #), and what stands in double quotes. Views into the text,
/// in order.
[[nodiscard]] std::vector<std::string_view> words_to_keep(std::string_view text);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/pipeline/detail/rewriting_inl.hpp>
#endif
