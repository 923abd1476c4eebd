// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of json_reader.hpp.

#include <trawl/models/detail/json_reader.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <trawl/detail/number_text.hpp>
#include <trawl/error.hpp>
#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_COLD TRAWL_INLINE void json_reader::fail(std::string_view reason) const {
    detail::fail(errc::parse, join(name_, ": byte ", begin_, ": ", reason));
}

TRAWL_COLD TRAWL_INLINE void json_reader::unsupported(
    std::string_view what, std::string_view type, std::string_view only) {
    blanks(); // its place
    fail(join(what, " '", type.substr(0, 100), "' is not supported, only ", only));
}

TRAWL_INLINE std::string json_reader::type_of_next() const {
    auto ahead = *this;
    std::string key;
    for (ahead.enter_object(); ahead.next_key(key);) {
        if (key == "type") return ahead.string();
        ahead.skip();
    }
    return {};
}

TRAWL_INLINE void json_reader::blanks() noexcept {
    while (at_ < text_.size()
           && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
        ++at_;
    begin_ = at_;
}

TRAWL_INLINE json_kind json_reader::kind() noexcept {
    blanks();
    switch (at_ < text_.size() ? text_[at_] : '\0') {
    case '{':
        return json_kind::object;
    case '[':
        return json_kind::array;
    case '"':
        return json_kind::string;
    case 't':
    case 'f':
        return json_kind::boolean;
    case 'n':
        return json_kind::null;
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
        return json_kind::number;
    default:
        return json_kind::none;
    }
}

TRAWL_COLD TRAWL_INLINE void json_reader::expected(std::string_view what) {
    if (at_ >= text_.size()) fail(join("the text ends, expected is ", what));
    fail(join("expected is ", what));
}

TRAWL_INLINE void json_reader::expect(char c, std::string_view what) {
    blanks();
    if (at_ >= text_.size() || text_[at_] != c) expected(what);
    ++at_;
}

TRAWL_INLINE void json_reader::open(char bracket) {
    expect(bracket, bracket == '{' ? "an object" : "an array");
    if (++depth_ > deepest) fail(join("values nest more than ", deepest, " deep"));
    first_ = true;
}

// Passes by the comma, or by the bracket that closes.
TRAWL_INLINE bool json_reader::next(char closing) {
    blanks();
    if (at_ < text_.size() && text_[at_] == closing) {
        ++at_;
        --depth_;
        first_ = false;
        return false;
    }
    if (!first_) expect(',', closing == '}' ? "',' or '}'" : "',' or ']'");
    first_ = false;
    return true;
}

TRAWL_INLINE void json_reader::enter_object() { open('{'); }

TRAWL_INLINE bool json_reader::next_key(std::string& key) {
    if (!next('}')) return false;
    auto const read = string(key);
    if (read.data() != key.data()) key = read;
    expect(':', "':'");
    return true;
}

TRAWL_INLINE void json_reader::enter_array() { open('['); }

TRAWL_INLINE bool json_reader::next_item() { return next(']'); }

TRAWL_INLINE std::uint32_t json_reader::four_digits() {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) {
        auto const c = at_ < text_.size() ? text_[at_] : '\0';
        auto const digit = c >= '0' && c <= '9'   ? c - '0'
                           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                  : -1;
        if (digit < 0) fail("a string has \\u without four hexadecimal digits");
        value = value << 4 | static_cast<std::uint32_t>(digit);
        ++at_;
    }
    return value;
}

// Behind the backslash.
TRAWL_INLINE void json_reader::escape(std::string* copy) {
    auto const c = at_ < text_.size() ? text_[at_++] : '\0';
    constexpr std::string_view letters = "\"\\/bfnrt";
    constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
    if (auto const place = letters.find(c); place != letters.npos) {
        if (copy != nullptr) *copy += meant[place];
        return;
    }
    if (c != 'u') fail("a string has an unknown escape");
    auto code = four_digits();
    if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u") {
        at_ += 2;
        auto const low = four_digits();
        if (low < 0xDC00 || low > 0xDFFF) fail("a string has half of a surrogate pair");
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else if (code >= 0xD800 && code < 0xE000) {
        fail("a string has half of a surrogate pair");
    }
    if (copy != nullptr) append_utf8(static_cast<char32_t>(code), *copy);
}

