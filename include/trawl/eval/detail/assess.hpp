// SPDX-License-Identifier: MIT
#pragma once

/// What measures share: an assessment made from any source of grades, and checks.

#include <cstddef>
#include <optional>
#include <string_view>

#include <trawl/error.hpp>
#include <trawl/eval/assessment.hpp>
#include <trawl/eval/judgements.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Assesses hits 0 … count - 1. grade_at(i) is the grade of hit i as an optional, or none if it has
/// no judgement.
template <class GradeAt>
[[nodiscard]] assessment assess_by(std::size_t count, judgements const& judged,
    assess_options const& options, GradeAt const& grade_at) {
    if (options.level < 0) {
        fail(errc::invalid_argument, join("assess: level must be >= 0, is ", options.level));
    }
    assessment out{.grades = judged.grades(), .level = options.level};
    out.relevant = judged.count(options.level);
    out.non_relevant = out.grades.size() - out.relevant;
    for (std::size_t i = 0; i < count && i < options.depth; ++i) {
        std::optional<int> const grade = grade_at(i);
        if (options.judged_only && (!grade || *grade < 0)) continue;
        ++out.retrieved;
        if (grade) out.known.push_back({out.retrieved, *grade});
    }
    return out;
}

inline void check_cutoff(std::string_view measure, std::size_t k) {
    if (k == 0) fail(errc::invalid_argument, join(measure, ": k must be >= 1, is 0"));
}

/// The number of judged documents (with a grade of 0 or more) among the first k.
[[nodiscard]] inline std::size_t judged_among(assessment const& a, std::size_t k) noexcept {
    std::size_t n = 0;
    for (auto const& h : a.known) {
        if (h.rank <= k && h.grade >= 0) ++n;
    }
    return n;
}

} // namespace detail
TRAWL_END_NAMESPACE
