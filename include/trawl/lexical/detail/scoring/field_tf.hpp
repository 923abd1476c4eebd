// SPDX-License-Identifier: MIT
#pragma once

/// The tf factor of a document of several fields.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/lexical/bm25.hpp>
#include <trawl/lexical/detail/scoring/term_weights.hpp>
#include <trawl/lexical/detail/scoring/tf_factor.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// BM25F: each field's tf is divided by the B of its length and multiplied by the field's weight;
/// their sum takes the place of tf / B in the variant's formula, so that it saturates once.
/// @par Source Robertson, Zaragoza, Taylor, "Simple BM25 extension to multiple weighted fields",
/// CIKM 2004; Zaragoza, Craswell, Taylor, Saria, Robertson, "Microsoft Cambridge at TREC-13", 2004
/// (a b for each field).
class field_tf {
public:
    /// @param average_lengths  one a field.
    field_tf(bm25 const& parameters, array_ref<bm25_field const> fields,
        std::span<double const> average_lengths)
        : parameters_(parameters), whole_(parameters, 0) {
        for (std::size_t i = 0; i < fields.size(); ++i) {
            auto const b = fields[i].b.value_or(parameters.b);
            auto const average = average_lengths[i];
            shape made{.weight = fields[i].weight,
                .b = b,
                .average = average,
                .constant = rounded(1 - b),
                .slope = average > 0 ? rounded(b / rounded(average)) : 0};
            if (parameters.variant == bm25_variant::xapian) {
                made.least = rounded(made.constant + rounded(b * parameters.least_length));
            }
            fields_.push_back(made);
        }
    }

    /// The tf factor without the division by B, which each field does with its own length.
    [[nodiscard]] tf_factor const& whole() const noexcept { return whole_; }

    /// What a field adds to the sum.
    [[nodiscard]] double normalised(
        std::size_t field, float tf, std::uint32_t length) const noexcept {
        return rounded(fields_[field].weight * divided(field, tf, length));
    }

    /// A float in [0, 1], of the sum over the fields.
    [[nodiscard]] float operator()(double sum) const noexcept { return whole_.of_normalised(sum); }

    /// Upper bound of the tf factor of any sum up to this one: rounding to float may raise one a
    /// little.
    [[nodiscard]] float bound(double sum) const noexcept {
        return (std::min)(1.0f, rounded((*this)(sum) * (1 + 0x1p-20f)));
    }

    /// Above any sum: stands for a count of 255 or more in a header.
    static constexpr double any_tf = 0x1p100;

    /// Explains what a field adds to the sum; explain_whole() takes these.
    [[nodiscard]] explanation explain(
        std::size_t field, std::string_view name, float tf, std::uint32_t length) const {
        auto const& of = fields_[field];
        explanation factor{.op = operation::opaque,
            .label = "tf / (1 - b + b length / average)",
            .value = divided(field, tf, length),
            .children = {leaf("tf, occurrences in the field", static_cast<double>(tf)),
                leaf("length of the field", length)}};
        if (!whole_.exact_lengths())
            factor.children.push_back(leaf("length as its byte keeps it", whole_.coded(length)));
        factor.children.push_back(leaf("average length", of.average));
        factor.children.push_back(leaf("b", of.b));
        if (parameters_.variant == bm25_variant::xapian)
            factor.children.push_back(leaf("least length", parameters_.least_length));
        return computed(operation::product, join("field '", name, "'"),
            {leaf("weight of the field", of.weight), std::move(factor)});
    }

    [[nodiscard]] explanation explain_whole(std::vector<explanation> fields) const {
        auto sum = computed(operation::sum, "c, over the fields", std::move(fields));
        explanation factor{.op = operation::opaque,
            .label = std::string(whole_.formula_of_normalised()),
            .value = static_cast<double>((*this)(sum.value))};
        factor.children.push_back(std::move(sum));
        auto const variant = parameters_.variant;
        if (variant != bm25_variant::tf_ldp) factor.children.push_back(leaf("k1", parameters_.k1));
        if (variant == bm25_variant::bm25l || variant == bm25_variant::tf_ldp) {
            factor.children.push_back(leaf("delta", whole_.delta()));
        }
        return factor;
    }

private:
    struct shape {
        double weight = 1;
        double b = 0;
        double average = 0;
        double constant = 1; ///< B = max(constant + slope * length, least)
        double slope = 0;
        double least = 0x1p-40; ///< below that of any text: nothing of a damaged file divides by 0
    };

    [[nodiscard]] double divided(std::size_t field, float tf, std::uint32_t length) const noexcept {
        auto const& [weight, b, average, constant, slope, least] = fields_[field];
        auto const norm =
            rounded(constant + rounded(slope * static_cast<double>(whole_.coded(length))));
        return rounded(static_cast<double>(tf) / (std::max)(norm, least));
    }

    bm25 const& parameters_;
    tf_factor whole_;
    std::vector<shape> fields_;
};

} // namespace detail
TRAWL_END_NAMESPACE
