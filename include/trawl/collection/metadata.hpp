// SPDX-License-Identifier: MIT
#pragma once

/// Metadata of documents: typed fields, their values, and what a document has of them.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <trawl/collection/date.hpp>
#include <trawl/core/enum_count.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// What the values of a field are.
enum class field_type : unsigned char {
    text,      ///< UTF-8, compared byte by byte
    text_list, ///< several texts, such as tags
    integer,   ///< 64 bits with a sign
    real,      ///< a finite double, called "float" in messages
    boolean,
    date, ///< a day or an instant
};

template <>
inline constexpr std::size_t enum_count<field_type> = 6;

/// "text", "text_list", "integer", "float", "boolean", "date".
[[nodiscard]] std::string_view name_of(field_type type) noexcept;

inline constexpr field_type text_field = field_type::text;
inline constexpr field_type text_list_field = field_type::text_list;
inline constexpr field_type integer_field = field_type::integer;
inline constexpr field_type float_field = field_type::real;
inline constexpr field_type bool_field = field_type::boolean;
inline constexpr field_type date_field = field_type::date;

/// A field that documents may have a value of.
struct metadata_field {
    std::string name; ///< 1 to 255 bytes of UTF-8 without control characters, not beginning with $
    field_type type = field_type::text;

    friend bool operator==(metadata_field const&, metadata_field const&) = default;
};

/// A value of one of the field types. Converts from what C++ has for it:
///
///     {{"version", "3.1"}, {"tags", {"api", "refunds"}}, {"pages", 12}, {"draft", false},
///      {"published", trawl::date(2024, 2, 29)}}
///
/// Braces make a list, with one text too: {"api"}.
class metadata_value {
public:
    // NOLINTBEGIN(google-explicit-constructor): implicit on purpose
    /// The empty text.
    metadata_value() = default;
    metadata_value(std::string text) noexcept : text_(std::move(text)) {}
    metadata_value(std::string_view text) : text_(text) {}
    metadata_value(char const* text) : text_(text) {}
    metadata_value(std::vector<std::string> list) noexcept
        : type_(field_type::text_list), list_(std::move(list)) {}
    metadata_value(std::initializer_list<std::string_view> list)
        : type_(field_type::text_list), list_(list.begin(), list.end()) {}
    template <std::same_as<bool> Bool>
    metadata_value(Bool value) noexcept : type_(field_type::boolean), integer_(value ? 1 : 0) {}
    /// @throws trawl::error (invalid_argument) if the value is above 2^63 - 1.
    template <std::integral Integer>
        requires(!std::same_as<Integer, bool> && !std::same_as<Integer, char>)
    metadata_value(Integer value)
        : type_(field_type::integer), integer_(static_cast<std::int64_t>(value)) {
        if constexpr (std::is_unsigned_v<Integer>) {
            if (integer_ < 0) refuse_large(value);
        }
    }
    /// -0 becomes 0.
    /// @throws trawl::error (not_finite) for NaN and infinity.
    template <std::floating_point Real>
    metadata_value(Real value)
        : type_(field_type::real), real_(finite(static_cast<double>(value))) {}
    metadata_value(trawl::date value) noexcept
        : type_(field_type::date), integer_(value.microseconds()), date_(value) {}
    // NOLINTEND(google-explicit-constructor)

    [[nodiscard]] field_type type() const noexcept { return type_; }

    /// The value.
    /// @throws trawl::error (invalid_argument) if the type is another one.
    [[nodiscard]] std::string const& as_text() const {
        require(field_type::text);
        return text_;
    }
    [[nodiscard]] std::vector<std::string> const& as_list() const {
        require(field_type::text_list);
        return list_;
    }
    [[nodiscard]] std::int64_t as_integer() const {
        require(field_type::integer);
        return integer_;
    }
    [[nodiscard]] double as_float() const {
        require(field_type::real);
        return real_;
    }
    [[nodiscard]] bool as_bool() const {
        require(field_type::boolean);
        return integer_ != 0;
    }
    [[nodiscard]] trawl::date as_date() const {
        require(field_type::date);
        return date_;
    }

