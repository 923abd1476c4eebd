// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of rerank/decay.hpp.

#include <trawl/rerank/decay.hpp>

#include <algorithm>
#include <cmath>

#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE void decay::validate() const {
    auto const check = [](bool good, char const* name, double value, char const* range) {
        if (!good || !detail::is_finite(value))
            detail::fail(errc::invalid_argument,
                detail::join("decay: ", name, " is ", value, ", must be ", range));
    };
    check(true, "origin", origin, "finite");
    check(scale > 0, "scale", scale, "finite and > 0");
    check(offset >= 0, "offset", offset, "finite and >= 0");
    check(at_scale > 0 && at_scale < 1, "at_scale", at_scale, "in (0, 1)");
}

TRAWL_INLINE double decay::operator()(double value) const noexcept {
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

TRAWL_INLINE void value_factor::validate() const {
    if (!detail::is_finite(factor))
        detail::fail(errc::invalid_argument,
            detail::join("value_factor: factor is ", factor, ", must be finite"));
}

TRAWL_INLINE double value_factor::operator()(double value) const noexcept {
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

TRAWL_END_NAMESPACE
