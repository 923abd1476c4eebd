// SPDX-License-Identifier: MIT
#pragma once

/// A file that is written beside the one that it then replaces.

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#if __has_include(<unistd.h>)
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#else
#include <filesystem>
#include <system_error>
#endif

#include <trawl/error.hpp>
#include <trawl/storage/checksum.hpp>
#include <trawl/storage/detail/file_error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct close_file {
    void operator()(std::FILE* file) const noexcept { static_cast<void>(std::fclose(file)); }
};
using file_handle = std::unique_ptr<std::FILE, close_file>;

/// The new contents of a file: written under another name, then renamed. What write_file() promises
/// is kept here.
class file_replacement {
public:
    /// @throws trawl::error (io; invalid_argument).
    explicit file_replacement(std::string const& path) : file_replacement(to_replace{path}) {
        check_path(path);
        create(); // the destructor removes what it leaves if it fails
    }
    file_replacement(file_replacement const&) = delete;
    file_replacement& operator=(file_replacement const&) = delete;
    ~file_replacement() {
        if (partial_.empty()) return;
        // Removed before it is closed: while it is open, its lock keeps other writers from the name.
        static_cast<void>(std::remove(partial_.c_str()));
    }

    /// @throws trawl::error (io).
    void write(std::string_view bytes) {
        if (bytes.empty()) return; // its data may be null, which fwrite does not take
        if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size()) return;
        file_error(path_, "cannot be written", errno);
    }

    /// Puts the file in its place, on the disk. Without it nothing has happened.
    /// @throws trawl::error (io).
    void commit();

private:
    struct to_replace {
        std::string const& path;
    };
    explicit file_replacement(to_replace const& to) : path_(to.path) {}

    void create();
    void create_beside(unsigned mode);

    // Where the file that is to be replaced lies, and its folder, which ends in a slash or is empty.
    [[nodiscard]] std::string folder() const {
        auto const slash = target_.rfind('/');
        return slash == std::string::npos ? std::string() : target_.substr(0, slash + 1);
    }

    // The i-th temporary name for this target. It does not contain the target's name, which may fill
    // all that a name may have.
    [[nodiscard]] std::string partial_name(unsigned i) const {
        auto const name = std::string_view(target_).substr(folder().size());
        auto hash = checksum(std::as_bytes(std::span(name)));
        std::string hex;
        for (int digit = 0; digit < 16; ++digit, hash >>= 4) hex += "0123456789abcdef"[hash & 15];
        return join(folder(), ".trawl-", hex, "-", i);
    }

    std::string path_;
    std::string target_;
    std::string partial_; // empty: written in place, or done
    file_handle file_;
};

#if __has_include(<unistd.h>)

// The file that a chain of symbolic links names, whether it exists or not.
[[nodiscard]] inline std::string behind_links(std::string const& path) {
    constexpr int links_at_most = 40; // as Linux has it
    auto target = path;
    for (int i = 0; i < links_at_most; ++i) {
        struct ::stat status = {};
        if (::lstat(target.c_str(), &status) != 0 || !S_ISLNK(status.st_mode)) return target;
        std::string name(std::size_t{1} << 12, '\0');
        auto const size = ::readlink(target.c_str(), name.data(), name.size());
        if (size < 0) file_error(path, "cannot be opened", errno);
        name.resize(static_cast<std::size_t>(size));
        auto const slash = target.rfind('/');
        if (!name.starts_with('/') && slash != std::string::npos)
            target.resize(slash + 1);
        else
            target.clear();
        target += name;
    }
    file_error(path, "cannot be opened", ELOOP);
}

[[nodiscard]] inline bool same_file(struct ::stat const& a, struct ::stat const& b) noexcept {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Removes a temporary file whose writer is gone. A writer that lives holds its lock.
// Returns whether the name is free now.
inline bool remove_abandoned(std::string const& name) {
    auto const file = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) return errno == ENOENT;
    struct ::stat opened = {};
    struct ::stat named = {};
    // Between opening and locking, the writer may have renamed the file, and another taken the name.
    bool const abandoned = ::flock(file, LOCK_EX | LOCK_NB) == 0 && ::fstat(file, &opened) == 0
                           && ::lstat(name.c_str(), &named) == 0 && same_file(opened, named)
                           && ::unlink(name.c_str()) == 0;
    ::close(file);
    return abandoned;
}

// Gives a new file the owner, the group and the permissions of the old one, as far as it may.
inline void keep_access(int file, struct ::stat const& old) {
    auto mode = old.st_mode & 07777u;
    struct ::stat now = {};
    if (::fstat(file, &now) != 0) return;
    if (now.st_uid != old.st_uid && ::fchown(file, old.st_uid, static_cast<::gid_t>(-1)) != 0)
        mode &= 01777u; // another owner's program must not run with our rights
    if (now.st_gid != old.st_gid && ::fchown(file, static_cast<::uid_t>(-1), old.st_gid) != 0)
        mode = (mode & 01707u) | (mode & (mode & 07u) << 3); // nobody gains by the other group
    static_cast<void>(::fchmod(file, mode));
}

