// SPDX-License-Identifier: MIT
#pragma once

/// Short codes of vectors, from which scores can be estimated quickly: int8, and one bit a dimension.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include <trawl/dense/metric.hpp>
#include <trawl/dense/rotation.hpp>
#include <trawl/detail/cosine.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/simd/code_kernels.hpp>

namespace trawl::inline v0_1 {
namespace detail {

/// What a row's code adds to the estimate of a score: see estimate_line.
struct row_line {
    float slope = 0;
    float base = 0;
};

/// A question, coded. `constant` is what every score has in common and the estimates leave out.
struct coded_query {
    std::vector<std::int16_t> values = {};
    std::vector<std::uint64_t> planes = {};
    estimate_line line = {};
    double constant = 0;
};

// As a float, never infinite: the vectors that a code takes have lengths up to 2^60.
[[nodiscard]] inline float narrowed(double value) noexcept {
    constexpr auto most = static_cast<double>((std::numeric_limits<float>::max)());
    return static_cast<float>(std::clamp(value, -most, most));
}

[[nodiscard]] inline double squared_length(measured_vector const& v) noexcept {
    return v.inverse_length == 0 ? 0 : rounded(1 / rounded(v.inverse_length * v.inverse_length));
}

} // namespace detail

/// One byte a dimension: value / (largest size of a value / 127), rounded. Estimates are integer dot
/// products, scaled.
class int8_code {
public:
    static constexpr char const* name = "int8";
    static constexpr std::size_t candidates = 100; ///< rescored, unless told otherwise
    static constexpr std::size_t sample = 0;       ///< rows to be seen before the first is coded

    int8_code(std::size_t dim, metric how, std::uint64_t) : dim_(dim), how_(how) {}

    [[nodiscard]] std::size_t bytes() const noexcept { return dim_; }
    void learn(std::span<detail::measured_vector const>) {}
    [[nodiscard]] std::span<float const> centre() const noexcept { return {}; }
    void centre(std::span<float const>) {}

    [[nodiscard]] detail::row_line encode(detail::measured_vector const& v, std::byte* out) const {
        auto const step = quantise(v.values, [&](std::size_t i, int value) {
            out[i] = static_cast<std::byte>(static_cast<std::int8_t>(value));
        });
        switch (how_) {
        case metric::cosine:
            return {detail::narrowed(detail::rounded(step * v.inverse_length)), 0};
        case metric::dot_product:
            return {detail::narrowed(step), 0};
        case metric::euclidean:
            break;
        }
        return {detail::narrowed(2 * step), detail::narrowed(-detail::squared_length(v))};
    }

    [[nodiscard]] detail::coded_query encode(detail::measured_vector const& q) const {
        detail::coded_query out{.values = std::vector<std::int16_t>(dim_)};
        auto const step = quantise(
            q.values, [&](std::size_t i, int value) { out.values[i] = static_cast<std::int16_t>(value); });
        out.line.scale =
            detail::narrowed(how_ == metric::cosine ? detail::rounded(step * q.inverse_length) : step);
        if (how_ == metric::euclidean) out.constant = -detail::squared_length(q);
        return out;
    }

    void sums(detail::code_kernels const& with, detail::coded_query const& q, std::byte const* const* rows,
        std::size_t count, std::int32_t* out) const noexcept {
        with.dot_int8_rows(q.values.data(), rows, count, dim_, out);
    }

private:
    template <class Put>
    double quantise(float const* v, Put&& put) const noexcept {
        float largest = 0;
        for (std::size_t i = 0; i < dim_; ++i) largest = (std::max)(largest, std::fabs(v[i]));
        auto const step = detail::divided(static_cast<double>(largest), 127.0);
        for (std::size_t i = 0; i < dim_; ++i) {
            auto const value = largest == 0 ? 0.0 : detail::divided(static_cast<double>(v[i]), step);
            put(i, static_cast<int>(std::lround(value)));
        }
        return step;
    }

    std::size_t dim_;
    metric how_;
};

/// One bit a dimension and two factors: the signs of the vector's difference from a centre, rotated at
/// random, from which its dot product with a query is estimated without bias. The query is coded with a sign
/// and three bits a dimension. The centre is the mean of the first 256 rows.
/// @par Source  Gao, Long, "RaBitQ: quantizing high-dimensional vectors with a theoretical error bound for
/// approximate nearest neighbor search", SIGMOD 2024.
class one_bit_code {
public:
    static constexpr char const* name = "one_bit";
    static constexpr std::size_t candidates = 400;
    static constexpr std::size_t sample = 256;

    one_bit_code(std::size_t dim, metric how, std::uint64_t seed)
        : dim_(dim), how_(how), rotate_((dim + 63) / 64 * 64, seed), centre_(dim) {}

    [[nodiscard]] std::size_t bytes() const noexcept { return rotate_.size() / 8; }

