// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of metadata.hpp.

#include <trawl/collection/metadata.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

inline constexpr std::size_t max_metadata_fields = 1000;

TRAWL_INLINE std::string quoted_start(std::string_view text) {
    constexpr std::size_t most = 60;
    if (text.size() <= most) return join('"', text, '"');
    auto end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    return join('"', text.substr(0, end), "…\"");
}

TRAWL_INLINE std::string described(metadata_value const& value) {
    auto const type = name_of(value.type());
    if (value.type() == field_type::text) return join(type, ' ', quoted_start(value.as_text()));
    if (value.type() != field_type::text_list) {
        auto const shown = to_string(value);
        auto const whole =
            value.type() == field_type::real && shown.find_first_of(".e") == shown.npos;
        return join(type, ' ', shown, whole ? ".0" : "");
    }
    constexpr std::size_t most = 3;
    auto const& list = value.as_list();
    std::string made = join(type, " [");
    for (std::size_t i = 0; i < list.size() && i < most; ++i)
        made.append(i == 0 ? "" : ", ").append(quoted_start(list[i]));
    return made.append(list.size() > most ? ", …]" : "]");
}

TRAWL_INLINE metadata_field const& field_named(
    std::string_view name, std::span<metadata_field const> fields) {
    for (auto const& field : fields)
        if (field.name == name) return field;
    std::string known;
    for (auto const& field : fields) {
        known.append(known.empty() ? "the fields are " : ", ");
        known.append(field.name).append(" (").append(name_of(field.type)).append(")");
    }
    fail(errc::unknown_id, join("there is no field ", quoted_start(name), "; ",
                               known.empty() ? "there are none" : std::string_view(known)));
}

// Where the text stops to be UTF-8, or its size.
[[nodiscard]] inline std::size_t first_not_utf8(std::string_view text) noexcept {
    std::size_t at = 0;
    while (at < text.size()) {
        auto const bytes = decode_utf8(text, at).bytes;
        if (bytes == 0) break;
        at += bytes;
    }
    return at;
}

inline void require_utf8(std::string_view text, metadata_field const& field) {
    if (auto const at = first_not_utf8(text); at != text.size()) {
        fail(errc::invalid_argument,
            join("field '", field.name, "': a text must be UTF-8, is not from byte ", at, " on"));
    }
}

TRAWL_INLINE fields_problem problem_of(std::span<metadata_field const> fields) {
    constexpr std::size_t most_bytes = 255;
    if (fields.size() > max_metadata_fields) {
        return {errc::invalid_argument,
            join("fields: there may be ", max_metadata_fields, ", given ", fields.size())};
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
        auto const& name = fields[i].name;
        auto const refused = [&](std::string_view reason) -> fields_problem {
            return {errc::invalid_argument, join("field ", quoted_start(name), ": ", reason)};
        };
        if (name.empty() || name.size() > most_bytes) return refused("a name has 1 to 255 bytes");
        if (name.front() == '$') return refused("a name must not begin with $");
        if (first_not_utf8(name) != name.size()) return refused("a name must be UTF-8");
        for (char const c : name) {
            if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
                return refused("a name must not contain control characters");
        }
        if (auto const type = static_cast<std::size_t>(fields[i].type);
            type >= enum_count<field_type>) {
            return refused(join("its type must be one of field_type, is ", type));
        }
        for (std::size_t j = 0; j < i; ++j) {
            if (fields[j].name == name) {
                return {errc::duplicate_key, join("field ", quoted_start(name),
                                                 " must be there once, is field ", j, " and ", i)};
            }
        }
    }
    return {};
}

[[noreturn]] TRAWL_COLD inline void fail_value(
    metadata_value const& value, metadata_field const& field, std::string_view reason = {}) {
    fail(errc::invalid_argument, join("field '", field.name, "' is of type ", name_of(field.type),
                                     ", given ", described(value), reason));
}

} // namespace detail

TRAWL_INLINE std::string_view name_of(field_type type) noexcept {
    constexpr std::string_view names[enum_count<field_type>] = {
        "text", "text_list", "integer", "float", "boolean", "date"};
    auto const i = static_cast<std::size_t>(type);
    return i < enum_count<field_type> ? names[i] : "unknown";
}

TRAWL_COLD TRAWL_INLINE void metadata_value::refuse_type(field_type wanted) const {
    detail::fail(errc::invalid_argument, detail::join("metadata_value: asked for ", name_of(wanted),
                                             ", is ", detail::described(*this)));
}

