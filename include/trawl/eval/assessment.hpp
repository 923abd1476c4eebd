// SPDX-License-Identifier: MIT
#pragma once

/// A ranking seen through the judgements of its question: what every measure computes from.

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/judgements.hpp>

TRAWL_BEGIN_NAMESPACE

/// The cutoff of a measure that looks at the whole ranking.
inline constexpr std::size_t no_cutoff = static_cast<std::size_t>(-1);

struct assess_options {
    /// a document of at least this grade is relevant; >= 0 (trec_eval -l)
    int level = 1;
    std::size_t depth = no_cutoff; ///< hits looked at (trec_eval -M)
    /// takes out what is not judged, before ranks are given (trec_eval -J)
    bool judged_only = false;
};

/// A retrieved document that the judgements know.
struct judged_hit {
    std::size_t rank = 0; ///< from 1
    int grade = 0;        ///< negative: pooled, not judged
};

/// Borrows the grades of the judgements that it was made from.
struct assessment {
    /// ascending by rank; all other hits are not in the judgements
    std::vector<judged_hit> known = {};
    std::size_t retrieved = 0;
    std::size_t relevant = 0;         ///< documents of at least the level, retrieved or not
    std::size_t non_relevant = 0;     ///< judged documents below the level, retrieved or not
    std::span<int const> grades = {}; ///< of all judged documents, best first
    int level = 1;

    [[nodiscard]] bool is_relevant(judged_hit const& h) const noexcept {
        return h.grade >= 0 && h.grade >= level;
    }

    /// Relevant documents among the first k.
    [[nodiscard]] std::size_t found(std::size_t k = no_cutoff) const noexcept {
        std::size_t n = 0;
        for (auto const& h : known) {
            if (h.rank > k) break;
            if (is_relevant(h)) ++n;
        }
        return n;
    }
};

namespace detail {

// Assesses hits 0 … count - 1; grade_at(i) is the grade of hit i, or null where it is not known.
template <class GradeAt>
[[nodiscard]] assessment assess_by(std::size_t count, judgements const& judged,
    assess_options const& options, GradeAt&& grade_at) {
    if (options.level < 0) {
        fail(errc::invalid_argument, join("assess: level must be >= 0, is ", options.level));
    }
    assessment out{.grades = judged.grades(), .level = options.level};
    out.relevant = judged.count(options.level);
    out.non_relevant = out.grades.size() - out.relevant;
    for (std::size_t i = 0; i < (std::min)(count, options.depth); ++i) {
        int const* const grade = grade_at(i);
        if (options.judged_only && (grade == nullptr || *grade < 0)) continue;
        ++out.retrieved;
        if (grade != nullptr) out.known.push_back({out.retrieved, *grade});
    }
    return out;
}

inline void check_cutoff(std::string_view measure, std::size_t k) {
    if (k == 0) fail(errc::invalid_argument, join(measure, ": k must be >= 1, is 0"));
}

} // namespace detail

/// Looks the hits up in the judgements, in the order of the ranking. O(n log n + n log m).
/// @throws trawl::error (invalid_argument) if a document is in the ranking twice or the level is
/// negative.
[[nodiscard]] inline assessment assess(
    std::span<hit const> hits, judgements const& judged, assess_options const& options = {}) {
    std::vector<doc_id> ids;
    ids.reserve(hits.size());
    for (auto const& h : hits) ids.push_back(h.id);
    std::sort(ids.begin(), ids.end());
    auto const twice = std::adjacent_find(ids.begin(), ids.end());
    if (twice != ids.end()) {
        detail::fail(errc::invalid_argument,
            detail::join("assess: document ", *twice, " is in the ranking twice"));
    }
    int grade = 0;
    return detail::assess_by(hits.size(), judged, options, [&](std::size_t i) {
        auto const known = judged.grade(hits[i].id);
        grade = known.value_or(0);
        return known ? &grade : nullptr;
    });
}

TRAWL_END_NAMESPACE