inline void file_replacement::create() {
    target_ = behind_links(path_);
    struct ::stat named = {};
    struct ::stat resolved = {};
    bool const exists = ::stat(path_.c_str(), &named) == 0;
    bool const found = ::stat(target_.c_str(), &resolved) == 0;
    // A link of the system's own (/dev/stdout) may lead where no path does.
    if (exists && (!S_ISREG(named.st_mode) || !found || !same_file(named, resolved))) {
        file_.reset(std::fopen(path_.c_str(), "wb"));
        if (!file_) file_error(path_, "cannot be opened", errno);
        return;
    }
    // Nobody may open it before it has the permissions of the old file.
    create_beside(exists ? 0600 : 0666);
    if (exists) keep_access(::fileno(file_.get()), named);
}

inline void file_replacement::create_beside(unsigned mode) {
    // As many programs may write one file at once. On a file system without locks, the files of
    // killed writers count too.
    constexpr unsigned names = 10'000;
    unsigned i = 0;
    for (; !file_ && i < names; ++i) {
        auto name = partial_name(i);
        auto const number = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (number < 0) {
            if (errno != EEXIST) file_error(path_, "cannot be created", errno);
            if (remove_abandoned(name)) --i; // the name is free: once more
            continue;
        }
        struct ::stat opened = {};
        struct ::stat now = {};
        static_cast<void>(::flock(number, LOCK_EX | LOCK_NB));
        // Before it was locked, another writer may have taken it for abandoned.
        if (::fstat(number, &opened) != 0 || ::lstat(name.c_str(), &now) != 0
            || !same_file(opened, now)) {
            ::close(number);
            continue;
        }
        partial_ = std::move(name); // from here on the destructor removes it
        file_.reset(::fdopen(number, "wb"));
        if (!file_) {
            auto const reason = errno;
            ::close(number);
            file_error(path_, "cannot be created", reason);
        }
    }
    if (!file_) file_error(path_, "cannot be created", EEXIST);
    // Names are taken from 0 on: what other killed writers left follows without a gap, mostly.
    while (i < names && ::access(partial_name(i).c_str(), F_OK) == 0
           && remove_abandoned(partial_name(i)))
        ++i;
}

inline void file_replacement::commit() {
    auto const synchronised = [](int file) {
        // What is no file on a disk (a pipe, a terminal) cannot be synchronised, and need not be.
        return ::fsync(file) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP;
    };
    if (std::fflush(file_.get()) != 0 || !synchronised(::fileno(file_.get())))
        file_error(path_, "cannot be written", errno);
    if (partial_.empty()) {
        if (std::fclose(file_.release()) != 0) file_error(path_, "cannot be written", errno);
        return;
    }
    auto const place = folder(); // before the file is replaced: memory may run out
    if (std::rename(partial_.c_str(), target_.c_str()) != 0)
        file_error(path_, "cannot be replaced", errno);
    partial_.clear();
    file_.reset();
    // The new name, too, must outlive a power failure. A folder that may be written but not read
    // cannot be synchronised.
    auto const number = ::open(place.empty() ? "." : place.c_str(), O_RDONLY | O_CLOEXEC);
    if (number < 0) return;
    bool const good = synchronised(number);
    auto const reason = errno;
    ::close(number);
    if (!good) file_error(path_, "has been replaced, but its folder cannot be written", reason);
}

#else

inline void file_replacement::create() {
    namespace fs = std::filesystem;
    std::error_code ignored;
    target_ = path_;
    auto const status = fs::status(path_, ignored);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        file_.reset(std::fopen(path_.c_str(), "wb"));
        if (!file_) file_error(path_, "cannot be opened", errno);
        return;
    }
    create_beside(0666);
}

inline void file_replacement::create_beside(unsigned) {
    for (unsigned i = 0; !file_ && i < 10'000; ++i) {
        auto name = partial_name(i);
        file_.reset(std::fopen(name.c_str(), "wbx"));
        if (file_)
            partial_ = std::move(name);
        else if (errno != EEXIST)
            file_error(path_, "cannot be created", errno);
    }
    if (!file_) file_error(path_, "cannot be created", EEXIST);
}

inline void file_replacement::commit() {
    if (std::fflush(file_.get()) != 0) file_error(path_, "cannot be written", errno);
    file_.reset();
    if (partial_.empty()) return;
    std::error_code renamed;
    std::filesystem::rename(partial_, target_, renamed);
    if (renamed) file_error(path_, "cannot be replaced", renamed.value());
    partial_.clear();
}

#endif

} // namespace detail
TRAWL_END_NAMESPACE