    /// Takes the mean of the rows, of unit length under cosine, as the centre.
    void learn(std::span<detail::measured_vector const> rows) {
        std::vector<double> mean(dim_);
        for (auto const& row : rows) {
            for (std::size_t i = 0; i < dim_; ++i) mean[i] = detail::rounded(mean[i] + value(row, i));
        }
        for (std::size_t i = 0; i < dim_; ++i)
            centre_[i] = detail::narrowed(detail::divided(mean[i], static_cast<double>(rows.size())));
    }

    [[nodiscard]] std::span<float const> centre() const noexcept { return centre_; }
    void centre(std::span<float const> values) { centre_.assign(values.begin(), values.end()); }

    [[nodiscard]] detail::row_line encode(detail::measured_vector const& v, std::byte* out) const {
        auto const parts = turned(v);
        double total = 0;
        for (std::size_t w = 0; w < rotate_.size() / 64; ++w) {
            std::uint64_t word = 0;
            for (std::size_t i = 0; i < 64; ++i) {
                auto const x = parts.rotated[w * 64 + i];
                if (x > 0) word |= std::uint64_t{1} << i;
                total = detail::rounded(total + static_cast<double>(std::fabs(x)));
            }
            std::memcpy(out + w * sizeof word, &word, sizeof word);
        }
        auto const slope = total == 0 ? 0.0 : detail::divided(parts.squared, total);
        if (how_ == metric::euclidean) return {detail::narrowed(2 * slope), detail::narrowed(-parts.squared)};
        return {detail::narrowed(slope), detail::narrowed(parts.with_centre)};
    }

    [[nodiscard]] detail::coded_query encode(detail::measured_vector const& q) const {
        auto const parts = turned(q);
        auto const words = rotate_.size() / 64;
        constexpr auto most = (1 << detail::weight_planes) - 1;
        float largest = 0;
        for (auto const x : parts.rotated) largest = (std::max)(largest, std::fabs(x));
        auto const step = detail::divided(static_cast<double>(largest), static_cast<double>(most));
        detail::coded_query out{.planes = std::vector<std::uint64_t>(words * (1 + detail::weight_planes))};
        std::int64_t all = 0;
        for (std::size_t i = 0; i < rotate_.size(); ++i) {
            auto const x = parts.rotated[i];
            auto const weight =
                largest == 0 ? 0L : std::lround(detail::divided(static_cast<double>(std::fabs(x)), step));
            all += weight;
            if (x > 0) out.planes[i / 64] |= std::uint64_t{1} << (i % 64);
            for (std::size_t p = 0; p < detail::weight_planes; ++p) {
                if ((weight >> p & 1) != 0)
                    out.planes[(p + 1) * words + i / 64] |= std::uint64_t{1} << (i % 64);
            }
        }
        // The sum of signed weights: all of them less twice those where the signs differ.
        out.line = {
            detail::narrowed(-2 * step), detail::narrowed(detail::rounded(step * static_cast<double>(all)))};
        if (how_ == metric::euclidean) {
            out.constant = -parts.squared;
        } else {
            double sum = 0; // query and centre
            for (std::size_t i = 0; i < dim_; ++i)
                sum = detail::rounded(sum + detail::rounded(value(q, i) * static_cast<double>(centre_[i])));
            out.constant = sum;
        }
        return out;
    }

    void sums(detail::code_kernels const& with, detail::coded_query const& q, std::byte const* const* rows,
        std::size_t count, std::int32_t* out) const noexcept {
        with.weigh_mismatches(q.planes.data(), rows, count, rotate_.size() / 64, out);
    }

private:
    struct turned_vector {
        std::vector<float> rotated;
        double squared = 0;     // length of the difference from the centre
        double with_centre = 0; // dot product of that difference and the centre
    };

    [[nodiscard]] double value(detail::measured_vector const& v, std::size_t i) const noexcept {
        auto const x = static_cast<double>(v.values[i]);
        return how_ == metric::cosine ? detail::rounded(x * v.inverse_length) : x;
    }

    [[nodiscard]] turned_vector turned(detail::measured_vector const& v) const {
        turned_vector out{.rotated = std::vector<float>(rotate_.size())};
        for (std::size_t i = 0; i < dim_; ++i) {
            auto const c = static_cast<double>(centre_[i]);
            auto const difference = detail::rounded(value(v, i) - c);
            out.rotated[i] = detail::narrowed(difference);
            out.squared = detail::rounded(out.squared + detail::rounded(difference * difference));
            out.with_centre = detail::rounded(out.with_centre + detail::rounded(difference * c));
        }
        rotate_(out.rotated);
        return out;
    }

    std::size_t dim_;
    metric how_;
    detail::rotation rotate_;
    std::vector<float> centre_;
};

} // namespace trawl::inline v0_1
