// SPDX-License-Identifier: MIT
#include <trawl/storage/file.hpp>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/catch.hpp"
#include "support/error_of.hpp"

#if __has_include(<unistd.h>)
#include <csignal>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <trawl/storage/detail/file_replacement.hpp>
#endif

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

namespace {

// Files of this test, gone with it.
struct folder {
    folder() { fs::create_directories("file_test.tmp"); }
    folder(folder const&) = delete;
    folder& operator=(folder const&) = delete;
    ~folder() { fs::remove_all("file_test.tmp"); }
};

[[maybe_unused]] std::ptrdiff_t files_here() {
    return std::distance(fs::directory_iterator("file_test.tmp"), fs::directory_iterator());
}

} // namespace

TEST_CASE("a path with a NUL is refused, not cut", "[io][file][bad]") {
    folder const here;
    trawl::write_file("file_test.tmp/a", "old");
    std::string const path("file_test.tmp/a\0b", 17);
    CHECK(support::error_of([&] { trawl::write_file(path, "new"); }).code
          == trawl::errc::invalid_argument);
    auto const refused = support::error_of([&] { static_cast<void>(trawl::read_file(path)); });
    CHECK(refused.code == trawl::errc::invalid_argument);
    CHECK(refused.names("at byte 15"));
    CHECK(trawl::read_file("file_test.tmp/a") == "old");
}

#if __has_include(<unistd.h>)

TEST_CASE("a name may be as long as the system lets it", "[io][file]") {
    folder const here;
    for (std::size_t size = 240; size <= 255; ++size) { // NAME_MAX
        auto const path = "file_test.tmp/" + std::string(size, 'n');
        trawl::write_file(path, "first");
        trawl::write_file(path, "second");
        CHECK(trawl::read_file(path) == "second");
    }
    CHECK(files_here() == 16);
    CHECK_THROWS_WITH(trawl::write_file("file_test.tmp/" + std::string(256, 'n'), ""),
        "file_test.tmp/" + std::string(256, 'n') + ": cannot be replaced: File name too long");
    CHECK(files_here() == 16);
}

TEST_CASE("permissions, owner and group of a file stay", "[io][file]") {
    folder const here;
    std::string const path = "file_test.tmp/a";
    for (::mode_t const mode : {0600u, 0640u, 0664u, 0444u, 0755u}) {
        trawl::write_file(path, "old");
        REQUIRE(::chmod(path.c_str(), mode) == 0);
        trawl::write_file(path, "new");
        struct ::stat status = {};
        REQUIRE(::stat(path.c_str(), &status) == 0);
        CHECK((status.st_mode & 07777u) == mode);
    }
    if (::getuid() != 0) return;
    REQUIRE(::chown(path.c_str(), 12, 34) == 0);
    trawl::write_file(path, "newer");
    struct ::stat status = {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    CHECK(status.st_uid == 12);
    CHECK(status.st_gid == 34);
    // A new file is made as any other program makes it.
    auto const usual = ::umask(027);
    trawl::write_file("file_test.tmp/b", "");
    ::umask(usual);
    REQUIRE(::stat("file_test.tmp/b", &status) == 0);
    CHECK((status.st_mode & 07777u) == 0640);
}

TEST_CASE("links stay links, whatever they name", "[io][file]") {
    folder const here;
    fs::create_directories("file_test.tmp/in");
    fs::create_symlink("in/next", "file_test.tmp/link");
    fs::create_symlink("../there", "file_test.tmp/in/next"); // names nothing yet
    trawl::write_file("file_test.tmp/link", "made");
    CHECK(fs::is_symlink("file_test.tmp/link"));
    CHECK(fs::is_symlink("file_test.tmp/in/next"));
    CHECK(trawl::read_file("file_test.tmp/there") == "made");
    trawl::write_file("file_test.tmp/link", "replaced");
    CHECK(trawl::read_file("file_test.tmp/there") == "replaced");
    fs::create_symlink("round", "file_test.tmp/round");
    CHECK_THROWS_WITH(trawl::write_file("file_test.tmp/round", ""),
        "file_test.tmp/round: cannot be opened: Too many levels of symbolic links");
    CHECK(fs::is_symlink("file_test.tmp/round"));
}

TEST_CASE("a link to an open file that has no name is written through", "[io][file]") {
    if (!fs::exists("/proc/self/fd")) return;
    folder const here;
    auto const file = ::open("file_test.tmp/a", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    REQUIRE(file >= 0);
    REQUIRE(::unlink("file_test.tmp/a") == 0);
    trawl::write_file("/proc/self/fd/" + std::to_string(file), "seen");
    char read[5] = {};
    CHECK(::pread(file, read, 4, 0) == 4);
    CHECK(std::string(read) == "seen");
    ::close(file);
    CHECK(files_here() == 0);
}

// Each writer is killed between its first byte and its last.
TEST_CASE("what killed writers leave does not hinder the next, and goes", "[io][file]") {
    folder const here;
    std::string const path = "file_test.tmp/a";
    trawl::write_file(path, "old");
    for (int i = 0; i < 1100; ++i) {
        auto const child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            trawl::detail::file_replacement file(path);
            file.write("half");
            ::raise(SIGKILL);
        }
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        REQUIRE(WIFSIGNALED(status));
        if (i == 0) CHECK(files_here() == 2);
    }
    CHECK(files_here() == 2);
    trawl::write_file(path, "new");
    CHECK(trawl::read_file(path) == "new");
    CHECK(files_here() == 1);
}

TEST_CASE("what several killed writers leave goes with the next write", "[io][file]") {
    folder const here;
    std::string const path = "file_test.tmp/a";
    int ready[2];
    REQUIRE(::pipe(ready) == 0);
    auto const child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        trawl::detail::file_replacement const a(path), b(path), c(path);
        static_cast<void>(!::write(ready[1], "x", 1));
        for (;;) ::pause();
    }
    char byte = 0;
    REQUIRE(::read(ready[0], &byte, 1) == 1);
    CHECK(files_here() == 3);
    trawl::write_file(path, "beside living writers");
    CHECK(files_here() == 4); // theirs stay
    ::kill(child, SIGKILL);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    trawl::write_file(path, "after them");
    CHECK(files_here() == 1);
    CHECK(trawl::read_file(path) == "after them");
    ::close(ready[0]);
    ::close(ready[1]);
}

TEST_CASE("where the disk is full, the old file stays and nothing else does", "[io][file][bad]") {
    folder const here;
    std::string const path = "file_test.tmp/a";
    trawl::write_file(path, "old");
    auto const child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        ::signal(SIGXFSZ, SIG_IGN);
        ::rlimit const limit{1000, 1000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        try {
            trawl::write_file(path, std::string(100'000, 'x'));
        } catch (trawl::error const& e) {
            ::_exit(e.code() == trawl::errc::io ? 0 : 1);
        }
        ::_exit(1);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
    CHECK(trawl::read_file(path) == "old");
    CHECK(files_here() == 1);
}

#endif
