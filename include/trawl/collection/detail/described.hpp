// SPDX-License-Identifier: MIT
#pragma once

/// What error messages say of values and fields.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <trawl/collection/metadata.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// In quotes, cut after some 60 bytes where a character begins.
[[nodiscard]] inline std::string quoted_start(std::string_view text) {
    constexpr std::size_t most = 60;
    if (text.size() <= most) return join('"', text, '"');
    auto end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    return join('"', text.substr(0, end), "…\"");
}

/// The type and the value: 'text "3.1"', 'integer 12'.
[[nodiscard]] inline std::string described(metadata_value const& value) {
    auto const type = name_of(value.type());
    if (value.type() == field_type::text) return join(type, ' ', quoted_start(value.as_text()));
    if (value.type() != field_type::text_list) return join(type, ' ', to_string(value));
    constexpr std::size_t most = 3;
    auto const& list = value.as_list();
    std::string made = join(type, " [");
    for (std::size_t i = 0; i < list.size() && i < most; ++i)
        made.append(i == 0 ? "" : ", ").append(quoted_start(list[i]));
    return made.append(list.size() > most ? ", …]" : "]");
}

/// The field of this name.
/// @throws trawl::error (unknown_id) listing the fields.
[[nodiscard]] inline metadata_field const& field_named(
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

} // namespace detail
TRAWL_END_NAMESPACE
