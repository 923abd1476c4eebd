// SPDX-License-Identifier: MIT
#pragma once

/// The one exception type of the library, and the cold functions that throw it. Where exceptions
/// are off, TRAWL_ON_ERROR(text) is called in its place.

#include <charconv>
#include <cstdlib>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

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

/// Thrown for every error that a caller can cause. The message names the argument and both values.
/// It is thrown before anything has changed.
class error : public std::runtime_error {
public:
    error(errc code, std::string const& what) : std::runtime_error(what), code_(code) {}
    [[nodiscard]] errc code() const noexcept { return code_; }

private:
    errc code_;
};

namespace detail {

inline void append_text(std::string& out, std::string_view text) { out.append(text); }
inline void append_text(std::string& out, char character) { out.push_back(character); }

// The shortest text that reads back as the same number, whatever the locale.
template <class Number>
    requires std::is_arithmetic_v<Number>
void append_text(std::string& out, Number value) {
    char buffer[64];
    auto const end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    out.append(buffer, end);
}

// A text or a number, as join takes it. No template: messages are many, and each would cost every
// program that includes them an instantiation of its own.
class text_part {
public:
    // NOLINTBEGIN(google-explicit-constructor): implicit on purpose
    text_part(std::string_view text = {}) noexcept : text_(text) {}
    text_part(char const* text) noexcept : text_(text) {}
    text_part(std::string const& text) noexcept : text_(text) {}
    text_part(bool value) noexcept : text_(value ? "true" : "false") {}
    text_part(char value) noexcept : kind_(kind::character), character_(value) {}
    text_part(int value) noexcept : text_part(static_cast<long long>(value)) {}
    text_part(long value) noexcept : text_part(static_cast<long long>(value)) {}
    text_part(long long value) noexcept : kind_(kind::whole), whole_(value) {}
    text_part(unsigned value) noexcept : text_part(0ull + value) {}
    text_part(unsigned long value) noexcept : text_part(0ull + value) {}
    text_part(unsigned long long value) noexcept : kind_(kind::natural), natural_(value) {}
    text_part(float value) noexcept : kind_(kind::single), single_(value) {}
    text_part(double value) noexcept : kind_(kind::real), real_(value) {}
    // NOLINTEND(google-explicit-constructor)

    void append_to(std::string& out) const {
        switch (kind_) {
        case kind::text:
            return append_text(out, text_);
        case kind::character:
            return append_text(out, character_);
        case kind::whole:
            return append_text(out, whole_);
        case kind::natural:
            return append_text(out, natural_);
        case kind::single:
            return append_text(out, single_);
        case kind::real:
            return append_text(out, real_);
        }
    }

private:
    enum class kind : unsigned char { text, character, whole, natural, single, real };
    kind kind_ = kind::text;
    union {
        std::string_view text_;
        char character_;
        long long whole_;
        unsigned long long natural_;
        float single_;
        double real_;
    };
};

// Joins texts and numbers: join("k is ", 0, ", must be > 0").
[[nodiscard]] TRAWL_COLD inline std::string join(text_part const& a, text_part const& b = {},
    text_part const& c = {}, text_part const& d = {}, text_part const& e = {},
    text_part const& f = {}, text_part const& g = {}, text_part const& h = {},
    text_part const& i = {}, text_part const& j = {}, text_part const& k = {},
    text_part const& l = {}, text_part const& m = {}, text_part const& n = {},
    text_part const& o = {}, text_part const& p = {}) {
    std::string out;
    for (auto const* const part : {&a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n, &o, &p})
        part->append_to(out);
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
TRAWL_END_NAMESPACE
