// SPDX-License-Identifier: MIT
#pragma once

/// The BM25 family: its parameters and its formulas.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

namespace trawl::inline v0_1 {

/// Whose formulas. N documents, df of them with the term, tf times in this one;
/// B = 1 - b + b * length / average length; natural logarithms. A score is the sum of idf * tf part over the
/// terms that document and query share.
enum class bm25_variant : unsigned char {
    lucene, ///< idf ln(1 + (N - df + .5) / (df + .5)); tf part tf / (tf + k1 B)
    okapi,  ///< rank_bm25's: idf ln((N - df + .5) / (df + .5)), where below 0: epsilon * the mean idf of all
            ///< terms, negative ones included; tf part tf (k1 + 1) / (tf + k1 B)
    robertson, ///< bm25s': idf ln max(1, (N - df + .5) / (df + .5)); tf part as lucene
    atire,     ///< idf ln(N / df); tf part as okapi
};

/// "lucene", "okapi", …
[[nodiscard]] constexpr std::string_view name_of(bm25_variant variant) noexcept {
    constexpr std::string_view names[] = {"lucene", "okapi", "robertson", "atire"};
    return names[static_cast<std::size_t>(variant)];
}

/// Parameters of BM25. The defaults are Lucene's; rank_bm25 and bm25s use k1 = 1.5.
/// @par Source  Robertson, Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009;
/// Kamphuis, de Vries, Boytsov, Lin, "Which BM25 Do You Mean?", ECIR 2020.
struct bm25 {
    bm25_variant variant = bm25_variant::lucene;
    double k1 = 1.2; ///< how late a repeated term stops to count, [0, 1000]; 0: once is as good as often
    double b = 0.75; ///< how much long documents pay, [0, 1]
    double epsilon = 0.25; ///< okapi only: the floor's share of the mean idf, >= 0

    /// @throws trawl::error (not_finite, invalid_argument) naming the parameter.
    void validate() const {
        require("k1", k1, 0, 1000);
        require("b", b, 0, 1);
        require("epsilon", epsilon, 0, 1000);
        if (variant > bm25_variant::atire) {
            detail::fail(errc::invalid_argument,
                detail::join("bm25: there is no variant ", static_cast<unsigned>(variant)));
        }
    }

    friend bool operator==(bm25 const&, bm25 const&) = default;

private:
    static void require(std::string_view name, double value, double least, double most) {
        if (!detail::is_finite(value)) {
            detail::fail(errc::not_finite, detail::join("bm25: ", name, " must be a number, is ", value));
        }
        if (value < least || value > most) {
            detail::fail(errc::invalid_argument,
                detail::join("bm25: ", name, " must be in [", least, ", ", most, "], is ", value));
        }
    }
};

namespace detail {

// The barriers keep a compiler with -ffast-math from a vector logarithm of fewer digits.
[[nodiscard]] inline double logarithm(double value) noexcept { return rounded(std::log(rounded(value))); }

/// The idf of a term that df >= 1 of so many documents have, before okapi's floor.
[[nodiscard]] inline double idf(bm25_variant variant, std::uint64_t documents, std::uint64_t df) noexcept {
    auto const without = static_cast<double>(documents - df) + 0.5;
    auto const with = static_cast<double>(df);
    auto const odds = rounded(without / rounded(with + 0.5));
    switch (variant) {
    case bm25_variant::lucene:
        return logarithm(1 + odds);
    case bm25_variant::okapi:
        return logarithm(odds);
    case bm25_variant::robertson:
        return logarithm((std::max)(1.0, odds));
    case bm25_variant::atire:
        return logarithm(static_cast<double>(documents) / rounded(with));
    }
    return 0;
}

/// What multiplies idf besides the part that depends on the document.
[[nodiscard]] inline double tf_factor(bm25 const& parameters) noexcept {
    auto const raised =
        parameters.variant == bm25_variant::okapi || parameters.variant == bm25_variant::atire;
    return raised ? parameters.k1 + 1 : 1;
}

/// The part that depends on the document: tf / (tf + k1 B), a float in [0, 1]. k1 B is linear in the length.
class tf_part {
public:
    tf_part(bm25 const& parameters, double average_length) noexcept
        : constant_(rounded(parameters.k1 * rounded(1 - parameters.b))),
          slope_(average_length > 0 ? rounded(rounded(parameters.k1 * parameters.b) / rounded(average_length))
                                    : 0) {}

    [[nodiscard]] float operator()(std::uint32_t tf, std::uint32_t length) const noexcept {
        auto const norm = rounded(constant_ + rounded(slope_ * static_cast<double>(length)));
        auto const count = static_cast<float>(tf);
        return rounded(count / rounded(count + static_cast<float>(norm)));
    }

    /// tf / (tf + constant + slope * length), as vector instructions compute it.
    [[nodiscard]] double constant() const noexcept { return constant_; }
    [[nodiscard]] double slope() const noexcept { return slope_; }

private:
    double constant_;
    double slope_;
};

} // namespace detail
} // namespace trawl::inline v0_1
