// SPDX-License-Identifier: MIT
#pragma once

/// The one exception type of the library, and the cold functions that throw it. Where exceptions are off,
/// TRAWL_ON_ERROR(text) is called in its place.

#include <charconv>
#include <concepts>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include <trawl/config.hpp>

namespace trawl::inline v0_1 {

/// What went wrong, for programs; `error::what()` says it for people.
enum class errc : unsigned char {
    invalid_argument,   ///< a parameter outside its range
    dimension_mismatch, ///< a vector or matrix of the wrong size
    not_finite,         ///< NaN or infinity where a number is needed
    id_order,           ///< a document id below the next free one
    unknown_id,         ///< a document id or key that is not there
    duplicate_key,      ///< a key that is there already
    weight_count,       ///< as many weights as arms are needed
    parse,              ///< text that does not follow its format
    io,                 ///< a file that cannot be opened, read or written
    corrupt,            ///< a file whose contents contradict themselves
    model,              ///< a callback of the caller's that broke its contract
};

/// Thrown for every error that a caller can cause. The message names the argument and both values. It is
/// thrown before anything has changed.
class error : public std::runtime_error {
public:
    error(errc code, std::string const& what) : std::runtime_error(what), code_(code) {}
    [[nodiscard]] errc code() const noexcept { return code_; }

private:
    errc code_;
};

namespace detail {

template <class T>
concept number = std::is_arithmetic_v<T>;

inline void append_text(std::string& out, std::string_view text) { out.append(text); }
inline void append_text(std::string& out, char character) { out.push_back(character); }

// The shortest text that reads back as the same number, whatever the locale.
template <number T>
void append_text(std::string& out, T value) {
    if constexpr (std::same_as<T, bool>) {
        out.append(value ? "true" : "false");
    } else {
        char buffer[64];
        auto const end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
        out.append(buffer, end);
    }
}

// Joins texts and numbers: join("k is ", 0, ", must be > 0").
template <class... Parts>
[[nodiscard]] TRAWL_COLD std::string join(Parts const&... parts) {
    std::string out;
    (append_text(out, parts), ...);
    return out;
}

[[noreturn]] TRAWL_COLD inline void fail(errc code, std::string const& text) {
#if TRAWL_HAS_EXCEPTIONS
    throw error(code, text);
#else
    static_cast<void>(code);
    static_cast<void>(text);
    TRAWL_ON_ERROR(text.c_str());
    ::std::abort();
#endif
}

} // namespace detail
} // namespace trawl::inline v0_1
