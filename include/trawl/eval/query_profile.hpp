// SPDX-License-Identifier: MIT
#pragma once

/// The kinds of queries that a system gets, and the techniques that they suggest. These are rules of
/// thumb to begin with: a suggestion never contradicts what was measured.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/function_ref.hpp>
#include <trawl/eval/table.hpp>

TRAWL_BEGIN_NAMESPACE

/// Shares of the queries, in [0, 1]. A query is exact if it names something that only its spelling
/// identifies: an identifier, a code, a proper name or a quotation.
struct query_profile {
    std::size_t queries = 0;
    double identifiers = 0; ///< words with inner signs or capitals: file.txt, max_size, HttpClient
    double codes = 0;       ///< letters or signs with digits, long numbers: PROD-4817, #8821, 3.14
    double names = 0;       ///< acronyms (NATO), capitalised words inside a sentence (Maria)
    double quoted = 0;      ///< text between quotation marks
    double exact = 0;       ///< any of these
    /// A word that is_rare accepts. Not counted as exact: any paraphrase may have one.
    double rare = 0;
    double vague = 0; ///< at most two words, neither exact nor rare
    double words = 0; ///< mean number of words
    /// en, de, fr, es, it or nl, by the most frequent function words; empty if unknown.
    std::string language = {};
};

/// @param is_rare  Whether a word is rare in the documents. Gets words as they are spelt in the
/// query.
/// @par Complexity O(bytes), and one call of is_rare per word.
[[nodiscard]] query_profile profile_of(
    std::span<std::string_view const> queries, function_ref<bool(std::string_view)> is_rare);

/// The same, if nothing is known about rare words.
[[nodiscard]] query_profile profile_of(std::span<std::string_view const> queries);

/// The kind of the documents.
enum class text_kind : unsigned char {
    unknown,
    reference, ///< manuals, specifications, code: users know and use their terms
    dialogue,  ///< conversations, mails, reviews: the same is said in many ways
};

/// What was measured on these queries, as far as it was.
struct profile_evidence {
    std::string measure = "nDCG@10";
    /// Means of BM25 alone, the dense arm alone, and both fused.
    std::optional<double> lexical = {};
    std::optional<double> dense = {};
    std::optional<double> fused = {};
    std::string fusion = "RRF"; ///< the rule that `fused` was measured with
    /// Further systems and their means. They are listed, and nothing follows from them.
    std::vector<std::pair<std::string, double>> systems = {};
    text_kind texts = text_kind::unknown;
    /// The share of queries with an answer among the candidates.
    std::optional<double> found = {};
    /// The share of queries with an answer among the hits that the reader sees.
    std::optional<double> first = {};
    /// The share of those hits that repeat one before them.
    std::optional<double> repetition = {};
};

/// What the profile and the measurements suggest. The last sentence is about the arms. If BM25, the
/// dense arm and their fusion were measured, the best of them is recommended. Otherwise 30 % exact
/// queries suggest BM25 beside the dense arm, 80 % plain ones the dense arm alone; in between only a
/// measurement decides.
[[nodiscard]] std::vector<std::string> suggestions(
    query_profile const& profile, profile_evidence const& measured = {});

[[nodiscard]] table to_table(query_profile const& p, profile_evidence const& measured = {});

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/query_profile_inl.hpp>
#endif
