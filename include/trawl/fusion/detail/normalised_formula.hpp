// SPDX-License-Identifier: MIT
#pragma once

/// The values of rules that normalise all arms alike.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/fusion/detail/arm_scale.hpp>
#include <trawl/fusion/detail/formula.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// What a rule does with an arm that has normalised scores below 0: a document that it lacks must
/// not be better off than one that it returned.
enum class below_0 : unsigned char {
    stays,     ///< nothing: the rule reads only the arms that have a document
    is_lowest, ///< the lowest is the value of a document that the arm lacks
    shifted,   ///< the lowest is subtracted from all
};

class normalised_formula : public formula {
public:
    std::optional<double> values(arm_union const& all, std::size_t arm,
        std::span<std::uint32_t const> ranks, std::span<double> out) const override {
        auto const scores = all.scores(arm);
        auto const scale = scale_of(norm, scores, all.documents().size());
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = scale(scores[i], ranks[i]);
        if (negative == below_0::stays) return scale.missing;
        auto const lowest = lowest_below_0(out);
        if (lowest == 0) return scale.missing;
        if (negative == below_0::is_lowest) {
            if (norm == normaliser::z_score) return {}; // 0 is the mean by definition
            return lowest;
        }
        for (double& value : out) value = rounded(value - lowest);
        return {};
    }

    [[nodiscard]] std::string describe(
        arm_union const& all, std::size_t arm, float score, std::size_t rank) const override {
        auto const scores = all.scores(arm);
        auto const documents = all.documents().size();
        auto text = scale_of(norm, scores, documents).describe(score, rank);
        if (negative == below_0::shifted) {
            auto const lowest = lowest_below_0(normalised(norm, scores, documents));
            if (lowest < 0) text += join(", less ", lowest, ", the lowest of the arm");
        }
        return text;
    }

protected:
    normalised_formula() = default;
    normalised_formula(normalised_formula const&) = default;
    normalised_formula& operator=(normalised_formula const&) = default;
    ~normalised_formula() = default;

    normaliser norm = normaliser::min_max;
    below_0 negative = below_0::stays;
};

} // namespace detail
TRAWL_END_NAMESPACE
