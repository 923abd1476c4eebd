// SPDX-License-Identifier: MIT
#include <trawl/storage/file.hpp>

#include <filesystem>
#include <string>

#include "support/catch.hpp"

namespace fs = std::filesystem;

TEST_CASE("files of every size come back as they were written", "[io][file]") {
    fs::create_directories("file_test.tmp");
    for (std::size_t const size : {0u, 1u, 65535u, 65536u, 65537u, 300000u}) {
        std::string bytes(size, '\0');
        for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 31 % 251);
        trawl::write_file("file_test.tmp/a", bytes);
        CHECK(trawl::read_file("file_test.tmp/a") == bytes);
    }
    // Nothing is left beside the file, and a link stays a link.
    fs::create_symlink("a", "file_test.tmp/link");
    trawl::write_file("file_test.tmp/link", "new");
    CHECK(fs::is_symlink("file_test.tmp/link"));
    CHECK(trawl::read_file("file_test.tmp/a") == "new");
    CHECK(std::distance(fs::directory_iterator("file_test.tmp"), fs::directory_iterator()) == 2);
    fs::remove_all("file_test.tmp");
}

TEST_CASE("a file that cannot be opened or written is named", "[io][file][bad]") {
    CHECK_THROWS_WITH(trawl::read_file("no/such/file"),
        "no/such/file: cannot be opened: No such file or directory");
    CHECK_THROWS_WITH(trawl::write_file("no/such/file", ""),
        "no/such/file: cannot be created: No such file or directory");
    CHECK_THROWS_AS(trawl::read_file("."), trawl::error);
    CHECK_THROWS_AS(trawl::write_file(".", "x"), trawl::error);
    if (fs::exists("/dev/full")) CHECK_THROWS_AS(trawl::write_file("/dev/full", "x"), trawl::error);
    if (fs::exists("/dev/null")) {
        trawl::write_file("/dev/null", "x");
        CHECK(fs::is_character_file("/dev/null"));
    }
}
