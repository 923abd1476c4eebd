// SPDX-License-Identifier: MIT
#include <trawl/formats/npy.hpp>

#include <bit>
#include <cstdio>
#include <limits>
#include <string>

#include <trawl/detail/random.hpp>
#include <trawl/error.hpp>
#include <trawl/storage/file.hpp>

#include "support/catch.hpp"

namespace {

std::string npy(std::string const& header, std::string const& data, char version = 1) {
    std::string out("\x93NUMPY");
    out += version;
    out += '\0';
    out += static_cast<char>(header.size() & 0xFF);
    out += static_cast<char>(header.size() >> 8);
    if (version > 1) out += std::string(2, '\0');
    return out + header + data;
}

std::string const eight(8, '\0');

std::string good_header(std::string const& shape = "(1, 2)", std::string const& descr = "<f4") {
    return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
}

} // namespace

TEST_CASE("matrices come back bit for bit", "[io][npy]") {
    auto const seed = GENERATE(1u, 2u, 3u, 4u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    trawl::matrix<float> m{{}, random.below(20), random.below(20)};
    for (std::size_t i = 0; i < m.rows * m.cols; ++i)
        m.values.push_back(static_cast<float>(random.normal()));
    if (m.values.size() > 2) {
        m.values[0] = std::numeric_limits<float>::quiet_NaN();
        m.values[1] = -std::numeric_limits<float>::infinity();
    }
    trawl::write_npy("npy_test.tmp", m.view());
    auto const bytes = trawl::read_file("npy_test.tmp");
    CHECK((bytes.size() - m.values.size() * 4) % 64 == 0);
    auto const back = trawl::read_npy("npy_test.tmp");
    std::remove("npy_test.tmp");
    REQUIRE(back.rows == m.rows);
    REQUIRE(back.cols == m.cols);
    for (std::size_t i = 0; i < m.values.size(); ++i) {
        CHECK(std::bit_cast<std::uint32_t>(back.values[i])
              == std::bit_cast<std::uint32_t>(m.values[i]));
    }
    auto const wide = trawl::parse_npy<double>(bytes, "a");
    CHECK(wide.values.size() == m.values.size());
    CHECK(
        trawl::parse_npy<float>(trawl::to_npy(wide.view()), "a").values.size() == m.values.size());
}

// numpy.save of numpy.array([[1, 2], [3, 4.5]], '<f8'), by NumPy 1.24.
TEST_CASE("a file of NumPy's is read, and float64 rounded", "[io][npy]") {
    std::string const file =
        std::string("\x93NUMPY\x01\x00v\x00", 10)
        + "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }" + std::string(58, ' ')
        + "\n"
        + std::string(
            "\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\x08\x40\0\0\0\0\0\0\x12\x40", 32);
    auto const m = trawl::parse_npy<float>(file, "a.npy");
    CHECK(m.rows == 2);
    CHECK(m.values == std::vector<float>{1, 2, 3, 4.5f});
    CHECK(m.view().row(1)[1] == 4.5f);
    CHECK(trawl::parse_npy<double>(npy(good_header("(1, 2)"), eight, 2), "a").cols == 2);
    CHECK(trawl::parse_npy<float>(npy(good_header("(0, 384)"), ""), "a").cols == 384);
}

TEST_CASE("what is no matrix of numbers is refused with its reason", "[io][npy][bad]") {
    auto const read = [](std::string const& bytes) {
        return trawl::parse_npy<float>(bytes, "a.npy").rows;
    };
    CHECK_THROWS_WITH(read(""), "a.npy: is no npy file: it does not begin with \\x93NUMPY");
    CHECK_THROWS_WITH(read(npy(good_header(), eight, 9)), "a.npy: npy version 9 is not supported");
    CHECK_THROWS_WITH(read(npy(good_header("(1, 2)", ">f4"), eight)),
        "a.npy: type '>f4' is not supported, only '<f2', '<f4' and '<f8'");
    CHECK_THROWS_WITH(read(npy(good_header("(1, 2)", "|O"), eight)),
        "a.npy: type '|O' is not supported, only '<f2', '<f4' and '<f8'");
    CHECK_THROWS_WITH(
        read(npy("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2), }", eight)),
        "a.npy: Fortran order is not supported; save numpy.ascontiguousarray(a)");
    CHECK_THROWS_WITH(
        read(npy("{'descr': [('x', '<f4')], 'fortran_order': True, 'shape': (1, 2), }", eight)),
        "a.npy: records are not supported, only float16, float32 and float64");
    CHECK_THROWS_WITH(
        read(npy(good_header("()"), eight)), "a.npy: has 0 dimensions, a matrix has 2 or 1");
    CHECK_THROWS_WITH(
        read(npy(good_header("(1, 2, 1)"), eight)), "a.npy: has 3 dimensions, a matrix has 2 or 1");
    // Rows without values take no bytes: whoever went through them would never end.
    CHECK_THROWS_WITH(read(npy(good_header("(1152921504606846976, 0)"), "")),
        "a.npy: shape (1152921504606846976, 0) has more rows than the file has bytes");
    CHECK(read(npy(good_header("(7, 0)"), "")) == 7);
    CHECK_THROWS_WITH(read(npy(good_header("(2, 2)"), eight)),
        "a.npy: shape (2, 2) does not fit its 8 bytes of data");
    // more data than the shape
    CHECK_THROWS_AS(read(npy(good_header("(1, 1)"), eight)), trawl::error);
    // A product that wraps round to 8 bytes, and sizes that nothing could hold.
    CHECK_THROWS_AS(read(npy(good_header("(9223372036854775809, 2)"), eight)), trawl::error);
    CHECK_THROWS_AS(read(npy(good_header("(99999999999999999999999, 1)"), eight)), trawl::error);
    CHECK_THROWS_AS(read(npy(good_header("(-1, 2)"), eight)), trawl::error);
    CHECK_THROWS_AS(read(npy("{'descr': '<f4', 'shape': (1, 2)}", eight)), trawl::error);
    CHECK_THROWS_AS(read(npy("{'descr: '<f4'", eight)), trawl::error);
    CHECK_THROWS_AS(read(npy("", eight)), trawl::error);
    CHECK_THROWS_AS(read(std::string("\x93NUMPY\x01\x00\xFF\xFF{", 11)), trawl::error);
    auto const huge = trawl::to_npy(trawl::matrix<double>{{1e300}, 1, 1}.view());
    CHECK_THROWS_WITH(read(huge), "a.npy: value 0 is 1e+300, beyond the range of float32");
}

// numpy.array([1, -2, 65504, 2**-24, 2**-14, numpy.inf, -0.0, 1/3], 'f2').tobytes(), by NumPy 1.24;
// the values are those of IEEE 754 binary16.
TEST_CASE("float16 is read as the values that its bits mean", "[io][npy]") {
    std::string const halves(
        "\x00\x3c\x00\xc0\xff\x7b\x01\x00\x00\x04\x00\x7c\x00\x80\x55\x35", 16);
    auto const m = trawl::parse_npy<float>(npy(good_header("(2, 4)", "<f2"), halves), "a");
    REQUIRE(m.rows == 2);
    REQUIRE(m.cols == 4);
    std::vector<float> const expected{1, -2, 65504, 0x1p-24f, 0x1p-14f,
        std::numeric_limits<float>::infinity(), -0.0f, 0.333251953125f};
    for (std::size_t i = 0; i < 8; ++i) {
        CHECK(
            std::bit_cast<std::uint32_t>(m.values[i]) == std::bit_cast<std::uint32_t>(expected[i]));
    }
    auto const wide = trawl::parse_npy<double>(npy(good_header("(2, 4)", "<f2"), halves), "a");
    CHECK(wide.values[7] == 0.333251953125);
    CHECK_THROWS_AS(
        trawl::parse_npy<float>(npy(good_header("(2, 4)", "<f2"), eight), "a"), trawl::error);
}

TEST_CASE("an array of one dimension is one row, as numpy.atleast_2d makes it", "[io][npy]") {
    for (std::string const order : {"False", "True"}) { // NumPy calls one dimension both
        auto const m = trawl::parse_npy<float>(
            npy("{'descr': '<f4', 'fortran_order': " + order + ", 'shape': (2,), }\n", eight), "a");
        CHECK(m.rows == 1);
        CHECK(m.cols == 2);
    }
    auto const none = trawl::parse_npy<float>(npy(good_header("(0,)"), ""), "a");
    CHECK(none.rows == 1);
    CHECK(none.cols == 0);
}

TEST_CASE("Python 2 wrote sizes with an L", "[io][npy]") {
    auto const m =
        trawl::parse_npy<float>(npy(good_header("(2L, 3L)"), std::string(24, '\0')), "a");
    CHECK(m.rows == 2);
    CHECK(m.cols == 3);
    CHECK_THROWS_AS(
        trawl::parse_npy<float>(npy(good_header("(2LL, 3)"), std::string(24, '\0')), "a"),
        trawl::error);
}

TEST_CASE("no bytes crash the npy reader", "[io][npy][property]") {
    auto const seed = GENERATE(range(1u, 400u));
    CAPTURE(seed);
    trawl::detail::random random(seed);
    auto bytes = npy(good_header("(2, 3)"), std::string(24, '\1'));
    for (std::size_t i = 0; i < 1 + random.below(4); ++i) {
        bytes[6 + random.below(bytes.size() - 6)] = static_cast<char>(random.below(256));
    }
    bytes.resize(random.below(2) == 0 ? bytes.size() : random.below(bytes.size()));
    try {
        static_cast<void>(trawl::parse_npy<float>(bytes, "f"));
    } catch (trawl::error const& e) {
        CHECK(std::string_view(e.what()).substr(0, 3) == "f: ");
    }
}