TRAWL_COLD TRAWL_INLINE void metadata_value::refuse_large(std::uint64_t value) {
    detail::fail(errc::invalid_argument, detail::join("metadata_value: ", value,
                                             " is above the largest integer, 9223372036854775807"));
}

TRAWL_INLINE double metadata_value::finite(double value) {
    if (!detail::is_finite(value)) {
        detail::fail(
            errc::not_finite, detail::join("metadata_value: a float must be finite, is ", value));
    }
    // By the bits: -ffast-math takes -0 for 0.
    return std::bit_cast<std::uint64_t>(value) << 1 == 0 ? 0.0 : value;
}

TRAWL_INLINE std::string to_string(metadata_value const& value) {
    switch (value.type()) {
    case field_type::text:
        return value.as_text();
    case field_type::text_list: {
        std::string made;
        for (auto const& text : value.as_list()) {
            if (&text != value.as_list().data()) made += ", ";
            made += text;
        }
        return made;
    }
    case field_type::integer:
        return detail::join(value.as_integer());
    case field_type::real:
        return detail::join(value.as_float());
    case field_type::boolean:
        return value.as_bool() ? "true" : "false";
    case field_type::date:
        return value.as_date().text();
    }
    return {};
}

TRAWL_INLINE metadata::metadata(std::initializer_list<metadata_entry> entries) {
    entries_.reserve(entries.size());
    for (auto const& entry : entries) {
        if (find(entry.name) != nullptr) {
            detail::fail(errc::duplicate_key,
                detail::join("metadata: '", entry.name, "' must have one value, has two"));
        }
        entries_.push_back(entry);
    }
}

TRAWL_INLINE void metadata::set(std::string_view name, metadata_value value) {
    for (auto& entry : entries_) {
        if (entry.name == name) {
            entry.value = std::move(value);
            return;
        }
    }
    entries_.push_back({std::string(name), std::move(value)});
}

TRAWL_INLINE bool metadata::erase(std::string_view name) {
    for (auto at = entries_.begin(); at != entries_.end(); ++at) {
        if (at->name != name) continue;
        entries_.erase(at);
        return true;
    }
    return false;
}

TRAWL_INLINE metadata_value const* metadata::find(std::string_view name) const noexcept {
    for (auto const& entry : entries_)
        if (entry.name == name) return &entry.value;
    return nullptr;
}

TRAWL_INLINE metadata_value const& metadata::at(std::string_view name) const {
    if (auto const* const found = find(name)) return *found;
    std::string names;
    for (auto const& entry : entries_) names.append(names.empty() ? "" : ", ").append(entry.name);
    detail::fail(
        errc::unknown_id, detail::join("metadata: there is no value of '", name, "', only of ",
                              names.empty() ? "nothing" : std::string_view(names)));
}

TRAWL_INLINE void validate(std::span<metadata_field const> fields) {
    auto const problem = detail::problem_of(fields);
    if (!problem.text.empty()) detail::fail(problem.code, problem.text);
}

TRAWL_INLINE metadata_value converted(metadata_value value, metadata_field const& field) {
    constexpr std::int64_t exact = std::int64_t{1} << 53;
    using enum field_type;
    if (value.type() == text) detail::require_utf8(value.as_text(), field);
    if (value.type() == text_list)
        for (auto const& element : value.as_list()) detail::require_utf8(element, field);
    if (value.type() == field.type) return value;
    if (field.type == real && value.type() == integer) {
        if (value.as_integer() < -exact || value.as_integer() > exact)
            detail::fail_value(value, field, ", which no float equals for certain");
        return static_cast<double>(value.as_integer());
    }
    if (field.type == integer && value.type() == real) {
        auto const given = value.as_float();
        if (given >= -static_cast<double>(exact) && given <= static_cast<double>(exact)
            && given == static_cast<double>(static_cast<std::int64_t>(given))) {
            return static_cast<std::int64_t>(given);
        }
    }
    if (field.type == date && value.type() == text) {
        if (auto const read = trawl::date::try_parse(value.as_text())) return *read;
        detail::fail_value(value, field, "; a date is written 2024-02-29 or 2024-02-29T12:30:00Z");
    }
    if (field.type == text_list && value.type() == text)
        return std::vector<std::string>{value.as_text()};
    detail::fail_value(value, field);
}

TRAWL_INLINE metadata converted(metadata const& given, std::span<metadata_field const> fields) {
    metadata made;
    for (auto const& entry : given)
        made.set(entry.name, converted(entry.value, detail::field_named(entry.name, fields)));
    return made;
}

TRAWL_END_NAMESPACE
