// SPDX-License-Identifier: MIT
#pragma once

/// Reads JSON from front to back, without a tree: the files of a model are large, few of their values
/// are needed, and none can be trusted.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The kind of a value; none if no value follows.
enum class json_kind : unsigned char { object, array, string, number, boolean, null, none };

/// A text of JSON (RFC 8259, UTF-8), and a place in it. The reader asks for what it expects; what it
/// does not know it skips. Strict: what is read or skipped is valid JSON. Allocates nothing but the
/// strings that it gives. Values nest 64 deep at most.
///
///     json_reader in(text, "config.json");
///     for (in.enter_object(); in.next_key(key);) {
///         if (key == "layers") layers = in.natural(1000); else in.skip();
///     }
///     in.finish();
///
/// All members throw trawl::error (parse), "NAME: byte N: …", where the text is not JSON or not
/// what was asked for.
class json_reader {
public:
    /// @param name  The name of the file, for error messages. Neither it nor the text is copied.
    json_reader(std::string_view text, std::string_view name) noexcept : text_(text), name_(name) {}

    /// Goes to a byte of the text, before anything has been read.
    void seek(std::size_t at) noexcept { at_ = at; }

    /// The kind of the next value.
    [[nodiscard]] json_kind kind() noexcept;

    void enter_object();
    /// Moves on to the next member. False behind the last one: the object has then been left.
    [[nodiscard]] bool next_key(std::string& key);
    void enter_array();
    /// Moves on to the next element. False behind the last one: the array has then been left.
    [[nodiscard]] bool next_item();

    [[nodiscard]] std::string string();
    /// A string, in the text itself or, if it has escapes, in `copy`.
    [[nodiscard]] std::string_view string(std::string& copy);
    [[nodiscard]] double number();
    /// A whole number that fits a token's id.
    [[nodiscard]] std::uint32_t id() { return static_cast<std::uint32_t>(natural(0x7FFFFFFF)); }
    /// A whole number, 0 to `most`.
    [[nodiscard]] std::uint64_t natural(std::uint64_t most);
    [[nodiscard]] bool boolean();
    /// Whether the next value is null, which is then read.
    [[nodiscard]] bool null();

    /// Skips the next value.
    void skip();
    /// Skips the next value and returns its text.
    [[nodiscard]] std::string_view raw();
    /// Requires that only white space follows.
    void finish();

    /// The name of the file.
    [[nodiscard]] std::string_view name() const noexcept { return name_; }
    /// Fails with this reason, at the place of the value that was read last.
    [[noreturn]] void fail(std::string_view reason) const;
    /// Fails at the next value: "WHAT 'TYPE' is not supported, only ONLY".
    [[noreturn]] void unsupported(
        std::string_view what, std::string_view type, std::string_view only);

    /// Calls member(key) for each member of the object that follows; it reads the value.
    template <class Member>
    void members(Member&& member) {
        std::string key;
        for (enter_object(); next_key(key);) member(key);
    }
    /// The member "type" of the object that follows, which is not passed by; empty if it has none.
    [[nodiscard]] std::string type_of_next() const;

private:
    static constexpr unsigned deepest = 64;

    void blanks() noexcept;
    void open(char bracket);
    [[nodiscard]] bool next(char closing);
    void expect(char c, std::string_view what);
    void literal(std::string_view word);
    void expected(std::string_view what);
    /// The characters of a number.
    [[nodiscard]] std::string_view digits();
    /// Reads a string; with `copy`, what it means if there are escapes.
    std::string_view quoted(std::string* copy);
    void escape(std::string* copy);
    [[nodiscard]] std::uint32_t four_digits();

    std::string_view text_;
    std::string_view name_;
    std::size_t at_ = 0;
    std::size_t begin_ = 0; ///< of the value just read
    unsigned depth_ = 0;    ///< of objects and arrays that are open
    bool first_ = false;    ///< no element of the innermost one has been read
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/json_reader_inl.hpp>
#endif