    /// The same type and value.
    friend bool operator==(metadata_value const&, metadata_value const&) = default;

private:
    void require(field_type wanted) const {
        if (type_ != wanted) refuse_type(wanted);
    }
    [[noreturn]] TRAWL_COLD void refuse_type(field_type wanted) const;
    [[noreturn]] TRAWL_COLD static void refuse_large(std::uint64_t value);
    [[nodiscard]] static double finite(double value);

    field_type type_ = field_type::text;
    std::int64_t integer_ = 0; ///< also of booleans
    double real_ = 0;
    trawl::date date_ = {};
    std::string text_ = {};
    std::vector<std::string> list_ = {};
};

/// The value for people: a text as it is, a list with ", " between, a number that reads back as the
/// same, true or false, a date as ISO 8601.
[[nodiscard]] std::string to_string(metadata_value const& value);

/// A value with the name of its field.
struct metadata_entry {
    std::string name;
    metadata_value value;

    friend bool operator==(metadata_entry const&, metadata_entry const&) = default;
};

/// The values that a document has, in the order in which they were given; no name occurs twice. A
/// field without a value is absent. Finding a name takes O(size()).
class metadata {
public:
    metadata() = default;
    /// @throws trawl::error (duplicate_key) if a name occurs twice.
    metadata(std::initializer_list<metadata_entry> entries);

    /// Replaces the value of a name, or appends it.
    void set(std::string_view name, metadata_value value);

    /// @return false if there is no such name.
    bool erase(std::string_view name);

    /// The value of a name, or null.
    [[nodiscard]] metadata_value const* find(std::string_view name) const noexcept;

    /// The value of a name.
    /// @throws trawl::error (unknown_id) listing the names that there are.
    [[nodiscard]] metadata_value const& at(std::string_view name) const;

    [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
    [[nodiscard]] auto begin() const noexcept { return entries_.begin(); }
    [[nodiscard]] auto end() const noexcept { return entries_.end(); }

    friend bool operator==(metadata const&, metadata const&) = default;

private:
    std::vector<metadata_entry> entries_;
};

/// Checks a list of fields.
/// @throws trawl::error (invalid_argument) naming a field whose name is not allowed, or if there are
/// more than 1000; (duplicate_key) naming one that is there twice.
void validate(std::span<metadata_field const> fields);

/// The value as one of the field's type. Besides that type itself: an integer below 2^53 for a
/// float, a whole float below 2^53 for an integer, an ISO 8601 text for a date, and a text for a
/// list of one.
/// @throws trawl::error (invalid_argument) naming the field, its type and the value given, also for
/// text that is not UTF-8.
[[nodiscard]] metadata_value converted(metadata_value value, metadata_field const& field);

/// A document's metadata, each value as its field's type.
/// @throws trawl::error (unknown_id) naming an entry that is no field and listing the fields;
/// (invalid_argument) as converted().
[[nodiscard]] metadata converted(metadata const& given, std::span<metadata_field const> fields);

namespace detail {

/// In quotes, cut after some 60 bytes where a character begins.
[[nodiscard]] std::string quoted_start(std::string_view text);

/// The type and the value: 'text "3.1"', 'integer 12'.
[[nodiscard]] std::string described(metadata_value const& value);

/// The field of this name.
/// @throws trawl::error (unknown_id) listing the fields.
[[nodiscard]] metadata_field const& field_named(
    std::string_view name, std::span<metadata_field const> fields);

/// Why a list of fields is refused; no text if it is not.
struct fields_problem {
    errc code = errc::invalid_argument;
    std::string text = {};
};
[[nodiscard]] fields_problem problem_of(std::span<metadata_field const> fields);

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/collection/detail/metadata_inl.hpp>
#endif
