// SPDX-License-Identifier: MIT
#pragma once

/// How rare a term is: the idf of each variant, and the weight of a term in the query.

#include <algorithm>
#include <cstdint>

#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/math.hpp>
#include <trawl/lexical/bm25.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// rounded() is a barrier: -ffast-math may otherwise call a vector logarithm of fewer digits.
[[nodiscard]] inline double logarithm(double value) noexcept {
    return rounded(math::log(rounded(value)));
}

/// The idf of a term that df >= 1 of `documents` documents hold, before okapi replaces a negative
/// one.
[[nodiscard]] inline double idf(
    bm25_variant variant, std::uint64_t documents, std::uint64_t df) noexcept {
    auto const all = static_cast<double>(documents);
    auto const with = static_cast<double>(df);
    auto const odds = rounded((static_cast<double>(documents - df) + 0.5) / rounded(with + 0.5));
    constexpr double least = 1e-6;
    switch (variant) {
    case bm25_variant::lucene:
    case bm25_variant::tantivy:
        return logarithm(1 + odds);
    case bm25_variant::okapi:
        return logarithm(odds);
    case bm25_variant::robertson:
        return logarithm((std::max)(1.0, odds));
    case bm25_variant::atire:
        return logarithm(all / rounded(with));
    case bm25_variant::bm25l:
        return logarithm((all + 1) / rounded(with + 0.5));
    case bm25_variant::bm25plus:
    case bm25_variant::tf_ldp:
        return logarithm((all + 1) / rounded(with));
    case bm25_variant::fts5: {
        auto const value = logarithm(odds);
        return value > 0 ? value : least;
    }
    case bm25_variant::pisa:
        return (std::max)(least, logarithm(odds));
    case bm25_variant::xapian:
        return logarithm(odds < 2 ? odds / 2 + 1 : odds);
    }
    return 0;
}

/// What a term's weight in the query multiplies its score by.
[[nodiscard]] inline double query_factor(bm25 const& parameters, double weight) noexcept {
    if (parameters.variant != bm25_variant::xapian || weight == 0) return weight;
    return rounded(rounded((parameters.k3 + 1) * weight) / rounded(parameters.k3 + weight));
}

} // namespace detail
TRAWL_END_NAMESPACE
