// SPDX-License-Identifier: MIT
#pragma once

/// Whole files: reading one into memory, replacing one in one step.

#include <string>
#include <string_view>

#include <trawl/error.hpp>
#include <trawl/storage/detail/file_error.hpp>

TRAWL_BEGIN_NAMESPACE

/// Returns the bytes of a file, unchanged.
/// @throws trawl::error (io), its text beginning "PATH: ", if it cannot be opened or read;
/// (invalid_argument) if the path contains a NUL byte.
[[nodiscard]] std::string read_file(std::string const& path);

/// Replaces a file in one step: other programs see the old contents or the new contents, never a
/// mixture. When it returns, the contents and the directory entry are on the disk.
///
/// A file that exists keeps its permissions, and its owner and group where the system lets this
/// process set them (where the group cannot be kept, its permissions shrink to those of others). Its
/// other hard links keep the old contents; access control lists and extended attributes are lost.
/// A symbolic link stays a link, and the file that it names is replaced, or created. What is no
/// regular file (a pipe, /dev/stdout) is written in place.
///
/// The new contents are first written beside the file, under a name that begins with ".trawl-". If
/// the process is killed meanwhile, that file stays until the same file is next written.
/// @throws trawl::error (io), its text beginning "PATH: "; the old file then stays as it was, unless
/// the text says that it has been replaced; (invalid_argument) if the path contains a NUL byte.
void write_file(std::string const& path, std::string_view contents);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/storage/detail/file_inl.hpp>
#endif
