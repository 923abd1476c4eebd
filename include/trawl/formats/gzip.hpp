// SPDX-License-Identifier: MIT
#pragma once

/// Files that gzip has compressed. The one header that needs zlib (and -lz).

#include <cerrno>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>

#include <zlib.h>

#include <trawl/error.hpp>
#include <trawl/storage/file.hpp>

TRAWL_BEGIN_NAMESPACE

/// The contents of a compressed file, all its members; those of any other file as they are. Pass the
/// result to parse_run, parse_qrels … with the name of the file.
/// @param max_bytes  The most that the contents may have: a small compressed file can hold a very
/// large one.
/// @throws trawl::error (io) if it cannot be opened or read, (corrupt) if it is damaged, cut off,
/// or larger.
[[nodiscard]] inline std::string read_gzip(
    std::string const& path, std::size_t max_bytes = (std::numeric_limits<std::size_t>::max)()) {
    struct closer {
        void operator()(gzFile_s* file) const noexcept { gzclose(file); }
    };
    errno = 0;
    std::unique_ptr<gzFile_s, closer> const file(gzopen(path.c_str(), "rb"));
    if (!file) detail::file_error(path, "cannot be opened", errno);
    std::string contents;
    char block[1 << 16];
    for (;;) {
        auto const got = gzread(file.get(), block, sizeof block);
        if (got < 0) {
            int number = 0;
            std::string const why = gzerror(file.get(), &number);
            if (number == Z_ERRNO) detail::file_error(path, "cannot be read", errno);
            detail::fail(errc::corrupt, detail::join(path, ": ", why));
        }
        if (static_cast<std::size_t>(got) > max_bytes - contents.size()) {
            detail::fail(
                errc::corrupt, detail::join(path, ": holds more than ", max_bytes, " bytes"));
        }
        contents.append(block, static_cast<std::size_t>(got));
        if (static_cast<std::size_t>(got) < sizeof block) break;
    }
    // gzread gives what there is of a file that is cut off; only closing or an error tells.
    int number = Z_OK;
    std::string const why = gzerror(file.get(), &number);
    if (number != Z_OK && number != Z_STREAM_END)
        detail::fail(errc::corrupt, detail::join(path, ": ", why));
    return contents;
}

TRAWL_END_NAMESPACE
