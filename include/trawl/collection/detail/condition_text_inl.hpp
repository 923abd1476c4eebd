// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of condition_text.hpp.

#include <trawl/collection/condition_text.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/number_text.hpp>
#include <trawl/error.hpp>
#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] constexpr bool begins_name(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'
           || static_cast<unsigned char>(c) >= 0x80;
}
[[nodiscard]] constexpr bool is_decimal(char c) noexcept { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool continues_name(char c) noexcept {
    return begins_name(c) || is_decimal(c) || c == '.' || c == '-';
}

/// Whether two words are equal, those of the syntax in any case of letters.
[[nodiscard]] inline bool is_word(std::string_view text, std::string_view lower) noexcept {
    if (text.size() != lower.size()) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto const c =
            text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
        if (c != lower[i]) return false;
    }
    return true;
}

[[nodiscard]] inline bool is_syntax_word(std::string_view text) noexcept {
    for (std::string_view const word :
        {"and", "or", "not", "in", "contains", "exists", "true", "false"})
        if (is_word(text, word)) return true;
    return false;
}

/// Reads a condition by recursive descent.
class condition_reader {
public:
    explicit condition_reader(std::string_view text) : text_(text) {}

    [[nodiscard]] condition read() {
        for (std::size_t at = 0; at < text_.size();) {
            auto const bytes = decode_utf8(text_, at).bytes;
            if (bytes == 0) refuse(at, "the text is not UTF-8");
            at += bytes;
        }
        next();
        if (token_.kind == token_kind::end) return {};
        auto made = any();
        if (token_.kind != token_kind::end) expect("'and', 'or' or the end");
        return made;
    }

private:
    enum class token_kind : unsigned char { end, word, name, text, number, sign };
    struct syntax_token {
        token_kind kind = token_kind::end;
        std::size_t at = 0;
        std::string_view source = {}; ///< as it is written
        std::string value = {};       ///< of names and texts
    };

    [[noreturn]] TRAWL_COLD void refuse(std::size_t at, std::string_view reason) const {
        std::size_t column = 1;
        for (std::size_t i = 0; i < at; ++i)
            if ((static_cast<unsigned char>(text_[i]) & 0xC0) != 0x80) ++column;
        fail(errc::parse, join("condition, column ", column, ": ", reason));
    }

    [[noreturn]] TRAWL_COLD void expect(std::string_view wanted) const {
        refuse(token_.at,
            join("expected ", wanted, ", found ",
                token_.kind == token_kind::end ? std::string_view("the end") : token_.source));
    }

