// SPDX-License-Identifier: MIT
// Memory runs out at every allocation of writing a file: the old file stays, no other file does, and
// no descriptor.
#include <trawl/storage/sections.hpp>

#include <trawl/storage/file.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/failing_new.hpp"

namespace fs = std::filesystem;

namespace {

struct folder {
    folder() { fs::create_directories("memory_test.tmp"); }
    folder(folder const&) = delete;
    ~folder() { fs::remove_all("memory_test.tmp"); }
};

std::ptrdiff_t entries_of(char const* of) {
    return std::distance(fs::directory_iterator(of), fs::directory_iterator());
}

void check(std::function<void(std::string const&)> const& write) {
    folder const here;
    std::string const path = "memory_test.tmp/a file whose name is long enough to be allocated";
    trawl::write_file(path, "old");
    bool const counts = fs::exists("/proc/self/fd");
    auto const open_files = counts ? entries_of("/proc/self/fd") : 0;
    auto const failed = support::fail_each_allocation([] { return 0; }, [&](int) { write(path); },
        [&](int, bool done) {
            if ((trawl::read_file(path) == "old") == done) FAIL("a file is neither old nor new");
            if (entries_of("memory_test.tmp") != 1) FAIL("a temporary file stays");
            if (counts && entries_of("/proc/self/fd") != open_files)
                FAIL("a descriptor stays open");
        });
    CHECK(failed > 3);
}

} // namespace

TEST_CASE("a file whose writing runs out of memory stays as it was", "[io][file][memory]") {
    check([](std::string const& path) { trawl::write_file(path, std::string(100, 'x')); });
    std::vector<std::uint32_t> const numbers(1000, 7);
    check([&](std::string const& path) {
        trawl::section_writer writer("numbers", 1);
        writer.add("some numbers", std::span(numbers));
        writer.add("more numbers", std::span(numbers));
        writer.write(path);
    });
}
