// SPDX-License-Identifier: MIT
#pragma once

/// Figures as sentences say them.

#include <string>

#include <trawl/detail/number_text.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/bootstrap.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline std::string p_text(double p) {
    return p < 0.0001 ? "p below 0.0001" : join("p ", fixed_text(p, 4));
}

[[nodiscard]] inline std::string interval_text(interval const& i) {
    return join(fixed_text(i.low, 4), " to ", fixed_text(i.high, 4));
}

[[nodiscard]] inline std::string percent_text(double share) {
    return fixed_text(100 * share, 0) + " %";
}

} // namespace detail
TRAWL_END_NAMESPACE
