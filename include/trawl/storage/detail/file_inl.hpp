// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of storage/file.hpp.

#include <trawl/storage/file.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>

#include <trawl/storage/detail/file_replacement.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[noreturn]] TRAWL_COLD TRAWL_INLINE void file_error(
    std::string_view path, std::string_view what, int number) {
    fail(errc::io, join(path, ": ", what, ": ", std::generic_category().message(number)));
}

TRAWL_INLINE void check_path(std::string_view path) {
    if (auto const at = path.find('\0'); at != std::string_view::npos) {
        fail(errc::invalid_argument, join("path: must not contain a NUL byte, has one at byte ", at,
                                         ", behind ", path.substr(0, at)));
    }
}

} // namespace detail

TRAWL_INLINE std::string read_file(std::string const& path) {
    detail::check_path(path);
    detail::file_handle const file(std::fopen(path.c_str(), "rb"));
    if (!file) detail::file_error(path, "cannot be opened", errno);
    std::string contents;
    constexpr std::size_t step = std::size_t{1} << 16;
    for (std::size_t size = 0;;) {
        // Doubling needs no size beforehand: a pipe has none.
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

TRAWL_INLINE void write_file(std::string const& path, std::string_view contents) {
    detail::file_replacement file(path);
    file.write(contents);
    file.commit();
}

TRAWL_END_NAMESPACE