TRAWL_INLINE std::string_view json_reader::quoted(std::string* copy) {
    expect('"', "a string");
    auto const begin = at_;
    auto from = at_; // what is not copied yet
    bool escaped = false;
    for (;;) {
        if (at_ >= text_.size()) fail("a string does not end");
        auto const c = static_cast<unsigned char>(text_[at_]);
        if (c == '"') {
            break;
        } else if (c == '\\') {
            if (copy != nullptr) {
                if (!escaped) copy->clear();
                copy->append(text_.substr(from, at_ - from));
            }
            escaped = true;
            ++at_;
            escape(copy);
            from = at_;
        } else if (c < 0x20) {
            fail("a string has a control character");
        } else if (c < 0x80) {
            ++at_;
        } else {
            auto const bytes = decode_utf8(text_, at_).bytes;
            if (bytes == 0) fail("a string is not UTF-8");
            at_ += bytes;
        }
    }
    auto const end = at_++;
    if (!escaped) return text_.substr(begin, end - begin);
    if (copy == nullptr) return {};
    copy->append(text_.substr(from, end - from));
    return *copy;
}

TRAWL_INLINE std::string_view json_reader::string(std::string& copy) { return quoted(&copy); }

TRAWL_INLINE std::string json_reader::string() {
    std::string copy;
    return std::string(quoted(&copy));
}

TRAWL_INLINE std::string_view json_reader::digits() {
    blanks();
    auto const peek = [&] { return at_ < text_.size() ? text_[at_] : '\0'; };
    auto const run = [&] {
        auto const begin = at_;
        while (peek() >= '0' && peek() <= '9') ++at_;
        if (at_ == begin) fail("expected is a number");
        return at_ - begin;
    };
    if (peek() == '-') ++at_;
    auto const zero = peek() == '0';
    if (run() > 1 && zero) fail("a number begins with 0");
    if (peek() == '.') {
        ++at_;
        run();
    }
    if (peek() == 'e' || peek() == 'E') {
        ++at_;
        if (peek() == '+' || peek() == '-') ++at_;
        run();
    }
    return text_.substr(begin_, at_ - begin_);
}

TRAWL_INLINE double json_reader::number() {
    auto const value = parse_double(digits());
    if (!value) fail("a number is too large");
    return *value;
}

TRAWL_INLINE std::uint64_t json_reader::natural(std::uint64_t most) {
    auto const text = digits();
    auto const value = parse_integer<std::uint64_t>(text);
    if (!value || *value > most) {
        fail(join("is ", text.substr(0, 40), ", must be a whole number from 0 to ", most));
    }
    return *value;
}

TRAWL_INLINE void json_reader::literal(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) expected("a value");
    at_ += word.size();
}

TRAWL_INLINE bool json_reader::boolean() {
    if (kind() != json_kind::boolean) expected("true or false");
    auto const value = text_[at_] == 't';
    literal(value ? "true" : "false");
    return value;
}

TRAWL_INLINE bool json_reader::null() {
    if (kind() != json_kind::null) return false;
    literal("null");
    return true;
}

TRAWL_INLINE void json_reader::skip() {
    // Which of the open values that are skipped are objects, the innermost in the lowest bit.
    std::uint64_t objects = 0;
    auto const outside = depth_;
    for (;;) {
        switch (kind()) {
        case json_kind::object:
            open('{');
            objects = objects << 1 | 1;
            break;
        case json_kind::array:
            open('[');
            objects <<= 1;
            break;
        case json_kind::string:
            quoted(nullptr);
            break;
        case json_kind::number:
            static_cast<void>(digits());
            break;
        case json_kind::boolean:
            static_cast<void>(boolean());
            break;
        case json_kind::null:
            static_cast<void>(null());
            break;
        case json_kind::none:
            expected("a value");
        }
        for (;;) { // on to the next value, out of what ends
            if (depth_ == outside) return;
            auto const object = (objects & 1) != 0;
            if (next(object ? '}' : ']')) {
                if (object) {
                    quoted(nullptr);
                    expect(':', "':'");
                }
                break;
            }
            objects >>= 1;
        }
    }
}

TRAWL_INLINE std::string_view json_reader::raw() {
    blanks();
    auto const begin = at_;
    skip();
    return text_.substr(begin, at_ - begin);
}

TRAWL_INLINE void json_reader::finish() {
    blanks();
    if (at_ < text_.size()) fail("something follows the value");
}

} // namespace detail
TRAWL_END_NAMESPACE
