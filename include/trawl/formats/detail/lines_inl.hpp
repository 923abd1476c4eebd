// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of lines.hpp.

#include <trawl/formats/lines.hpp>

#include <cstddef>
#include <cstring>
#include <string_view>

#include <trawl/error.hpp>
#include <trawl/formats/detail/columns.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE line_reader::line_reader(std::string_view text, std::string_view name) noexcept
    : rest_(text), name_(name) {
    if (rest_.substr(0, 3) == "\xEF\xBB\xBF") rest_.remove_prefix(3);
}

TRAWL_INLINE bool line_reader::next(std::string_view& line) noexcept {
    if (rest_.empty()) return false;
    auto const* const end = static_cast<char const*>(std::memchr(rest_.data(), '\n', rest_.size()));
    auto const size = end == nullptr ? rest_.size() : static_cast<std::size_t>(end - rest_.data());
    line = rest_.substr(0, size);
    rest_.remove_prefix(end == nullptr ? size : size + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++number_;
    return true;
}

TRAWL_INLINE void line_reader::fail(errc code, std::string_view reason) const {
    detail::fail_at(code, name_, number_, reason);
}

TRAWL_INLINE bool is_blank(std::string_view line) noexcept {
    for (char const c : line) {
        if (!detail::is_space(c)) return false;
    }
    return true;
}

TRAWL_END_NAMESPACE
