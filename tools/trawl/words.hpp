// SPDX-License-Identifier: MIT
#pragma once

/// Text out of values, and numbers out of text.

#include <charconv>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace cli {

inline void append(std::string& out, std::string_view text) { out += text; }

/// The shortest text that reads back as the same number.
template <class Number>
    requires std::integral<Number> || std::floating_point<Number>
void append(std::string& out, Number value) {
    char buffer[64];
    out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

/// joined(3, " of ", path, ".")
template <class... Parts>
[[nodiscard]] std::string joined(Parts const&... parts) {
    std::string out;
    (append(out, parts), ...);
    return out;
}

/// The number that is the whole of the text, if it is one.
template <class Number>
[[nodiscard]] std::optional<Number> number_in(std::string_view text) {
    if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
    Number value{};
    auto const* const end = text.data() + text.size();
    auto const [stopped, problem] = std::from_chars(text.data(), end, value);
    if (problem != std::errc() || stopped != end || text.empty()) return std::nullopt;
    return value;
}

} // namespace cli
