// SPDX-License-Identifier: MIT
#pragma once

/// The tf factor of BM25, which depends on the document, and the contributions of a term's
/// postings.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>

#include <trawl/detail/buffer.hpp>
#include <trawl/detail/simd/bm25_kernels.hpp>
#include <trawl/lexical/detail/scoring/idf.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// A length as Lucene's one-byte norm keeps it (SmallFloat.intToByte4): what exceeds 24 is cut to
/// its four leading bits, so that lengths up to 40 are exact.
[[nodiscard]] constexpr std::uint32_t lucene_byte_length(std::uint32_t length) noexcept {
    constexpr std::uint32_t exact = 24;
    if (length < exact) return length;
    auto const over = length - exact;
    auto const bits = static_cast<unsigned>(std::bit_width(over));
    return exact + (bits < 4 ? over : over >> (bits - 4) << (bits - 4));
}

/// The average length; 0 if there are no documents.
[[nodiscard]] inline double mean_length(std::uint64_t total, std::uint64_t documents) noexcept {
    if (documents == 0) return 0;
    return rounded(static_cast<double>(total) / rounded(static_cast<double>(documents)));
}

/// A variant's tf factor without its constant multiplier: a float in [0, 1]. Apart from rounding, it
/// never falls with tf and never rises with the length.
class tf_factor {
public:
    tf_factor(bm25 const& parameters, double average_length) noexcept
        : form_(form_of(parameters.variant)),
          k1_(parameters.k1),
          delta_(parameters.delta.value_or(parameters.variant == bm25_variant::bm25l ? 0.5 : 1.0)),
          lengths_(parameters.lengths) {
        auto const scale = form_ == form::saturated ? k1_ : 1;
        constant_ = rounded(scale * rounded(1 - parameters.b));
        slope_ = average_length > 0
                     ? rounded(rounded(scale * parameters.b) / rounded(average_length))
                     : 0;
        if (parameters.variant == bm25_variant::xapian && average_length > 0) {
            least_ =
                rounded(constant_ + rounded(rounded(k1_ * parameters.b) * parameters.least_length));
        }
        multiplier_ = form_ == form::logarithmic                      ? 8
                      : parameters.variant == bm25_variant::lucene    ? 1
                      : parameters.variant == bm25_variant::robertson ? 1
                                                                      : k1_ + 1;
        shift_ = parameters.variant == bm25_variant::bm25plus ? delta_ : 0;
    }

    /// What multiplies the tf factor in the variant's formula.
    [[nodiscard]] double multiplier() const noexcept { return multiplier_; }

    /// What the formula adds to multiplier * tf factor of a document that has the term.
    [[nodiscard]] double shift() const noexcept { return shift_; }

    [[nodiscard]] double delta() const noexcept { return delta_; }

    /// @param tf  > 0.
    [[nodiscard]] float operator()(float tf, std::uint32_t length) const noexcept {
        auto const norm = this->norm(length);
        if (form_ == form::saturated) return rounded(tf / rounded(tf + static_cast<float>(norm)));
        // A damaged file has documents of length 0 that hold a term: 2^-40 is below any other norm.
        return unsaturated(rounded(static_cast<double>(tf) / (std::max)(norm, 0x1p-40)));
    }

    /// The tf factor where tf is divided by B already.
    [[nodiscard]] float of_normalised(double tf) const noexcept {
        if (form_ != form::saturated) return unsaturated(tf);
        return static_cast<float>(rounded(tf / rounded(tf + k1_)));
    }

    /// Whether the vector kernels can compute it, as tf / (tf + constant + slope * length).
    [[nodiscard]] bool is_plain() const noexcept { return form_ == form::saturated && least_ == 0; }

    /// The constants of that formula.
    [[nodiscard]] double constant() const noexcept { return constant_; }
    [[nodiscard]] double slope() const noexcept { return slope_; }

    [[nodiscard]] bool exact_lengths() const noexcept { return lengths_ == length_code::exact; }
    [[nodiscard]] std::uint32_t coded(std::uint32_t length) const noexcept {
        return exact_lengths() ? length : lucene_byte_length(length);
    }

    [[nodiscard]] std::string_view formula() const noexcept {
        switch (form_) {
        case form::saturated:
            return least_ > 0 ? "tf / (tf + k1 (1 - b + b max(length / average, least length)))"
                              : "tf / (tf + k1 (1 - b + b length / average))";
        case form::shifted:
            return "(c + delta) / (k1 + c + delta), c = tf / (1 - b + b length / average)";
        case form::logarithmic:
            return "(1 + ln(1 + ln(tf / (1 - b + b length / average) + delta))) / 8";
        }
        return "";
    }

    /// The formula of of_normalised(c).
    [[nodiscard]] std::string_view formula_of_normalised() const noexcept {
        return form_ == form::saturated ? "c / (k1 + c)"
               : form_ == form::shifted ? "(c + delta) / (k1 + c + delta)"
                                        : "(1 + ln(1 + ln(c + delta))) / 8";
    }

private:
    enum class form : unsigned char { saturated, shifted, logarithmic };

