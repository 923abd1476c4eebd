// SPDX-License-Identifier: MIT
#pragma once

/// What kind of questions these are, and which techniques that suggests. A rule of thumb to begin
/// with: each suggestion stands beside what was measured, and where the two differ the measurement
/// is right.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/function_ref.hpp>
#include <trawl/detail/number_text.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/table.hpp>

TRAWL_BEGIN_NAMESPACE

/// Shares are of the questions, in [0, 1].
struct query_profile {
    std::size_t questions = 0;
    /// with a name that has inner signs: file.txt, max_size, std::span, HttpClient
    double identifiers = 0;
    double codes = 0;  ///< with a code, letters or signs with digits: PROD-4817, E404, 3.14
    double names = 0;  ///< with a word in capitals of two letters or more
    double quoted = 0; ///< with a part between quotation marks
    double rare = 0;   ///< with a word that is_rare names
    double exact = 0;  ///< with any of these
    double vague = 0;  ///< of two words at most, none of them exact
    double words = 0;  ///< mean number of words
    /// en, de, fr, es, it or nl by their smallest words; empty if none prevails
    std::string language = {};
};
/// @param is_rare  Tells whether a word is rare in the documents; words as they stand in the
/// question.
/// @par Complexity O(bytes), and a call of is_rare for each word.
[[nodiscard]] query_profile profile_of(
    std::span<std::string_view const> questions, function_ref<bool(std::string_view)> is_rare);

/// The same, where nothing is known about rare words.
[[nodiscard]] query_profile profile_of(std::span<std::string_view const> questions);

/// What the documents are like.
enum class text_kind : unsigned char {
    unknown,
    reference, ///< manuals, specifications, code: their words are the terms that people ask for
    dialogue,  ///< conversations, mails, reviews: the same is said in many ways
};

/// What was measured on these questions, as far as it was.
struct profile_evidence {
    std::string measure = "nDCG@10";
    /// "BM25", "dense", …, and their means
    std::vector<std::pair<std::string, double>> systems = {};
    text_kind texts = text_kind::unknown;
    /// share of questions with an answer among the candidates
    std::optional<double> found = {};
    std::optional<double> first = {}; ///< the same among the hits that the reader looks at
    /// share of those hits that say what one before them said
    std::optional<double> repetition = {};
};
/// What the profile suggests, and what was measured. Plain are the questions without anything
/// exact: 80 % of them suggest the dense arm alone; 30 % exact ones suggest BM25 beside it, fused
/// by RRF; between the two only measuring decides. That stands last, after what texts and results
/// suggest.
[[nodiscard]] std::vector<std::string> suggestions(
    query_profile const& profile, profile_evidence const& measured = {});
[[nodiscard]] table to_table(query_profile const& p, profile_evidence const& measured = {});

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/query_profile_inl.hpp>
#endif
