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

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct close_file {
    void operator()(std::FILE* file) const noexcept { static_cast<void>(std::fclose(file)); }
};
using file_handle = std::unique_ptr<std::FILE, close_file>;

[[noreturn]] TRAWL_COLD inline void file_error(
    std::string_view path, std::string_view what, int number) {
    fail(errc::io, join(path, ": ", what, ": ", std::generic_category().message(number)));
}

/// A file in the making that takes another's place when it is whole. What is no regular file (a
/// pipe, /dev/stdout) is written in place.
class file_replacement {
public:
    /// @throws trawl::error (io).
    explicit file_replacement(std::string const& path) : path_(path) {
        namespace fs = std::filesystem;
        std::error_code ignored;
        auto const status = fs::status(path, ignored);
        if (fs::exists(status) && !fs::is_regular_file(status)) {
            file_.reset(std::fopen(path.c_str(), "wb"));
            if (!file_) file_error(path, "cannot be opened", errno);
            return;
        }
        // A symbolic link stays one: what it points at is replaced.
        target_ = fs::exists(status) ? fs::canonical(path, ignored).string() : path;
        for (int i = 0; !file_ && i < 1000; ++i) {
            partial_ = join(target_, ".partial", i);
            file_.reset(std::fopen(partial_.c_str(), "wbx"));
            if (!file_ && errno != EEXIST) {
                auto const number = errno;
                partial_.clear();
                file_error(path, "cannot be created", number);
            }
        }
        if (!file_) {
            partial_.clear(); // another's
            file_error(path, "cannot be created", EEXIST);
        }
    }
    file_replacement(file_replacement const&) = delete;
    file_replacement& operator=(file_replacement const&) = delete;
    ~file_replacement() {
        if (partial_.empty()) return;
        file_.reset();
        static_cast<void>(std::remove(partial_.c_str()));
    }

    /// @throws trawl::error (io).
    void write(std::string_view bytes) {
        if (bytes.empty()) return; // whose data may be null, which fwrite does not take
        if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size()) return;
        file_error(path_, "cannot be written", errno);
    }

    /// Puts the file in its place, on the disk. Without it nothing has happened.
    /// @throws trawl::error (io); an old file then stays as it was.
    void commit() {
        bool good = std::fflush(file_.get()) == 0;
        auto number = errno;
#if __has_include(<unistd.h>)
        // What is no file on a disk (a pipe, a terminal) cannot be synchronised, and need not be.
        if (good && ::fsync(::fileno(file_.get())) != 0 && errno != EINVAL && errno != EROFS) {
            good = false;
            number = errno;
        }
#endif
        if (!good) file_error(path_, "cannot be written", number);
        file_.reset();
        if (partial_.empty()) return;
        std::error_code renamed;
        std::filesystem::rename(partial_, target_, renamed);
        if (renamed) file_error(path_, "cannot be replaced", renamed.value());
        partial_.clear();
    }

private:
    std::string path_;
    std::string target_;
    std::string partial_; // empty: written in place, or done
    file_handle file_;
};

} // namespace detail

/// The bytes of a file, as they are.
/// @throws trawl::error (io), its text beginning "PATH: ", if it cannot be opened or read.
[[nodiscard]] inline std::string read_file(std::string const& path) {
    detail::file_handle const file(std::fopen(path.c_str(), "rb"));
    if (!file) detail::file_error(path, "cannot be opened", errno);
    std::string contents;
    constexpr std::size_t step = std::size_t{1} << 16;
    for (std::size_t size = 0;;) {
        // doubles, so that the size need not be known
        contents.resize(size + (size < step ? step : size));
        auto const got = std::fread(contents.data() + size, 1, contents.size() - size, file.get());
        if (std::ferror(file.get()) != 0) detail::file_error(path, "cannot be read", errno);
        size += got;
        if (size < contents.size()) {
            contents.resize(size);
            return contents;
        }
    }
}

/// Replaces a file in one step: other programs see the old contents or the new ones, never a part.
/// What is no regular file (a pipe, /dev/stdout) is written in place.
/// @throws trawl::error (io), its text beginning "PATH: "; an old file then stays as it was.
inline void write_file(std::string const& path, std::string_view contents) {
    detail::file_replacement file(path);
    file.write(contents);
    file.commit();
}

TRAWL_END_NAMESPACE
