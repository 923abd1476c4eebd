// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of storage/mapped_file.hpp.

#include <trawl/storage/mapped_file.hpp>

#include <cerrno>
#include <cstddef>
#include <span>
#include <string>

#if __has_include(<sys/mman.h>)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#include <trawl/error.hpp>
#include <trawl/storage/file.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE mapped_file::mapped_file(std::string const& path, bool copy) {
    detail::check_path(path);
#if __has_include(<sys/mman.h>)
    struct descriptor {
        int number;
        ~descriptor() {
            if (number >= 0) ::close(number);
        }
    };
    // Without O_NONBLOCK, opening a pipe would wait for its writer.
    descriptor const file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (file.number < 0) detail::file_error(path, "cannot be opened", errno);
    struct ::stat status = {};
    if (::fstat(file.number, &status) != 0) detail::file_error(path, "cannot be opened", errno);
    if (!S_ISREG(status.st_mode)) {
        detail::fail(errc::io, detail::join(path, ": is no regular file"));
    }
    auto size = static_cast<std::size_t>(status.st_size);
    if (!copy && size > 0) {
        auto* const at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number, 0);
        if (at == MAP_FAILED) detail::file_error(path, "cannot be mapped", errno); // NOLINT
        mapped_ = {static_cast<std::byte const*>(at), size};
        return;
    }
    copy_.resize(size);
    for (std::size_t got = 0; got < size;) {
        auto const n = ::read(file.number, copy_.data() + got, size - got);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) detail::file_error(path, "cannot be read", errno);
        if (n == 0) copy_.resize(size = got);
        got += static_cast<std::size_t>(n);
    }
#else
    static_cast<void>(copy);
    auto const contents = read_file(path);
    auto const bytes = std::as_bytes(std::span(contents));
    copy_.assign(bytes.begin(), bytes.end());
#endif
}

TRAWL_INLINE mapped_file::~mapped_file() {
#if __has_include(<sys/mman.h>)
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): munmap is so declared
    if (!mapped_.empty()) ::munmap(const_cast<std::byte*>(mapped_.data()), mapped_.size());
#endif
}

TRAWL_END_NAMESPACE
