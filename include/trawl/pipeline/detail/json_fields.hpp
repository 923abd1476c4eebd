// SPDX-License-Identifier: MIT
#pragma once

/// The members of a JSON object, read one by one.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/enum_count.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/formats/json.hpp>

TRAWL_BEGIN_NAMESPACE

/// The members of one JSON object, as a description reads them: each by name, with its default
/// where it is absent. Remembers what it read, defaults filled in, and refuses what nobody read.
class json_fields {
public:
    using json = nlohmann::ordered_json;

    /// @param where  Names the object in messages: "pipeline.stages[1]".
    /// @throws trawl::error (parse) if it is no object.
    json_fields(json const& object, std::string where)
        : object_(&object), where_(std::move(where)) {
        if (!object.is_object()) refuse("", "an object", object);
    }

    /// Reads a member into value, which is its default.
    /// @throws trawl::error (parse) naming the member if it has another type or is out of its
    /// type's range.
    template <class T>
    void read(std::string_view name, T& value) {
        if (auto const* const found = find(name)) convert(name, *found, value);
        if (auto out = as_json(value); !out.is_null()) read_[std::string(name)] = std::move(out);
    }

    /// Reads one of an enum's values by its name.
    template <class Enum>
        requires(enum_count<Enum> > 0)
    void read(std::string_view name, Enum& value) {
        if (auto const* const found = find(name)) value = named<Enum>(name, *found);
        read_[std::string(name)] = std::string(name_of(value));
    }

    /// Reads a list of them.
    template <class Enum>
        requires(enum_count<Enum> > 0)
    void read(std::string_view name, std::vector<Enum>& values) {
        if (auto const* const found = find(name)) {
            if (!found->is_array()) refuse(name, "a list", *found);
            values.clear();
            for (auto const& item : *found) values.push_back(named<Enum>(name, item));
        }
        auto& out = read_[std::string(name)] = json::array();
        for (auto const value : values) out.push_back(std::string(name_of(value)));
    }

    [[nodiscard]] bool has(std::string_view name) const {
        return object_->contains(std::string(name));
    }
    /// The member as it stands; it counts as read.
    [[nodiscard]] json const* find(std::string_view name) {
        known_.emplace_back(name);
        auto const at = object_->find(std::string(name));
        return at == object_->end() ? nullptr : &*at;
    }
    void write(std::string_view name, json value) { read_[std::string(name)] = std::move(value); }
    [[nodiscard]] std::string const& where() const noexcept { return where_; }

    /// What was read, all defaults filled in.
    /// @throws trawl::error (parse) naming a member that nobody read.
    [[nodiscard]] json finish() const {
        for (auto const& [name, value] : object_->items()) {
            if (std::find(known_.begin(), known_.end(), name) == known_.end())
                detail::fail(errc::parse, detail::join(where_, ": unknown field '", name, "'"));
        }
        return read_;
    }

    [[noreturn]] void refuse(
        std::string_view name, std::string_view wanted, json const& found) const {
        detail::fail(
            errc::parse, detail::join(where_, name.empty() ? "" : ".", name, " must be ", wanted,
                             ", is ", found.dump(-1, ' ', false, json::error_handler_t::replace)));
    }

private:
    void convert(std::string_view name, json const& found, bool& value) const {
        if (!found.is_boolean()) refuse(name, "true or false", found);
        value = found.get<bool>();
    }
    void convert(std::string_view name, json const& found, double& value) const {
        if (!found.is_number()) refuse(name, "a number", found);
        value = found.get<double>();
    }
    void convert(std::string_view name, json const& found, std::size_t& value) const {
        if (!found.is_number_unsigned()) refuse(name, "a whole number >= 0", found);
        value = static_cast<std::size_t>(found.get<std::uint64_t>());
    }
    void convert(std::string_view name, json const& found, std::string& value) const {
        if (!found.is_string()) refuse(name, "a text", found);
        value = found.get<std::string>();
    }
    void convert(std::string_view name, json const& found, std::vector<double>& values) const {
        if (!found.is_array()) refuse(name, "a list of numbers", found);
        values.clear();
        for (auto const& item : found) convert(name, item, values.emplace_back());
    }
    void convert(std::string_view name, json const& found, std::optional<double>& value) const {
        if (found.is_null()) {
            value.reset();
        } else {
            convert(name, found, value.emplace());
        }
    }

    // Null where JSON has no way to write it, which is then the default: no limit, no value.
    template <class T>
    [[nodiscard]] static json as_json(T const& value) {
        if constexpr (std::same_as<T, double>) {
            return detail::is_finite(value) ? json(value) : json();
        } else if constexpr (std::same_as<T, std::size_t>) {
            return value == (std::numeric_limits<std::size_t>::max)() ? json() : json(value);
        } else if constexpr (std::same_as<T, std::optional<double>>) {
            return value ? json(*value) : json();
        } else {
            return json(value);
        }
    }

    template <class Enum>
    [[nodiscard]] Enum named(std::string_view name, json const& found) const {
        std::string all;
        for (std::size_t i = 0; i < enum_count<Enum>; ++i) {
            auto const value = static_cast<Enum>(i);
            if (found.is_string() && found.get_ref<std::string const&>() == name_of(value))
                return value;
            all += detail::join(i > 0 ? ", " : "", name_of(value));
        }
        refuse(name, detail::join("one of ", all), found);
    }

    json const* object_;
    std::string where_;
    std::vector<std::string> known_;
    json read_ = json::object();
};

TRAWL_END_NAMESPACE
