// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of file_lock.hpp.

#include <trawl/storage/file_lock.hpp>

#include <cerrno>
#include <string>

#if __has_include(<sys/file.h>)
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#endif

#include <trawl/error.hpp>
#include <trawl/storage/detail/file_error.hpp>
#include <trawl/storage/file.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE file_lock::file_lock(std::string const& path) {
    detail::check_path(path);
#if __has_include(<sys/file.h>)
    number_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (number_ < 0) detail::file_error(path, "cannot be opened", errno);
    if (::flock(number_, LOCK_EX | LOCK_NB) != 0) {
        auto const reason = errno;
        char holder[16] = {};
        auto const size = reason == EWOULDBLOCK ? ::read(number_, holder, sizeof holder - 1) : 0;
        ::close(number_);
        number_ = -1;
        if (reason != EWOULDBLOCK) detail::file_error(path, "cannot be locked", reason);
        detail::fail(errc::io, size > 0 ? detail::join(path, ": is locked by process ", holder)
                                        : detail::join(path, ": is locked by another process"));
    }
    // For people; that it cannot be written harms nothing.
    auto const text = detail::join(static_cast<long long>(::getpid()));
    if (::ftruncate(number_, 0) == 0)
        static_cast<void>(::write(number_, text.data(), text.size()) < 0);
#endif
}

TRAWL_INLINE file_lock::~file_lock() {
#if __has_include(<sys/file.h>)
    if (number_ >= 0) ::close(number_);
#endif
}

TRAWL_END_NAMESPACE
