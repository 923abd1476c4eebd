// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of model_files.hpp.

#include <trawl/models/detail/model_files.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE std::string file_in(std::string_view folder, std::string_view name) {
    if (name.empty() || name == ".") return std::string(folder);
    auto out = std::string(folder);
    if (!out.empty() && out.back() != '/') out += '/';
    return out += name;
}

TRAWL_INLINE bool file_exists(std::string const& path) {
    std::error_code wrong;
    return std::filesystem::exists(path, wrong) && !wrong;
}

} // namespace detail
TRAWL_END_NAMESPACE
