// SPDX-License-Identifier: MIT
#include "json_metadata.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <trawl/collection/date.hpp>
#include <trawl/error.hpp>

#include "words.hpp"

namespace cli {
namespace {

using json = json_metadata::json;

bool is_scalar(json const& value) {
    return value.is_string() || value.is_boolean() || value.is_number();
}

bool is_text_list(json const& value) {
    return value.is_array() && std::all_of(value.begin(), value.end(), [](json const& item) {
        return item.is_string();
    });
}

bool fits_integer(json const& value) {
    return value.is_number_integer()
           && (!value.is_number_unsigned()
               || value.get<std::uint64_t>() <= std::uint64_t{INT64_MAX});
}

bool is_date(json const& value) {
    return value.is_string() && trawl::date::try_parse(value.get_ref<std::string const&>());
}

std::string text_of(json const& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

// The value as what JSON says it is; the library converts it to the field's type.
trawl::metadata_value value_of(json const& value, trawl::field_type type) {
    if (type == trawl::text_field) return text_of(value);
    if (value.is_array()) return value.get<std::vector<std::string>>();
    if (type == trawl::text_list_field) return std::vector<std::string>{text_of(value)};
    if (value.is_boolean()) return value.get<bool>();
    if (fits_integer(value)) return value.get<std::int64_t>();
    if (value.is_number()) return value.get<double>();
    return value.get<std::string>();
}

} // namespace

void json_metadata::add(std::string const& name, json const& value) {
    if (!is_scalar(value) && !is_text_list(value)) return;
    auto& document = documents_.back();
    for (auto const& member : document) {
        if (member.first == name) return;
    }
    document.emplace_back(name, value);
    auto const known = seen_.find(name);
    if (known == seen_.end()) order_.push_back(name);
    auto& so_far = seen_[name];
    so_far.boolean = so_far.boolean && value.is_boolean();
    so_far.integer = so_far.integer && fits_integer(value);
    so_far.number = so_far.number && value.is_number();
    so_far.date = so_far.date && is_date(value);
    so_far.list = so_far.list || value.is_array();
}

void json_metadata::add_members(json const& object, std::span<std::string_view const> left_out) {
    for (auto const& [name, value] : object.items()) {
        if (std::find(left_out.begin(), left_out.end(), name) == left_out.end()) add(name, value);
    }
    auto const inner = object.find("metadata");
    if (inner == object.end() || !inner->is_object()) return;
    for (auto const& [name, value] : inner->items()) add(name, value);
}

std::vector<trawl::metadata_field> json_metadata::fields(
    std::span<trawl::metadata_field const> known) const {
    std::vector<trawl::metadata_field> out(known.begin(), known.end());
    for (auto const& name : order_) {
        auto const settled = std::any_of(known.begin(), known.end(),
            [&](trawl::metadata_field const& field) { return field.name == name; });
        if (settled) continue;
        auto const& all = seen_.find(name)->second;
        out.push_back({name, all.list      ? trawl::text_list_field
                             : all.boolean ? trawl::bool_field
                             : all.integer ? trawl::integer_field
                             : all.number  ? trawl::float_field
                             : all.date    ? trawl::date_field
                                           : trawl::text_field});
    }
    return out;
}

std::vector<trawl::metadata> json_metadata::rows(
    std::span<trawl::metadata_field const> fields) const {
    std::vector<trawl::metadata> out;
    for (auto const& document : documents_) {
        auto& row = out.emplace_back();
        for (auto const& [name, value] : document) {
            auto const field = std::find_if(fields.begin(), fields.end(),
                [&, &wanted = name](auto const& f) { return f.name == wanted; });
            if (field == fields.end()) continue;
            try {
                row.set(name, trawl::converted(value_of(value, field->type), *field));
            } catch (trawl::error const& e) {
                throw trawl::error(e.code(), joined("document ", out.size(), ": ", e.what()));
            }
        }
    }
    return out;
}

} // namespace cli
