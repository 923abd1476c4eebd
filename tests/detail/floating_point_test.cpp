// SPDX-License-Identifier: MIT
#include <trawl/detail/floating_point.hpp>

#include <array>
#include <limits>

#include "support/catch.hpp"

using namespace trawl::detail;

TEST_CASE("is_finite tells numbers from infinities and NaN", "[detail][floating_point]") {
    using f = std::numeric_limits<float>;
    using d = std::numeric_limits<double>;
    for (float const x : {0.0f, -0.0f, 1.0f, f::max(), f::lowest(), f::min(), f::denorm_min()}) {
        CHECK(is_finite(x));
        CHECK(is_finite(static_cast<double>(x)));
    }
    CHECK(is_finite((d::max)()));
    for (float const x : {f::infinity(), -f::infinity(), f::quiet_NaN(), -f::quiet_NaN()}) {
        CHECK_FALSE(is_finite(x));
        CHECK_FALSE(is_finite(static_cast<double>(x)));
    }
    std::array<float, 4> values = {1, 2, 3, 4};
    CHECK(first_not_finite(values) == 4);
    values[2] = f::quiet_NaN();
    CHECK(first_not_finite(values) == 2);
    CHECK(first_not_finite({}) == 0);
}

TEST_CASE(
    "rounded, divided and sum_of give what plain arithmetic gives", "[detail][floating_point]") {
    CHECK(rounded(0.1f) == 0.1f);
    CHECK(rounded(-0.25) == -0.25);
    CHECK(divided(1.0, 3.0) == 1.0 / 3.0);
    CHECK(divided(1.0f, 3.0f) == 1.0f / 3.0f);
    CHECK(sum_of(std::array{1e16, 1.0, -1e16}) == 0.0);
    CHECK(sum_of({}) == 0.0);
}
