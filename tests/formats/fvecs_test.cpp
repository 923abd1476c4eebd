// SPDX-License-Identifier: MIT
#include <trawl/formats/fvecs.hpp>

#include <string>

#include <trawl/error.hpp>

#include "support/catch.hpp"

using namespace std::string_literals;

TEST_CASE("fvecs are read as the format has them, and written back to the byte", "[io][fvecs]") {
    // Two rows of two: 1, -2 and 0.5, 0; by hand from IEEE 754.
    auto const bytes = "\x02\0\0\0\0\0\x80\x3F\0\0\0\xC0"
                       "\x02\0\0\0\0\0\0\x3F\0\0\0\0"s;
    auto const m = trawl::parse_fvecs(bytes, "x");
    CHECK((m.rows == 2 && m.cols == 2 && m.values == std::vector<float>{1, -2, 0.5f, 0}));
    CHECK(trawl::to_fvecs(m.view()) == bytes);
    CHECK(trawl::parse_fvecs("", "x").rows == 0);
    CHECK(trawl::to_fvecs({}).empty());
}

TEST_CASE("damaged fvecs are errors that say what is wrong", "[io][fvecs][errors]") {
    auto const message = [](std::string const& bytes) -> std::string {
        try {
            (void)trawl::parse_fvecs(bytes, "f");
        } catch (trawl::error const& e) {
            CHECK(e.code() == trawl::errc::corrupt);
            return e.what();
        }
        return "none";
    };
    CHECK(message("\x01\0"s) == "f: ends within the size of its first row");
    CHECK(message("\0\0\0\0"s) == "f: its first row has 0 values");
    CHECK(message("\xFF\xFF\xFF\xFF"s) == "f: its first row has -1 values");
    CHECK(
        message("\x02\0\0\0\0\0\0\0"s) == "f: its 8 bytes are no whole number of rows of 2 values");
    CHECK(message("\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0"s) == "f: row 1 has 2 values, the first 1");
    CHECK(message("\xFF\xFF\xFF\x7F\0\0\0\0"s)
          == "f: its 8 bytes are no whole number of rows of 2147483647 values");
    float const none = 0;
    CHECK_THROWS_AS(trawl::to_fvecs({&none, 1, 0}), trawl::error);
}
