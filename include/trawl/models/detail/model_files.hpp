// SPDX-License-Identifier: MIT
#pragma once

/// The files of a model's folder. Bodies are in model_folder_inl.hpp.

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