    void next() {
        while (at_ < text_.size()
               && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n'
                   || text_[at_] == '\r')) {
            ++at_;
        }
        token_ = {.at = at_};
        if (at_ == text_.size()) return;
        auto const c = text_[at_];
        if (begins_name(c)) {
            while (at_ < text_.size() && continues_name(text_[at_])) ++at_;
            token_.kind = token_kind::word;
        } else if (c == '`') {
            read_quoted_name();
        } else if (c == '"' || c == '\'') {
            read_text(c);
        } else if (is_decimal(c) || c == '-' || c == '+' || c == '.') {
            while (at_ < text_.size()
                   && (is_decimal(text_[at_]) || text_[at_] == '-' || text_[at_] == '+'
                       || text_[at_] == '.' || text_[at_] == ':' || begins_name(text_[at_]))) {
                ++at_;
            }
            token_.kind = token_kind::number;
        } else {
            read_sign(c);
        }
        token_.source = text_.substr(token_.at, at_ - token_.at);
    }

    void read_sign(char c) {
        auto const following = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
        if (std::string_view("=!<>(),").find(c) == std::string_view::npos)
            refuse(at_, join("unexpected ", text_.substr(at_, decode_utf8(text_, at_).bytes)));
        auto const two =
            (following == '=' && std::string_view("=!<>").find(c) != std::string_view::npos)
            || (c == '<' && following == '>');
        if (c == '!' && !two) refuse(at_, "expected !=, found !");
        at_ += two ? 2 : 1;
        token_.kind = token_kind::sign;
    }

    void read_quoted_name() {
        for (++at_; at_ < text_.size(); ++at_) {
            if (text_[at_] == '`') {
                if (at_ + 1 == text_.size() || text_[at_ + 1] != '`') break;
                ++at_;
            }
            token_.value.push_back(text_[at_]);
        }
        if (at_ == text_.size()) refuse(token_.at, "the name that begins here has no closing `");
        ++at_;
        if (token_.value.empty()) refuse(token_.at, "expected the name of a field, found ``");
        token_.kind = token_kind::name;
    }

    void read_text(char quote) {
        for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
            if (text_[at_] != '\\') {
                token_.value.push_back(text_[at_]);
                continue;
            }
            if (++at_ == text_.size()) break;
            auto const place = std::string_view("\\\"'nrt").find(text_[at_]);
            if (place == std::string_view::npos) {
                refuse(at_ - 1,
                    "expected \\\\, \\\", \\', \\n, \\r or \\t, found another character "
                    "after a backslash");
            }
            token_.value.push_back("\\\"'\n\r\t"[place]);
        }
        if (at_ == text_.size()) {
            refuse(token_.at, join("the text that begins here has no closing ", quote));
        }
        ++at_;
        token_.kind = token_kind::text;
    }

    [[nodiscard]] bool at_word(std::string_view word) const noexcept {
        return token_.kind == token_kind::word && is_word(token_.source, word);
    }
    bool take_word(std::string_view word) {
        if (!at_word(word)) return false;
        next();
        return true;
    }
    [[nodiscard]] bool at_sign(std::string_view sign) const noexcept {
        return token_.kind == token_kind::sign && token_.source == sign;
    }
    bool take_sign(std::string_view sign) {
        if (!at_sign(sign)) return false;
        next();
        return true;
    }

    void enter(std::size_t at) {
        if (++levels_ > condition::max_depth) too_deep(at);
    }
    [[noreturn]] TRAWL_COLD void too_deep(std::size_t at) const {
        refuse(at, join("a condition may be nested ", condition::max_depth, " deep, not deeper"));
    }
    void require_depth(std::vector<condition> const& children, std::size_t at) const {
        for (auto const& child : children)
            if (child.depth() >= condition::max_depth) too_deep(at);
    }

    [[nodiscard]] condition any() {
        auto const at = token_.at;
        std::vector<condition> children;
        do {
            children.push_back(all());
        } while (take_word("or"));
        if (children.size() == 1) return std::move(children.front());
        require_depth(children, at);
        return any_of(children);
    }

    [[nodiscard]] condition all() {
        auto const at = token_.at;
        std::vector<condition> children;
        do {
            children.push_back(negation());
        } while (take_word("and"));
        if (children.size() == 1) return std::move(children.front());
        require_depth(children, at);
        return all_of(children);
    }

    [[nodiscard]] condition negation() {
        auto const at = token_.at;
        if (!take_word("not")) return primary();
        enter(at);
        auto const child = negation();
        --levels_;
        if (child.depth() >= condition::max_depth && child.op() != condition_op::negation)
            too_deep(at);
        return !child;
    }

    [[nodiscard]] condition primary() {
        auto const at = token_.at;
        if (take_sign("(")) {
            enter(at);
            auto made = any();
            --levels_;
            if (!take_sign(")")) expect("'and', 'or' or )");
            return made;
        }
        if (take_word("true")) return {};
        if (take_word("false")) return !condition();
        if (take_word("exists")) {
            if (!take_sign("(")) expect("( after exists");
            auto name = field_name();
            if (!take_sign(")")) expect(")");
            return {condition_op::exists, std::move(name), {}};
        }
        return comparison(field_name());
    }

    [[nodiscard]] std::string field_name() {
        auto const is_name = token_.kind == token_kind::name
                             || (token_.kind == token_kind::word && !is_syntax_word(token_.source));
        if (!is_name) expect("the name of a field");
        auto name =
            token_.kind == token_kind::name ? std::move(token_.value) : std::string(token_.source);
        next();
        return name;
    }

    [[nodiscard]] condition comparison(std::string name) {
        using enum condition_op;
        struct named {
            std::string_view sign;
            condition_op op;
        };
        for (auto const& [sign, op] :
            {named{"=", equal}, {"==", equal}, {"!=", not_equal}, {"<>", not_equal}, {"<", less},
                {"<=", less_equal}, {">", greater}, {">=", greater_equal}}) {
            if (take_sign(sign)) return {op, std::move(name), {value()}};
        }
        auto const negative = take_word("not");
        if (take_word("in")) return {negative ? not_in : in, std::move(name), values()};
        if (!take_word("contains")) {
            expect(negative ? "'in' or 'contains' after 'not'"
                            : "=, !=, <, <=, >, >=, 'in', 'not in' or 'contains'");
        }
        if (token_.kind != token_kind::text) expect("a text in quotes after 'contains'");
        condition made(contains, std::move(name), {value()});
        return negative ? !made : made;
    }

    [[nodiscard]] std::vector<metadata_value> values() {
        if (!take_sign("(")) expect("( after 'in'");
        std::vector<metadata_value> made;
        if (take_sign(")")) return made;
        do {
            made.push_back(value());
        } while (take_sign(","));
        if (!take_sign(")")) expect(", or )");
        return made;
    }

    [[nodiscard]] metadata_value value() {
        metadata_value made;
        if (token_.kind == token_kind::text) {
            made = std::move(token_.value);
        } else if (token_.kind == token_kind::number) {
            made = number();
        } else if (at_word("true") || at_word("false")) {
            made = at_word("true");
        } else if (token_.kind == token_kind::word) {
            refuse(token_.at, join("expected a value, found ", token_.source,
                                  "; a text stands in quotes: \"", token_.source, '"'));
        } else {
            expect("a value: a text in quotes, a number, true, false or a date");
        }
        next();
        return made;
    }

    [[nodiscard]] metadata_value number() const {
        auto const text = token_.source;
        if (auto const integer = parse_integer<std::int64_t>(text)) return *integer;
        if (auto const day = date::try_parse(text)) return *day;
        auto const real = parse_double(text);
        if (!real || !is_finite(*real)) {
            refuse(token_.at,
                join("expected a number or a date such as 2024-02-29 or 2024-02-29T12:30Z, found ",
                    text));
        }
        if (text.find_first_of(".eE") == text.npos) {
            refuse(
                token_.at, join(text, " does not fit an integer of 64 bits; write it with a point "
                                      "for a float"));
        }
        return *real;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t levels_ = 0;
    syntax_token token_ = {};
};

