// SPDX-License-Identifier: MIT
#pragma once

/// Metadata and fields as JSON, for exports, imports and requests. By nlohmann/json.
///
///     {"version": "3.1", "tags": ["api", "refunds"], "pages": 12, "published": "2024-02-29"}

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/collection/metadata.hpp>
#include <trawl/error.hpp>
#include <trawl/formats/json.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[noreturn]] TRAWL_COLD inline void fail_metadata(
    std::string_view place, std::string_view reason, nlohmann::ordered_json const& found) {
    auto const shown = found.is_array()    ? std::string("an array")
                       : found.is_object() ? std::string("an object")
                                           : found.dump(-1, ' ', false,
                                               nlohmann::ordered_json::error_handler_t::replace);
    fail(errc::parse, join("metadata, at ", place, ": ", reason, ", is ", shown));
}

[[nodiscard]] inline metadata_value value_of_json(
    std::string_view name, nlohmann::ordered_json const& given) {
    if (given.is_string()) return given.get<std::string>();
    if (given.is_boolean()) return given.get<bool>();
    if (given.is_number_float()) return given.get<double>();
    if (given.is_number_unsigned()
        && given.get<std::uint64_t>()
               > static_cast<std::uint64_t>((std::numeric_limits<std::int64_t>::max)())) {
        fail_metadata(join('/', name), "an integer must be below 2^63", given);
    }
    if (given.is_number()) return given.get<std::int64_t>();
    if (!given.is_array()) {
        fail_metadata(join('/', name),
            "a value must be a text, an array of texts, a number, true or false", given);
    }
    std::vector<std::string> list;
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (!given[i].is_string())
            fail_metadata(join('/', name, '/', i), "an element must be a text", given[i]);
        list.push_back(given[i].get<std::string>());
    }
    return list;
}

} // namespace detail

/// A value: a date becomes ISO 8601 text.
template <class Json>
void to_json(Json& out, metadata_value const& value) {
    switch (value.type()) {
    case field_type::integer:
        out = value.as_integer();
        break;
    case field_type::real:
        out = value.as_float();
        break;
    case field_type::boolean:
        out = value.as_bool();
        break;
    case field_type::text_list:
        out = value.as_list();
        break;
    default:
        out = to_string(value);
    }
}

/// {"version": "3.1", …}
template <class Json>
void to_json(Json& out, metadata const& given) {
    out = Json::object();
    for (auto const& entry : given) out[entry.name] = Json(entry.value);
}

/// The metadata of a JSON object; a member that is null is no entry. What to_json() wrote and
/// converted() reads with the same fields is what it was.
/// @throws trawl::error (parse), its text beginning "metadata, at /NAME: ".
[[nodiscard]] inline metadata json_metadata(nlohmann::ordered_json const& given) {
    if (!given.is_object()) detail::fail_metadata("\"\"", "must be an object", given);
    metadata made;
    for (auto const& [name, value] : given.items())
        if (!value.is_null()) made.set(name, detail::value_of_json(name, value));
    return made;
}

/// {"version": "text", "tags": "text_list", …}
[[nodiscard]] inline nlohmann::ordered_json fields_as_json(std::span<metadata_field const> fields) {
    auto made = nlohmann::ordered_json::object();
    for (auto const& [name, type] : fields) made[name] = std::string(name_of(type));
    return made;
}

/// The fields of such an object, in its order.
/// @throws trawl::error (parse), its text beginning "metadata, at /NAME: "; as validate(fields).
[[nodiscard]] inline std::vector<metadata_field> json_metadata_fields(
    nlohmann::ordered_json const& given) {
    if (!given.is_object()) detail::fail_metadata("\"\"", "must be an object", given);
    std::vector<metadata_field> fields;
    for (auto const& [name, type] : given.items()) {
        std::size_t at = 0;
        while (
            at < enum_count<field_type>
            && !(type.is_string()
                 && type.get_ref<std::string const&>() == name_of(static_cast<field_type>(at)))) {
            ++at;
        }
        if (at == enum_count<field_type>) {
            detail::fail_metadata(detail::join('/', name),
                "a type must be text, text_list, integer, float, boolean or date", type);
        }
        fields.push_back({name, static_cast<field_type>(at)});
    }
    validate(fields);
    return fields;
}

TRAWL_END_NAMESPACE
