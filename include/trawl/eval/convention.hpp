// SPDX-License-Identifier: MIT
#pragma once

/// Conventions: what tools that compute the same measures do differently. Equal scores, queries that
/// a run lacks and queries without an answer move a mean more than most systems do. An evaluation
/// records the rules that it was made by.

#include <cstddef>
#include <string_view>

#include <trawl/core/enum_count.hpp>

TRAWL_BEGIN_NAMESPACE

/// The tool whose figures are computed.
enum class convention : unsigned char {
    trec_eval, ///< trec_eval -c, pytrec_eval
    library,   ///< ties as in the rankings of this library; else as trec_eval
    ranx,      ///< with make_comparable; its ties have no defined order, here ascending keys
    beir,      ///< EvaluateRetrieval of BEIR, without its rounding to five digits
    sbert,     ///< InformationRetrievalEvaluator of sentence-transformers; binary
};

/// The order of hits with equal scores.
enum class tie_order : unsigned char {
    key_descending,
    key_ascending,
    expected, ///< all orders: a measure is its mean over them, so that ties favour no system
};

/// What to do with a judged query that the run lacks.
enum class missing_queries : unsigned char {
    zero, ///< it counts as an empty ranking (trec_eval -c)
    skip, ///< it does not count (trec_eval before version 10)
    fail, ///< an error (trec_eval 10)
};

/// What to do with a query without relevant documents.
enum class unanswerable_queries : unsigned char {
    count, ///< it counts with its value, mostly 0
    skip,  ///< it does not count
};

/// The meaning of a negative grade.
enum class negative_grades : unsigned char {
    unjudged,     ///< pooled but not judged: bpref and infAP ignore it, others: not relevant
    not_relevant, ///< judged and not relevant
};

/// What to do with a hit whose key is that of the query.
enum class own_document : unsigned char { count, drop };

/// What to do with a document that a query of a run has twice. The readers of files apply it
/// (formats/trec.hpp, formats/ranx.hpp); a run in memory has none.
enum class repeated_documents : unsigned char {
    fail,      ///< an error (trec_eval, the reader of pytrec_eval)
    keep_last, ///< the last score counts, as in a dictionary of Python (ranx, BEIR)
};

template <>
inline constexpr std::size_t enum_count<convention> = 5;
template <>
inline constexpr std::size_t enum_count<tie_order> = 3;
template <>
inline constexpr std::size_t enum_count<missing_queries> = 3;
template <>
inline constexpr std::size_t enum_count<unanswerable_queries> = 2;
template <>
inline constexpr std::size_t enum_count<negative_grades> = 2;
template <>
inline constexpr std::size_t enum_count<own_document> = 2;
template <>
inline constexpr std::size_t enum_count<repeated_documents> = 2;

/// How a run is measured, apart from the measures.
struct evaluation_rules {
    tie_order ties = tie_order::key_descending;
    missing_queries missing = missing_queries::zero;
    unanswerable_queries unanswerable = unanswerable_queries::count;
    negative_grades negatives = negative_grades::unjudged;
    own_document own = own_document::count;
    repeated_documents repeated = repeated_documents::fail;
    friend bool operator==(evaluation_rules const&, evaluation_rules const&) = default;
};

[[nodiscard]] constexpr evaluation_rules rules_of(convention whose) noexcept {
    evaluation_rules rules;
    switch (whose) {
    case convention::trec_eval:
        break;
    case convention::library:
        rules.ties = tie_order::key_ascending;
        break;
    case convention::ranx:
        rules.ties = tie_order::key_ascending;
        rules.negatives = negative_grades::not_relevant;
        rules.repeated = repeated_documents::keep_last;
        break;
    case convention::beir:
        rules.missing = missing_queries::skip;
        rules.own = own_document::drop;
        rules.repeated = repeated_documents::keep_last;
        break;
    case convention::sbert:
        rules.ties = tie_order::key_ascending;
        rules.unanswerable = unanswerable_queries::skip;
        break;
    }
    return rules;
}

[[nodiscard]] constexpr std::string_view name_of(convention whose) noexcept {
    constexpr std::string_view names[enum_count<convention>] = {
        "trec_eval", "library", "ranx", "beir", "sbert"};
    return names[static_cast<unsigned char>(whose)];
}

[[nodiscard]] constexpr std::string_view name_of(tie_order ties) noexcept {
    constexpr std::string_view names[enum_count<tie_order>] = {
        "key_descending", "key_ascending", "expected"};
    return names[static_cast<unsigned char>(ties)];
}

[[nodiscard]] constexpr std::string_view name_of(missing_queries missing) noexcept {
    constexpr std::string_view names[enum_count<missing_queries>] = {"zero", "skip", "fail"};
    return names[static_cast<unsigned char>(missing)];
}

[[nodiscard]] constexpr std::string_view name_of(unanswerable_queries unanswerable) noexcept {
    return unanswerable == unanswerable_queries::count ? "count" : "skip";
}

[[nodiscard]] constexpr std::string_view name_of(negative_grades negatives) noexcept {
    return negatives == negative_grades::unjudged ? "unjudged" : "not_relevant";
}

[[nodiscard]] constexpr std::string_view name_of(own_document own) noexcept {
    return own == own_document::count ? "count" : "drop";
}

[[nodiscard]] constexpr std::string_view name_of(repeated_documents repeated) noexcept {
    return repeated == repeated_documents::fail ? "fail" : "keep_last";
}

/// The convention with this name: trec_eval, library, ranx, beir or sbert.
/// @throws trawl::error (invalid_argument) for another name.
[[nodiscard]] convention convention_named(std::string_view name);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/convention_inl.hpp>
#endif
