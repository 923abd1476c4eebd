// SPDX-License-Identifier: MIT
#pragma once

/// Numbers from and to text, whatever the locale.

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#if !defined(__cpp_lib_to_chars)
#include <clocale>
#include <cstdlib>
#endif

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The whole text as a number; a leading + is allowed. None if it is none, or out of range.
template <class Integer>
[[nodiscard]] std::optional<Integer> parse_integer(std::string_view text) noexcept {
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
    Integer value = 0;
    auto const end = text.data() + text.size();
    auto const result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc{} || result.ptr != end) return std::nullopt;
    return value;
}

// Digits, perhaps with a point between: as most files write numbers. Where they make a whole number
// below 2^53, it and the power of ten by which it is divided are exact, so that the division alone
// rounds.
[[nodiscard]] inline std::optional<double> parse_plain(std::string_view text) noexcept {
    constexpr double tens[] = {
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    auto const negative = !text.empty() && text.front() == '-';
    if (negative) text.remove_prefix(1);
    if (text.empty() || text.size() > 16) return std::nullopt; // and so its digits fit 64 bits
    std::uint64_t digits = 0;
    auto const* at = text.data();
    auto const* const end = at + text.size();
    auto const read = [&] {
        for (unsigned digit = 0;
             at != end && (digit = static_cast<unsigned char>(*at) - unsigned{'0'}) <= 9; ++at) {
            digits = 10 * digits + digit;
        }
    };
    read();
    auto const* const point = at;
    if (at != end && at != text.data() && *at == '.' && ++at != end) read();
    if (at != end || point == text.data() || end - point == 1 || digits >> 53 != 0)
        return std::nullopt;
    auto value = static_cast<double>(digits);
    if (point != end) value /= tens[end - point - 1];
    return negative ? -value : value;
}

/// The whole text as a number, correctly rounded; a leading + is allowed. "inf" and "nan" are
/// numbers. None if it is none, or too large for a double; one too small is 0.
[[nodiscard]] inline std::optional<double> parse_double(std::string_view text) {
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
    if (auto const plain = parse_plain(text)) return plain;
    double value = 0;
#if defined(__cpp_lib_to_chars)
    auto const end = text.data() + text.size();
    auto const result = std::from_chars(text.data(), end, value);
    if (result.ptr != end || result.ec == std::errc::invalid_argument) return std::nullopt;
    if (result.ec == std::errc::result_out_of_range) {
        auto const sign = text.find_first_of("eE") + 1;
        if (sign == 0 || sign >= text.size() || text[sign] != '-') return std::nullopt;
        value = text[0] == '-' ? -0.0 : 0.0;
    }
#else
    // A standard library without floating from_chars: strtod, told the point of the current locale.
    if (text.empty() || text.find_first_not_of("0123456789+-.eEinfatyINFATY") != text.npos)
        return std::nullopt;
    std::string copy(text);
    if (auto const dot = copy.find('.'); dot != copy.npos) {
        copy.replace(dot, 1, std::localeconv()->decimal_point);
    }
    char* end = nullptr;
    value = std::strtod(copy.c_str(), &end);
    auto const infinite = value - value != 0 && copy.find_first_of("nN") == copy.npos;
    if (end != copy.c_str() + copy.size() || infinite) return std::nullopt;
#endif
    return value;
}

/// With so many digits after the point, as printf's %.*f.
[[nodiscard]] inline std::string fixed_text(double value, int digits) {
    char buffer[400];
    auto const result =
        std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, digits);
    return std::string(buffer, result.ptr);
}

} // namespace detail
TRAWL_END_NAMESPACE
