// SPDX-License-Identifier: MIT
#pragma once

/// The bytes of a file, mapped into memory rather than read.

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/config.hpp>
#include <trawl/detail/aligned_allocator.hpp>

TRAWL_BEGIN_NAMESPACE

/// The bytes of a regular file, read-only, at an address that is a multiple of 64: mapped into
/// memory, or a copy in memory if asked for or where the system cannot map.
///
/// A mapped file must not be truncated while it is open: the system kills a program that reads
/// beyond the new end. Replacing the file by renaming another over it, as everything in this library
/// does, is harmless. A copy has no such danger.
class mapped_file {
public:
    mapped_file() = default;

    /// @throws trawl::error (io), its text beginning "PATH: ", if it cannot be opened, mapped or
    /// read, or is no regular file; (invalid_argument) if the path contains a NUL byte.
    explicit mapped_file(std::string const& path, bool copy = false);

    /// Bytes that are in memory already, as if a file had been copied there.
    using memory = std::vector<std::byte, detail::aligned_allocator<std::byte>>;
    explicit mapped_file(memory bytes) noexcept : copy_(std::move(bytes)) {}

    mapped_file(mapped_file&& other) noexcept
        : mapped_(std::exchange(other.mapped_, {})), copy_(std::move(other.copy_)) {}
    mapped_file& operator=(mapped_file&& other) noexcept {
        std::swap(mapped_, other.mapped_);
        copy_.swap(other.copy_);
        return *this;
    }
    ~mapped_file();

    [[nodiscard]] std::span<std::byte const> bytes() const noexcept {
        return mapped_.empty() ? std::span<std::byte const>(copy_) : mapped_;
    }

private:
    std::span<std::byte const> mapped_ = {};
    memory copy_ = {};
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/storage/detail/mapped_file_inl.hpp>
#endif
