// SPDX-License-Identifier: MIT
#pragma once

/// Factors from a number of a document's: how near it is to where it should be, or how large it is.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

#include <trawl/core/enum_count.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

enum class decay_shape : unsigned char {
    gauss,  ///< exp(-d^2 / (2 s^2)), s^2 = -scale^2 / (2 ln(decay))
    exp,    ///< exp(d ln(decay) / scale)
    linear, ///< max(0, (s - d) / s), s = scale / (1 - decay)
};

template <>
inline constexpr std::size_t enum_count<decay_shape> = 3;

/// "gauss", "exp", "linear".
[[nodiscard]] constexpr std::string_view name_of(decay_shape shape) noexcept {
    constexpr std::string_view names[enum_count<decay_shape>] = {"gauss", "exp", "linear"};
    return names[static_cast<std::size_t>(shape)];
}

/// 1 up to `offset` from the origin, `decay` at `scale` beyond that, falling with the distance d =
/// max(0, |value - origin| - offset); in [0, 1]. Dates are numbers too: days or seconds since any
/// day.
/// @par Source Elasticsearch, function_score query, decay functions.
struct decay {
    double origin = 0;
    double scale = 1;      ///< > 0
    double offset = 0;     ///< >= 0
    double at_scale = 0.5; ///< Elasticsearch's `decay`, in (0, 1)
    decay_shape shape = decay_shape::gauss;

    /// @throws trawl::error (invalid_argument) for what is out of range or not finite.
    void validate() const {
        auto const check = [](bool good, auto const& name, double value, auto const& range) {
            if (!good || !detail::is_finite(value))
                detail::fail(errc::invalid_argument,
                    detail::join("decay: ", name, " is ", value, ", must be ", range));
        };
        check(true, "origin", origin, "finite");
        check(scale > 0, "scale", scale, "finite and > 0");
        check(offset >= 0, "offset", offset, "finite and >= 0");
        check(at_scale > 0 && at_scale < 1, "at_scale", at_scale, "in (0, 1)");
    }

    /// @param value  Finite.
    [[nodiscard]] double operator()(double value) const noexcept {
        using detail::divided;
        using detail::rounded;
        auto const distance = (std::max)(0.0, rounded(std::fabs(rounded(value - origin)) - offset));
        auto const logarithm = std::log(at_scale);
        switch (shape) {
        case decay_shape::gauss: {
            auto const share = divided(distance, scale);
            // the same as above, simplified
            return std::exp(rounded(rounded(share * share) * logarithm));
        }
        case decay_shape::exp:
            return std::exp(rounded(divided(distance, scale) * logarithm));
        case decay_shape::linear: {
            auto const reach = divided(scale, rounded(1 - at_scale));
            return (std::max)(0.0, divided(rounded(reach - distance), reach));
        }
        }
        return 1;
    }

    [[nodiscard]] static constexpr std::string_view name() noexcept { return "decay"; }
};

enum class modifier : unsigned char {
    none,
    log1p,      ///< log10(1 + x)
    ln1p,       ///< ln(1 + x)
    square,     ///< x^2
    sqrt,       ///< square root of x
    reciprocal, ///< 1 / x
};

template <>
inline constexpr std::size_t enum_count<modifier> = 6;

/// "none", "log1p", …
[[nodiscard]] constexpr std::string_view name_of(modifier m) noexcept {
    constexpr std::string_view names[enum_count<modifier>] = {"none", "log1p", "ln1p", "square", "sqrt", "reciprocal"};
    return names[static_cast<std::size_t>(m)];
}

/// modifier(factor * value), for popularity and the like.
/// @par Source  Elasticsearch, function_score query, field_value_factor.
struct value_factor {
    double factor = 1; ///< finite
    trawl::modifier modifier = trawl::modifier::none;

    /// @throws trawl::error (invalid_argument) if the factor is not finite.
    void validate() const {
        if (!detail::is_finite(factor))
            detail::fail(errc::invalid_argument,
                detail::join("value_factor: factor is ", factor, ", must be finite"));
    }

    /// NaN or infinite where the modifier has no value, as sqrt of a negative number; the stage
    /// refuses it.
    [[nodiscard]] double operator()(double value) const noexcept {
        auto const x = detail::rounded(factor * value);
        switch (modifier) {
        case trawl::modifier::none:
            return x;
        case trawl::modifier::log1p:
            return std::log10(detail::rounded(1 + x));
        case trawl::modifier::ln1p:
            return std::log1p(x);
        case trawl::modifier::square:
            return detail::rounded(x * x);
        case trawl::modifier::sqrt:
            return std::sqrt(x);
        case trawl::modifier::reciprocal:
            return detail::divided(1.0, x);
        }
        return x;
    }

    [[nodiscard]] static constexpr std::string_view name() noexcept { return "value_factor"; }
};

TRAWL_END_NAMESPACE
