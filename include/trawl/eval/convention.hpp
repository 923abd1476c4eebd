// SPDX-License-Identifier: MIT
#pragma once

/// What tools for the same measures do differently, by name. Whoever compares figures must know it:
/// equal scores, questions that a run lacks and questions without an answer move a mean more than
/// most systems do. The rules that a result was measured by are part of it.

#include <string_view>

#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// Whose figures are computed.
enum class convention : unsigned char {
    trec_eval, ///< trec_eval -c, pytrec_eval
    library,   ///< the order of all rankings of this library, else as trec_eval
    /// ranx with make_comparable; its order of ties is that of an unstable sort, here key ascending
    ranx,
    beir,  ///< EvaluateRetrieval of BEIR (without its rounding to five digits)
    sbert, ///< InformationRetrievalEvaluator of sentence-transformers; binary
};

/// In which order hits of the same score count.
enum class tie_order : unsigned char {
    key_descending,
    key_ascending,
    /// in every order: a measure is its mean over all of them, so that equal scores flatter nobody
    expected,
};

/// What becomes of a question that is judged and that the run does not have.
enum class missing_questions : unsigned char {
    zero, ///< an empty ranking (trec_eval -c)
    skip, ///< it does not count (trec_eval before version 10)
    fail, ///< an error (trec_eval 10)
};

/// What becomes of a question without relevant documents.
enum class unanswerable_questions : unsigned char {
    count, ///< with what each measure gives it, mostly 0
    skip,  ///< it does not count
};

/// What a negative grade is.
enum class negative_grades : unsigned char {
    /// pooled, but not judged: bpref and infAP pass over it, elsewhere it is not relevant
    unjudged,
    not_relevant, ///< judged, not relevant
};

/// What becomes of a hit whose key is the question's own.
enum class own_document : unsigned char { count, drop };

/// What becomes of a document that a run has twice for one question. It is decided where the run is
/// read (formats/trec.hpp, formats/ranx.hpp): a run in memory has none.
enum class repeated_documents : unsigned char {
    fail,      ///< an error (trec_eval, pytrec_eval's reader)
    keep_last, ///< the last of its scores counts (a dictionary of Python: ranx, BEIR)
};

/// How a run is measured, apart from the measures.
struct evaluation_rules {
    tie_order ties = tie_order::key_descending;
    missing_questions missing = missing_questions::zero;
    unanswerable_questions unanswerable = unanswerable_questions::count;
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
        rules.missing = missing_questions::skip;
        rules.own = own_document::drop;
        rules.repeated = repeated_documents::keep_last;
        break;
    case convention::sbert:
        rules.ties = tie_order::key_ascending;
        rules.unanswerable = unanswerable_questions::skip;
        break;
    }
    return rules;
}

[[nodiscard]] constexpr std::string_view name_of(convention whose) noexcept {
    constexpr std::string_view names[] = {"trec_eval", "library", "ranx", "beir", "sbert"};
    return names[static_cast<unsigned char>(whose)];
}

[[nodiscard]] constexpr std::string_view name_of(tie_order ties) noexcept {
    constexpr std::string_view names[] = {"key_descending", "key_ascending", "expected"};
    return names[static_cast<unsigned char>(ties)];
}

[[nodiscard]] constexpr std::string_view name_of(missing_questions missing) noexcept {
    constexpr std::string_view names[] = {"zero", "skip", "fail"};
    return names[static_cast<unsigned char>(missing)];
}

[[nodiscard]] constexpr std::string_view name_of(unanswerable_questions unanswerable) noexcept {
    return unanswerable == unanswerable_questions::count ? "count" : "skip";
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

/// @throws trawl::error (invalid_argument) for a name that is none of trec_eval, library, ranx,
/// beir, sbert.
[[nodiscard]] convention convention_named(std::string_view name);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/convention_inl.hpp>
#endif
