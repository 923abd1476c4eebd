// SPDX-License-Identifier: MIT
#include <trawl/formats/gzip.hpp>

#include <cstdio>
#include <string>

#include <trawl/error.hpp>
#include <trawl/formats/trec.hpp>
#include <trawl/storage/file.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace {

struct temporary {
    std::string path = std::string(std::tmpnam(nullptr)) + ".gz"; // NOLINT: a test's file
    ~temporary() { std::remove(path.c_str()); }
};

} // namespace

TEST_CASE("a compressed run is read", "[io][gzip]") {
    temporary file;
    std::string text;
    for (int i = 0; i < 20000; ++i)
        text += "q Q0 d" + std::to_string(i) + " 1 " + std::to_string(-i) + " t\n";
    auto* const out = gzopen(file.path.c_str(), "wb");
    gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
    gzclose(out);
    auto const packed = trawl::read_file(file.path);
    CHECK(packed.size() < text.size() / 2);
    CHECK(trawl::read_gzip(file.path) == text);
    CHECK(trawl::parse_run(trawl::read_gzip(file.path), file.path).entries(0).size() == 20000);
    CHECK(support::error_of([&] {
        (void)trawl::read_gzip(file.path, 1000);
    }).names("more than 1000 bytes"));

    trawl::write_file(file.path, packed + packed); // two parts
    CHECK(trawl::read_gzip(file.path) == text + text);
    trawl::write_file(file.path, std::string_view(packed).substr(0, packed.size() / 2));
    CHECK(
        support::error_of([&] { (void)trawl::read_gzip(file.path); }).code == trawl::errc::corrupt);
    auto broken = packed;
    for (std::size_t i = 0; i < 8; ++i) broken[broken.size() / 2 + i] ^= 0x55;
    trawl::write_file(file.path, broken);
    CHECK(
        support::error_of([&] { (void)trawl::read_gzip(file.path); }).code == trawl::errc::corrupt);
}

TEST_CASE("a file that is not compressed is read as it is", "[io][gzip]") {
    temporary file;
    trawl::write_file(file.path, "q Q0 d 1 1 t\n");
    CHECK(trawl::read_gzip(file.path) == "q Q0 d 1 1 t\n");
    trawl::write_file(file.path, "");
    CHECK(trawl::read_gzip(file.path).empty());
    CHECK(support::error_of([] {
        (void)trawl::read_gzip("no such file");
    }).names("no such file: cannot be opened"));
}
