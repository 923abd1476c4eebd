// SPDX-License-Identifier: MIT
#pragma once

/// Reads a text line by line, with errors that name the file and the line.

#include <cstddef>
#include <string_view>

#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// The lines of a text. A line ends with \n or \r\n; the last one may lack its end. A byte order
/// mark at the beginning of the text is skipped. The text and the name are borrowed.
class line_reader {
public:
    /// @param name  The name of the file, for error messages.
    explicit line_reader(std::string_view text, std::string_view name = {}) noexcept;

    /// Reads the next line, without its end.
    /// @return False if there is none.
    [[nodiscard]] bool next(std::string_view& line) noexcept;

    /// The number of the line that next() read, from 1.
    [[nodiscard]] std::size_t number() const noexcept { return number_; }

    /// Throws an error about the line that next() read. Its text is "NAME:LINE: REASON".
    [[noreturn]] void fail(errc code, std::string_view reason) const;

    /// The text that next() has not read yet.
    [[nodiscard]] std::string_view rest() const noexcept { return rest_; }

    /// Skips one line.
    /// @param bytes  Its length, including its end.
    void skip(std::size_t bytes) noexcept {
        rest_.remove_prefix(bytes);
        ++number_;
    }

private:
    std::string_view rest_;
    std::string_view name_;
    std::size_t number_ = 0;
};

/// Whether a line holds nothing but white space.
[[nodiscard]] bool is_blank(std::string_view line) noexcept;

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/formats/detail/lines_inl.hpp>
#endif
