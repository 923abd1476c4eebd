// SPDX-License-Identifier: MIT
#pragma once

/// Whole files: read into memory, replaced in one step.

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

#include <trawl/error.hpp>

namespace trawl::inline v0_1 {
namespace detail {

struct close_file {
    void operator()(std::FILE* file) const noexcept { static_cast<void>(std::fclose(file)); }
};
using file_handle = std::unique_ptr<std::FILE, close_file>;

[[noreturn]] TRAWL_COLD inline void file_error(std::string_view path, std::string_view what, int number) {
    fail(errc::io, join(path, ": ", what, ": ", std::generic_category().message(number)));
}

inline void write_all(std::string const& path, file_handle file, std::string_view contents) {
    bool good = std::fwrite(contents.data(), 1, contents.size(), file.get()) == contents.size();
    good = good && std::fflush(file.get()) == 0;
    auto number = errno;
#if __has_include(<unistd.h>)
    // What is no file on a disk (a pipe, a terminal) cannot be synchronised, and need not be.
    if (good && ::fsync(::fileno(file.get())) != 0 && errno != EINVAL && errno != EROFS) {
        good = false;
        number = errno;
    }
#endif
    if (!good) file_error(path, "cannot be written", number);
}

} // namespace detail

/// The bytes of a file, as they are.
/// @throws trawl::error (io), its text beginning "PATH: ", if it cannot be opened or read.
[[nodiscard]] inline std::string read_file(std::string const& path) {
    detail::file_handle const file(std::fopen(path.c_str(), "rb"));
    if (!file) detail::file_error(path, "cannot be opened", errno);
    std::string contents;
    constexpr std::size_t step = std::size_t{1} << 16;
    for (std::size_t size = 0;;) {
        contents.resize(size + (size < step ? step : size)); // doubles, so that the size need not be known
        auto const got = std::fread(contents.data() + size, 1, contents.size() - size, file.get());
        if (std::ferror(file.get()) != 0) detail::file_error(path, "cannot be read", errno);
        size += got;
        if (size < contents.size()) {
            contents.resize(size);
            return contents;
        }
    }
}

/// Replaces a file in one step: other programs see the old contents or the new ones, never a part. What is no
/// regular file (a pipe, /dev/stdout) is written in place.
/// @throws trawl::error (io), its text beginning "PATH: "; an old file then stays as it was.
inline void write_file(std::string const& path, std::string_view contents) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    auto const status = fs::status(path, ignored);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        detail::file_handle file(std::fopen(path.c_str(), "wb"));
        if (!file) detail::file_error(path, "cannot be opened", errno);
        return detail::write_all(path, std::move(file), contents);
    }
    // A symbolic link stays one: what it points at is replaced.
    auto const target = fs::exists(status) ? fs::canonical(path, ignored).string() : path;
    std::string partial;
    detail::file_handle file;
    for (int i = 0; !file && i < 1000; ++i) {
        partial = detail::join(target, ".partial", i);
        file.reset(std::fopen(partial.c_str(), "wbx"));
        if (!file && errno != EEXIST) detail::file_error(path, "cannot be created", errno);
    }
    if (!file) detail::file_error(path, "cannot be created", EEXIST);
    struct remover {
        std::string const& name;
        bool armed = true;
        ~remover() {
            if (armed) static_cast<void>(std::remove(name.c_str()));
        }
    } remover{partial};
    detail::write_all(path, std::move(file), contents);
    std::error_code renamed;
    fs::rename(partial, target, renamed);
    if (renamed) detail::file_error(path, "cannot be replaced", renamed.value());
    remover.armed = false;
}

} // namespace trawl::inline v0_1
