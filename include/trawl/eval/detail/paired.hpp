// SPDX-License-Identifier: MIT
#pragma once

/// Means, deviations and differences of the values of queries.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// first[i] - second[i].
[[nodiscard]] inline std::vector<double> paired_differences(
    std::string_view test, std::span<double const> first, std::span<double const> second) {
    if (first.size() != second.size()) {
        fail(errc::dimension_mismatch,
            join(test, ": first has ", first.size(), " values, second ", second.size()));
    }
    std::vector<double> out(first.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (!is_finite(first[i]) || !is_finite(second[i])) {
            fail(errc::not_finite,
                join(test, ": value ", i, " is ", is_finite(first[i]) ? second[i] : first[i]));
        }
        out[i] = first[i] - second[i];
    }
    return out;
}

[[nodiscard]] inline double mean_of(std::span<double const> values) noexcept {
    return values.empty() ? 0 : sum_of(values) / static_cast<double>(values.size());
}

[[nodiscard]] inline bool all_same(std::span<double const> values) noexcept {
    for (double const v : values) {
        if (v != values[0]) return false;
    }
    return true;
}

// Divided by n - 1; 0 for fewer than two values, and where all are the same.
[[nodiscard]] inline double standard_deviation(std::span<double const> values) noexcept {
    if (values.size() < 2 || all_same(values)) return 0;
    auto const mean = mean_of(values);
    double sum = 0;
    for (double const v : values) sum += (v - mean) * (v - mean);
    return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

// The random stream of block `block` of the work: it does not depend on the thread.
[[nodiscard]] inline random random_block(std::uint64_t seed, std::size_t block) noexcept {
    return random(random(seed ^ (0x9E6C63D0676A9A99u * (block + 1))).next());
}

} // namespace detail
TRAWL_END_NAMESPACE
