// SPDX-License-Identifier: MIT
#pragma once

/// The files of a model's folder.

#include <string>
#include <string_view>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// FOLDER/NAME; FOLDER if the name is empty or ".".
[[nodiscard]] std::string file_in(std::string_view folder, std::string_view name);

[[nodiscard]] bool file_exists(std::string const& path);

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/model_files_inl.hpp>
#endif
