// SPDX-License-Identifier: MIT
#pragma once

/// One writer at a time, across processes.

#include <string>
#include <utility>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

/// An exclusive advisory lock on a file, held until destruction or the end of the process. The file
/// names the process that holds it and stays when the lock is released. Where the system has no
/// advisory locks, nothing is locked.
class file_lock {
public:
    /// Holds nothing.
    file_lock() = default;

    /// Locks the file, which is created if it does not exist; does not wait.
    /// @throws trawl::error (io), its text beginning "PATH: ", if it cannot be opened, or if another
    /// file_lock, of this process or of another one, holds it: the text then names that process.
    explicit file_lock(std::string const& path);

    file_lock(file_lock&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    file_lock& operator=(file_lock&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~file_lock();

private:
    int number_ = -1;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/storage/detail/file_lock_inl.hpp>
#endif
