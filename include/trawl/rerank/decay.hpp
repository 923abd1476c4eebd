// SPDX-License-Identifier: MIT
#pragma once

/// Factors made of a document's number: how near it is to an origin, or how large it is.

#include <cstddef>
#include <string_view>

#include <trawl/core/enum_count.hpp>

TRAWL_BEGIN_NAMESPACE

/// How a factor falls with the distance d.
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

/// A factor in [0, 1] that falls with the distance d = max(0, |value - origin| - offset): 1 up to
/// `offset` from the origin, `at_scale` at `scale` beyond it. Dates are numbers too: days or
/// seconds since any day.
/// @par Source Elasticsearch, function_score query, decay functions.
struct decay {
    double origin = 0;
    double scale = 1;      ///< > 0
    double offset = 0;     ///< >= 0
    double at_scale = 0.5; ///< Elasticsearch's `decay`, in (0, 1)
    decay_shape shape = decay_shape::gauss;

    /// @throws trawl::error (invalid_argument) for what is out of range or not finite.
    void validate() const;

    /// @param value  Finite.
    [[nodiscard]] double operator()(double value) const noexcept;

    [[nodiscard]] static constexpr std::string_view name() noexcept { return "decay"; }
};

/// A function of one number.
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
    constexpr std::string_view names[enum_count<modifier>] = {
        "none", "log1p", "ln1p", "square", "sqrt", "reciprocal"};
    return names[static_cast<std::size_t>(m)];
}

/// modifier(factor * value), for popularity and the like.
/// @par Source  Elasticsearch, function_score query, field_value_factor.
struct value_factor {
    double factor = 1; ///< finite
    trawl::modifier modifier = trawl::modifier::none;

    /// @throws trawl::error (invalid_argument) if the factor is not finite.
    void validate() const;

    /// NaN or infinite where the modifier has no value, as sqrt of a negative number; the stage
    /// refuses it.
    [[nodiscard]] double operator()(double value) const noexcept;

    [[nodiscard]] static constexpr std::string_view name() noexcept { return "value_factor"; }
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/rerank/detail/decay_inl.hpp>
#endif
