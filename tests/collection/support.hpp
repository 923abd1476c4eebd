// SPDX-License-Identifier: MIT
#pragma once

/// Metadata and conditions by chance, and what is true of them, worked out document by document.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <trawl/collection/condition.hpp>
#include <trawl/collection/metadata.hpp>
#include <trawl/detail/random.hpp>

namespace support {

inline std::vector<trawl::metadata_field> const fields = {{"version", trawl::text_field},
    {"tags", trawl::text_list_field}, {"pages", trawl::integer_field},
    {"price", trawl::float_field}, {"draft", trawl::bool_field}, {"published", trawl::date_field},
    {"\xC3\xA4 `name` and more", trawl::text_field}};

class metadata_by_chance {
public:
    explicit metadata_by_chance(std::uint64_t seed) : random_(seed) {}

    trawl::metadata metadata() {
        trawl::metadata made;
        for (auto const& [name, type] : fields)
            if (random_.below(4) != 0) made.set(name, value(type));
        return made;
    }

    trawl::condition condition(std::size_t depth) {
        switch (depth == 0 ? 9 : random_.below(10)) {
        case 0:
        case 1:
        case 2:
            return condition(depth - 1) && condition(depth - 1);
        case 3:
        case 4:
            return condition(depth - 1) || condition(depth - 1);
        case 5:
        case 6:
            return !condition(depth - 1);
        case 7:
            return random_.below(8) == 0 ? trawl::condition() : comparison();
        default:
            return comparison();
        }
    }

    trawl::metadata_value value(trawl::field_type type) {
        switch (type) {
        case trawl::field_type::text:
            return text();
        case trawl::field_type::text_list: {
            std::vector<std::string> list(random_.below(4));
            for (auto& element : list) element = text();
            return list;
        }
        case trawl::field_type::integer:
            return integer();
        case trawl::field_type::real:
            return real();
        case trawl::field_type::boolean:
            return random_.below(2) == 0;
        case trawl::field_type::date:
            return date();
        }
        return {};
    }

    std::size_t below(std::size_t n) { return random_.below(n); }

private:
    std::string text() {
        static std::string const texts[] = {"", "a", "ab", "abc", "b", "3.0", "3.1", "10.0",
            "\xC3\xA4", "\xE6\x9D\xB1\xE4\xBA\xAC", "e\xCC\x81", "\xC3\xA9", "\xF0\x9F\x98\x80",
            "Z", "a \"b\" \\ 'c'\n\t", std::string("a\0b", 3)};
        return texts[random_.below(std::size(texts))];
    }
    std::int64_t integer() {
        using limits = std::numeric_limits<std::int64_t>;
        constexpr std::int64_t values[] = {(limits::min)(), (limits::min)() + 1, -2, -1, 0, 1, 2, 3,
            std::int64_t{1} << 53, (std::int64_t{1} << 53) + 1, (limits::max)() - 1,
            (limits::max)()};
        return values[random_.below(std::size(values))];
    }
    double real() {
        constexpr double values[] = {0, -0.0, 1, -1, 0.1, -0.1, 1e-320, -1e-320, 1.7e308, -1.7e308,
            3, 2.9999999999999996, 3.0000000000000004};
        return values[random_.below(std::size(values))];
    }
    trawl::date date() {
        constexpr std::int64_t day = 86'400'000'000;
        constexpr std::int64_t instants[] = {trawl::date::min_microseconds,
            trawl::date::max_microseconds, -1, 0, 1, day - 1, day, day + 1, 2 * day, -day,
            12'345'678};
        if (random_.below(2) == 0)
            return trawl::date::from_days(static_cast<std::int64_t>(random_.below(4)) - 1);
        return trawl::date::from_microseconds(instants[random_.below(std::size(instants))]);
    }

    trawl::condition comparison() {
        using enum trawl::condition_op;
        auto const& [name, type] = fields[random_.below(fields.size())];
        constexpr trawl::condition_op ops[] = {equal, not_equal, less, less_equal, greater,
            greater_equal, in, not_in, contains, exists};
        for (;;) {
            auto const op = ops[random_.below(std::size(ops))];
            if (!trawl::detail::applies(op, type)) continue;
            if (op == exists) return {op, name, {}};
            auto const element =
                type == trawl::field_type::text_list ? trawl::field_type::text : type;
            std::vector<trawl::metadata_value> values(
                op == in || op == not_in ? random_.below(4) : 1);
            for (auto& each : values) each = value(element);
            return {op, name, values};
        }
    }

    trawl::detail::random random_;
};

/// How a document's value stands to that of a condition: -1, 0 or 1.
inline int compared(trawl::metadata_value const& value, trawl::metadata_value const& with) {
    auto const order = [](auto const& a, auto const& b) { return a < b ? -1 : b < a ? 1 : 0; };
    switch (value.type()) {
    case trawl::field_type::text:
        return order(value.as_text(), with.as_text());
    case trawl::field_type::integer:
        return order(value.as_integer(), with.as_integer());
    case trawl::field_type::real:
        return order(value.as_float(), with.as_float());
    case trawl::field_type::boolean:
        return order(value.as_bool(), with.as_bool());
    case trawl::field_type::date: {
        auto const at = value.as_date().microseconds();
        auto const begin = with.as_date().microseconds();
        auto const end = with.as_date().has_time() ? begin + 1 : begin + 86'400'000'000;
        return at < begin ? -1 : at >= end ? 1 : 0;
    }
    default:
        return 0;
    }
}

/// Whether the condition, whose values have their fields' types, is true of a document.
inline bool is_true(trawl::condition const& asked, trawl::metadata const& document) {
    using enum trawl::condition_op;
    bool all = true;
    bool any = false;
    for (auto const& child : asked.children()) {
        auto const so = is_true(child, document);
        all = all && so;
        any = any || so;
    }
    auto const* const value = document.find(asked.name());
    auto const is_list = value != nullptr && value->type() == trawl::field_type::text_list;
    auto const equals_any = [&] {
        for (auto const& with : asked.values()) {
            if (value == nullptr) return false;
            if (!is_list && compared(*value, with) == 0) return true;
            if (!is_list) continue;
            for (auto const& element : value->as_list())
                if (element == with.as_text()) return true;
        }
        return false;
    };
    auto const order = [&] { return compared(*value, asked.values().front()); };
    switch (asked.op()) {
    case everything:
        return true;
    case negation:
        return !any;
    case all_of:
        return all;
    case any_of:
        return any;
    case exists:
        return value != nullptr;
    case equal:
    case in:
        return equals_any();
    case not_equal:
    case not_in:
        return !equals_any();
    case contains:
        if (is_list) return equals_any();
        return value != nullptr
               && value->as_text().find(asked.values().front().as_text()) != std::string::npos;
    case less:
        return value != nullptr && order() < 0;
    case less_equal:
        return value != nullptr && order() <= 0;
    case greater:
        return value != nullptr && order() > 0;
    case greater_equal:
        return value != nullptr && order() >= 0;
    }
    return false;
}

} // namespace support
