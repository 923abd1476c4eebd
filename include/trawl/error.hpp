// SPDX-License-Identifier: MIT
#pragma once

/// The only exception type of the library, and the functions that throw it. Where exceptions are
/// off, TRAWL_ON_ERROR(text) is called instead.

#include <stdexcept>
#include <string>
#include <string_view>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

/// What went wrong, for a program; `error::what()` says it to people.
enum class errc : unsigned char {
    invalid_argument,   ///< a parameter outside its range
    dimension_mismatch, ///< a vector or matrix of the wrong size
    not_finite,         ///< NaN or infinity where a number is needed
    id_order,           ///< a document id below the next one
    unknown_id,         ///< no document has this id or key
    duplicate_key,      ///< a key or name that is taken already
    weight_count,       ///< the number of weights is not the number of arms
    parse,              ///< text that does not follow its format
    io,                 ///< a file that cannot be opened, read or written
    corrupt,            ///< a file whose contents contradict each other
    model,              ///< a model, arm or stage of the caller that broke its contract
};

/// Thrown for every error that a caller can cause, before anything has changed. The message names
/// the argument, its value and what is allowed.
class error : public std::runtime_error {
public:
    error(errc code, std::string const& what) : std::runtime_error(what), code_(code) {}
    [[nodiscard]] errc code() const noexcept { return code_; }

private:
    errc code_;
};

namespace detail {

// A text or a number, as join takes it. Not a template: messages are many, and each combination of
// types would cost every program an instantiation.
class text_or_number {
public:
    // NOLINTBEGIN(google-explicit-constructor): implicit on purpose
    text_or_number(std::string_view text = {}) noexcept : text_(text) {}
    text_or_number(char const* text) noexcept : text_(text) {}
    text_or_number(std::string const& text) noexcept : text_(text) {}
    text_or_number(bool value) noexcept : text_(value ? "true" : "false") {}
    text_or_number(char value) noexcept : kind_(kind::character), character_(value) {}
    text_or_number(int value) noexcept : text_or_number(static_cast<long long>(value)) {}
    text_or_number(long value) noexcept : text_or_number(static_cast<long long>(value)) {}
    text_or_number(long long value) noexcept : kind_(kind::whole), whole_(value) {}
    text_or_number(unsigned value) noexcept : text_or_number(0ull + value) {}
    text_or_number(unsigned long value) noexcept : text_or_number(0ull + value) {}
    text_or_number(unsigned long long value) noexcept : kind_(kind::natural), natural_(value) {}
    text_or_number(float value) noexcept : kind_(kind::single), single_(value) {}
    text_or_number(double value) noexcept : kind_(kind::real), real_(value) {}
    // NOLINTEND(google-explicit-constructor)

private:
    friend void append_text(std::string&, text_or_number const&);

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

// Appends the text, or the shortest text that reads back as the same number, whatever the locale.
void append_text(std::string& out, text_or_number const& item);

// Joins texts and numbers: join("k is ", 0, ", must be > 0").
[[nodiscard]] TRAWL_COLD std::string join(text_or_number const& a, text_or_number const& b = {},
    text_or_number const& c = {}, text_or_number const& d = {}, text_or_number const& e = {},
    text_or_number const& f = {}, text_or_number const& g = {}, text_or_number const& h = {},
    text_or_number const& i = {}, text_or_number const& j = {}, text_or_number const& k = {},
    text_or_number const& l = {}, text_or_number const& m = {}, text_or_number const& n = {},
    text_or_number const& o = {}, text_or_number const& p = {});

[[noreturn]] TRAWL_COLD void fail(errc code, std::string const& text);

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/detail/error_inl.hpp>
#endif
