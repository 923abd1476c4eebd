// SPDX-License-Identifier: MIT
#pragma once

/// Checks what an answer's citations show and what they do not, and finds the step that failed when an
/// answer is wrong.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/filter.hpp>
#include <trawl/core/words.hpp>
#include <trawl/text/passages/context.hpp>

TRAWL_BEGIN_NAMESPACE

/// Holds for every report.
inline constexpr std::string_view citation_caveat =
    "A cited id shows which passage the answer names, not that the passage says so: read it.";

/// Lists of keys without duplicates. A citation is a key in square brackets, without white space;
/// several may share brackets, separated by commas or semicolons. Brackets that a ( follows are a
/// link.
struct citation_report {
    /// passages of the context, in the order of first citation
    std::vector<std::string> cited = {};
    std::vector<std::string> invented = {};       ///< cited, but not in the context
    std::vector<std::string> outside_filter = {}; ///< cited and in the context, but not eligible
    /// in the context, not eligible and not cited: the model has read them and may have used them
    std::vector<std::string> ineligible_uncited = {};
    /// sentences that state something and cite nothing
    std::vector<std::string> without_citation = {};
    bool abstains = false; ///< the answer says that the context does not hold it
};

/// Compares an answer with the context it was made from. A citation covers the sentence it stands in.
/// One before the first word of a sentence covers the sentence before, if that has none.
/// @param eligible  what may be cited: the filter of the search
/// @par Complexity O(n log n), n bytes of the answer and of the context's keys.
[[nodiscard]] citation_report check_citations(
    std::string_view answer, context const& given, filter eligible = {});

/// Formats a report as lines for people, the caveat last.
[[nodiscard]] std::string to_text(citation_report const& report);

/// Which step of answering failed. Each has its own remedy.
enum class failure_kind : unsigned char {
    none, ///< the answer is right
    /// no arm found an answering document: try other words, another arm, a larger window
    not_found,
    ranked_too_low, ///< found, but ranked below the context: change the fusion or the reranking
    ineligible,     ///< the answer cites a document outside the filter: filter inside the arms
    wrong_answer,   ///< the right passage was in the context: change the model or its instruction
};

/// "not found", …
[[nodiscard]] constexpr std::string_view name_of(failure_kind kind) noexcept {
    constexpr std::string_view names[] = {"none", "not found", "ranked too low", "ineligible",
        "answered wrongly from the right context"};
    return names[static_cast<std::size_t>(kind)];
}

/// Says why an answer is wrong, by the first check that holds: it is right (none); it cites a
/// document outside the filter (ineligible); the context holds an answering document
/// (wrong_answer); the ranking does (ranked_too_low); else not_found.
/// @param found   the whole ranking that the context was taken from
/// @param answering  the documents that hold the answer
/// @param is_right   whether somebody judged the answer right
/// @par Complexity O((hits + passages + a) log a), a answering documents.
[[nodiscard]] failure_kind diagnose(std::span<hit const> found, context const& given,
    citation_report const& report, std::span<doc_id const> answering, bool is_right);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/text/detail/citations_inl.hpp>
#endif
