// SPDX-License-Identifier: MIT
#include <trawl/error.hpp>

#include <cstdint>
#include <limits>

#include "support/catch.hpp"

TEST_CASE("join writes numbers so that they read back the same", "[error]") {
    using trawl::detail::join;
    CHECK(join("k is ", 0, ", must be > ", 0.5) == "k is 0, must be > 0.5");
    CHECK(join(0.1f, " ", 0.1, " ", -3, " ", 1e300) == "0.1 0.1 -3 1e+300");
    CHECK(join((std::numeric_limits<std::uint64_t>::max)()) == "18446744073709551615");
    CHECK(join((std::numeric_limits<std::int64_t>::min)()) == "-9223372036854775808");
    CHECK(join(std::numeric_limits<float>::infinity()) == "inf");
    CHECK(join(true, std::string(" and "), false, '!') == "true and false!");
    CHECK(join("").empty());
}

TEST_CASE("An error carries its code and its text, and is a runtime_error", "[error]") {
    try {
        trawl::detail::fail(trawl::errc::weight_count, "rrf: 1 weights for 2 arms");
        FAIL("fail returned");
    } catch (std::runtime_error const& e) {
        CHECK(std::string(e.what()) == "rrf: 1 weights for 2 arms");
        CHECK(dynamic_cast<trawl::error const&>(e).code() == trawl::errc::weight_count);
    }
}
