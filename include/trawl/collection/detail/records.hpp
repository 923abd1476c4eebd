// SPDX-License-Identifier: MIT
#pragma once

/// Small records as bytes: texts and numbers, one after the other.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <trawl/error.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class record_writer {
public:
    template <class Number>
    void number(Number value) {
        char bytes[sizeof value];
        std::memcpy(bytes, &value, sizeof value);
        made_.append(bytes, sizeof value);
    }
    void text(std::string_view value) {
        number(static_cast<std::uint32_t>(value.size()));
        made_.append(value);
    }
    [[nodiscard]] std::string take() { return std::exchange(made_, {}); }

private:
    std::string made_;
};

/// Reads what record_writer wrote. Whatever the bytes are, nothing outside them is read.
class record_reader {
public:
    record_reader(section_file const& file, std::string_view section)
        : file_(file), section_(section), left_(file.text(section)) {}

    template <class Number>
    [[nodiscard]] Number number() {
        Number value = {};
        if (left_.size() < sizeof value) end();
        std::memcpy(&value, left_.data(), sizeof value);
        left_.remove_prefix(sizeof value);
        return value;
    }
    [[nodiscard]] std::string text() {
        auto const size = number<std::uint32_t>();
        if (left_.size() < size) end();
        std::string made(left_.substr(0, size));
        left_.remove_prefix(size);
        return made;
    }
    /// A number of records of at least a byte each.
    [[nodiscard]] std::size_t count() {
        auto const records = number<std::uint32_t>();
        if (records > left_.size()) end();
        return records;
    }
    void finish() {
        if (!left_.empty()) file_.fail(join("section ", section_, " is too long"));
    }

private:
    [[noreturn]] TRAWL_COLD void end() const {
        file_.fail(join("section ", section_, " ends too early"));
    }

    section_file const& file_;
    std::string_view section_;
    std::string_view left_;
};

} // namespace detail
TRAWL_END_NAMESPACE
