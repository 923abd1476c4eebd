// SPDX-License-Identifier: MIT
#pragma once

/// A file's bytes without reading it first.

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#if __has_include(<sys/mman.h>)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#include <trawl/detail/aligned_allocator.hpp>
#include <trawl/error.hpp>
#include <trawl/storage/file.hpp>

TRAWL_BEGIN_NAMESPACE

/// The bytes of a regular file, read-only, at an address that is a multiple of 64: mapped into
/// memory, or a copy in memory if asked for or where the system cannot map.
///
/// A mapped file must not be cut short while it is open: a program that reads beyond its new end is
/// killed. Replacing it by renaming another over it, as everything here does, is harmless. A copy
/// knows no such danger.
class mapped_file {
public:
    mapped_file() = default;

    /// @throws trawl::error (io), its text beginning "PATH: ", if it cannot be opened, mapped or
    /// read, or is no regular file.
    explicit mapped_file(std::string const& path, bool copy = false) {
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

    mapped_file(mapped_file&& other) noexcept
        : mapped_(std::exchange(other.mapped_, {})), copy_(std::move(other.copy_)) {}
    mapped_file& operator=(mapped_file&& other) noexcept {
        std::swap(mapped_, other.mapped_);
        copy_.swap(other.copy_);
        return *this;
    }
    ~mapped_file() {
#if __has_include(<sys/mman.h>)
        if (!mapped_.empty()) {
            ::munmap(const_cast<std::byte*>(mapped_.data()),
                mapped_.size()); // NOLINT: munmap is so declared
        }
#endif
    }

    [[nodiscard]] std::span<std::byte const> bytes() const noexcept {
        return mapped_.empty() ? std::span<std::byte const>(copy_) : mapped_;
    }

private:
    std::span<std::byte const> mapped_ = {};
    std::vector<std::byte, detail::aligned_allocator<std::byte>> copy_ = {};
};

TRAWL_END_NAMESPACE
