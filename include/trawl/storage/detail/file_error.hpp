// SPDX-License-Identifier: MIT
#pragma once

/// Errors about files. Their bodies are in file_inl.hpp.

#include <string_view>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Fails with "PATH: WHAT: REASON", where the reason is the system's text for this errno.
[[noreturn]] void file_error(std::string_view path, std::string_view what, int number);

/// Refuses a path with a NUL byte, at which the system would cut it.
/// @throws trawl::error (invalid_argument).
void check_path(std::string_view path);

} // namespace detail
TRAWL_END_NAMESPACE