    [[nodiscard]] static form form_of(bm25_variant variant) noexcept {
        return variant == bm25_variant::bm25l    ? form::shifted
               : variant == bm25_variant::tf_ldp ? form::logarithmic
                                                 : form::saturated;
    }

    [[nodiscard]] double norm(std::uint32_t length) const noexcept {
        auto const norm = rounded(constant_ + rounded(slope_ * static_cast<double>(coded(length))));
        return (std::max)(norm, least_);
    }

    [[nodiscard]] float unsaturated(double tf) const noexcept {
        auto const shifted = rounded(tf + delta_);
        if (form_ == form::shifted)
            return static_cast<float>(rounded(shifted / rounded(k1_ + shifted)));
        // The largest tf, 2^32, of the largest average length gives less than 8.
        return static_cast<float>((1 + logarithm(1 + logarithm(shifted))) / 8);
    }

    form form_;
    double k1_;
    double delta_;
    length_code lengths_;
    double constant_ = 0;
    double slope_ = 0;
    double least_ = 0;
    double multiplier_ = 1;
    double shift_ = 0;
};

/// How the postings of one term score: in whole steps, nearest(weight * tf factor * steps) + shift.
struct posting_scoring {
    tf_factor const* factor = nullptr;
    float weight = 0;
    float steps = 1; ///< a power of two
    std::int32_t shift = 0;

    [[nodiscard]] std::int32_t contribution(float tf, std::uint32_t length) const noexcept {
        return of_factor((*factor)(tf, length));
    }

    /// The contribution of a document whose tf factor is known.
    [[nodiscard]] std::int32_t of_factor(float value) const noexcept {
        auto const exact =
            static_cast<double>(rounded(weight * value)) * static_cast<double>(steps);
        // 1.5 * 2^52: rounds to an integer, ties to even
        constexpr double integers = 6755399441055744.0;
        return static_cast<std::int32_t>(rounded(rounded(exact + integers) - integers)) + shift;
    }

    /// Upper bound of the contribution of any posting.
    [[nodiscard]] std::int32_t max_score() const noexcept { return of_factor(1); }

    /// Upper bound of the contributions of postings of at most this tf and at least this length. A
    /// tf factor is off by a few roundings to float; the bound is raised by more than these.
    [[nodiscard]] std::int32_t bound(float tf, std::uint32_t length) const noexcept {
        return of_factor((std::min)(1.0f, rounded((*factor)(tf, length) * (1 + 0x1p-20f))));
    }

    /// Whether add() may be called.
    [[nodiscard]] bool is_plain() const noexcept {
        return factor->is_plain() && factor->exact_lengths();
    }

    /// Adds the contributions of n documents, of which those with a count of 0 do not hold the
    /// term.
    void add(bm25_kernels const& kernels, std::uint8_t const* counts, std::uint32_t const* lengths,
        std::size_t n, std::int32_t* sums) const noexcept {
        kernels.add_counts(kernel_scoring(), shift, counts, lengths, n, sums);
    }

    /// The bounds of blocks, each at least 0.
    void bounds(bm25_kernels const& kernels, array_ref<block_header const> headers,
        std::int32_t* out) const noexcept {
        if (is_plain()) {
            kernels.bounds(kernel_scoring(), headers.data(), headers.size(), out);
            for (std::size_t i = 0; i < headers.size() && shift != 0; ++i)
                out[i] = (std::max)(out[i] + shift, 0);
            return;
        }
        for (std::size_t i = 0; i < headers.size(); ++i) {
            out[i] = 0;
            for (std::size_t pair = 0; pair < block_pairs; ++pair) {
                auto const tf = headers[i].max_counts[pair];
                auto const length = length_of_byte(headers[i].least[pair]);
                out[i] = (std::max)(out[i], tf == 255 ? max_score() : bound(tf, length));
            }
        }
    }

    /// The contributions of n postings.
    void contributions(bm25_kernels const& kernels, std::uint32_t const* rows,
        std::uint32_t const* tf, std::size_t n, std::uint32_t const* lengths,
        std::int32_t* out) const noexcept {
        if (!factor->is_plain()) {
            for (std::size_t i = 0; i < n; ++i) {
                out[i] = contribution(static_cast<float>(tf[i]), lengths[rows[i]]);
            }
            return;
        }
        auto const term = kernel_scoring();
        if (factor->exact_lengths()) {
            kernels.contributions(term, rows, tf, n, lengths, out);
        } else {
            std::array<std::uint32_t, block_size> places;
            std::array<std::uint32_t, block_size> coded;
            std::iota(places.begin(), places.end(), 0u);
            for (std::size_t i = 0; i < n; ++i) coded[i] = factor->coded(lengths[rows[i]]);
            kernels.contributions(term, places.data(), tf, n, coded.data(), out);
        }
        if (shift != 0) {
            for (std::size_t i = 0; i < n; ++i) out[i] += shift;
        }
    }

private:
    [[nodiscard]] term_scoring kernel_scoring() const noexcept {
        return {.constant = factor->constant(),
            .slope = factor->slope(),
            .weight = weight,
            .steps = steps};
    }
};

} // namespace detail
TRAWL_END_NAMESPACE