inline void append_name(std::string& out, std::string_view name) {
    auto plain = begins_name(name.front()) && !is_syntax_word(name);
    for (char const c : name) plain = plain && continues_name(c);
    if (plain) {
        out.append(name);
        return;
    }
    out.push_back('`');
    for (char const c : name) out.append(c == '`' ? 2 : 1, c);
    out.push_back('`');
}

inline void append_value(std::string& out, metadata_value const& value) {
    if (value.type() != field_type::text) {
        auto const text = to_string(value);
        out.append(text);
        if (value.type() == field_type::real && text.find_first_of(".eE") == text.npos)
            out.append(".0");
        return;
    }
    out.push_back('"');
    for (char const c : value.as_text()) {
        auto const place = std::string_view("\\\"\n\r\t").find(c);
        if (place == std::string_view::npos) {
            out.push_back(c);
        } else {
            out.push_back('\\');
            out.push_back("\\\"nrt"[place]);
        }
    }
    out.push_back('"');
}

inline void append_condition(std::string& out, condition const& asked);

// In parentheses if it is of several conditions.
inline void append_operand(std::string& out, condition const& asked) {
    auto const several = asked.op() == condition_op::all_of || asked.op() == condition_op::any_of;
    if (several) out.push_back('(');
    append_condition(out, asked);
    if (several) out.push_back(')');
}

inline void append_condition(std::string& out, condition const& asked) {
    using enum condition_op;
    constexpr std::string_view signs[] = {"", " = ", " != ", " < ", " <= ", " > ", " >= "};
    switch (asked.op()) {
    case everything:
        out.append("true");
        return;
    case negation:
        if (asked.children().front().op() == everything) {
            out.append("false");
            return;
        }
        out.append("not ");
        append_operand(out, asked.children().front());
        return;
    case all_of:
    case any_of:
        for (auto const& child : asked.children()) {
            if (&child != asked.children().data())
                out.append(asked.op() == all_of ? " and " : " or ");
            append_operand(out, child);
        }
        return;
    case exists:
        out.append("exists(");
        append_name(out, asked.name());
        out.push_back(')');
        return;
    case in:
    case not_in:
        append_name(out, asked.name());
        out.append(asked.op() == in ? " in (" : " not in (");
        for (auto const& value : asked.values()) {
            if (&value != asked.values().data()) out.append(", ");
            append_value(out, value);
        }
        out.push_back(')');
        return;
    default:
        append_name(out, asked.name());
        out.append(
            asked.op() == contains ? " contains " : signs[static_cast<std::size_t>(asked.op())]);
        append_value(out, asked.values().front());
    }
}

} // namespace detail

TRAWL_INLINE condition parse_condition(std::string_view text) {
    return detail::condition_reader(text).read();
}

TRAWL_INLINE std::string to_text(condition const& asked) {
    std::string made;
    if (asked.op() != condition_op::everything) detail::append_condition(made, asked);
    return made;
}

TRAWL_END_NAMESPACE
