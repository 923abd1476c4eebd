// SPDX-License-Identifier: MIT
#pragma once

/// Reads conditions from JSON, and writes them.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/collection/condition.hpp>
#include <trawl/collection/metadata_json.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/formats/json.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class condition_json_reader {
public:
    using json = nlohmann::ordered_json;

    [[nodiscard]] static condition parse(std::string_view text) {
        condition_json_reader reader;
        return reader.read(reader.parsed(text));
    }

    [[nodiscard]] condition read(json const& asked) { return object(asked); }

private:
    // What is read at the moment, as a JSON pointer; restored at the end.
    class inside {
    public:
        inside(condition_json_reader& reader, std::string_view member)
            : reader_(reader), before_(reader.path_.size()) {
            reader_.path_.push_back('/');
            for (char const c : member) {
                if (c == '~') {
                    reader_.path_.append("~0");
                } else if (c == '/') {
                    reader_.path_.append("~1");
                } else {
                    reader_.path_.push_back(c);
                }
            }
        }
        inside(condition_json_reader& reader, std::size_t element)
            : inside(reader, join(element)) {}
        inside(inside const&) = delete;
        inside& operator=(inside const&) = delete;
        ~inside() { reader_.path_.resize(before_); }

    private:
        condition_json_reader& reader_;
        std::size_t before_;
    };

    [[noreturn]] TRAWL_COLD void refuse(std::string_view reason) const {
        fail(errc::parse, join("condition, at ", path_.empty() ? "\"\"" : path_, ": ", reason));
    }

    // Containers are not printed: they may be deep.
    [[nodiscard]] static std::string shown(json const& value) {
        if (value.is_object()) return value.empty() ? "{}" : "an object";
        if (value.is_array()) return value.empty() ? "[]" : "an array";
        if (value.is_string()) return quoted_start(value.get_ref<std::string const&>());
        return value.dump();
    }

    [[noreturn]] TRAWL_COLD void expect(std::string_view wanted, json const& found) const {
        refuse(join("must be ", wanted, ", is ", shown(found)));
    }

    [[nodiscard]] json parsed(std::string_view text) {
        // Each level of a condition is an object and perhaps an array; a field's operators are another.
        constexpr int deepest = 2 * static_cast<int>(condition::max_depth) + 2;
        std::vector<std::vector<std::string>> names; // of the objects that are open
        auto const watch = [&](int depth, json::parse_event_t event, json& value) {
            if (depth > deepest) refuse_depth();
            if (event == json::parse_event_t::object_start) {
                names.emplace_back();
            } else if (event == json::parse_event_t::object_end) {
                names.pop_back();
            } else if (event == json::parse_event_t::key) {
                auto const& name = value.get_ref<std::string const&>();
                for (auto const& known : names.back())
                    if (known == name)
                        refuse(join("an object has the member ", quoted_start(name), " twice"));
                names.back().push_back(name);
            }
            return true;
        };
#if TRAWL_HAS_EXCEPTIONS
        try {
            return json::parse(text, watch);
        } catch (nlohmann::json::exception const& e) {
            fail(errc::parse, join("condition: ", json_reason(e.what())));
        }
#else
        auto made = json::parse(text, watch, false);
        if (made.is_discarded()) fail(errc::parse, "condition: is no JSON");
        return made;
#endif
    }

    [[noreturn]] TRAWL_COLD void refuse_depth() const {
        refuse(join("a condition may be nested ", condition::max_depth, " deep, not deeper"));
    }

    void enter() {
        // The operators of a field are an object of their own.
        if (++levels_ > condition::max_depth + 1) refuse_depth();
    }

    [[nodiscard]] condition joined(
        condition_op op, std::vector<condition> const& conditions) const {
        if (conditions.size() == 1) return conditions.front();
        for (auto const& each : conditions)
            if (each.depth() >= condition::max_depth) refuse_depth();
        return op == condition_op::all_of ? all_of(conditions) : any_of(conditions);
    }
    [[nodiscard]] condition negated(condition const& asked) const {
        if (asked.depth() >= condition::max_depth) refuse_depth();
        return !asked;
    }

    [[nodiscard]] condition object(json const& asked) {
        if (!asked.is_object()) expect("an object", asked);
        enter();
        std::vector<condition> conditions;
        for (auto const& [name, value] : asked.items()) {
            inside const here(*this, name);
            conditions.push_back(member(name, value));
        }
        --levels_;
        return joined(condition_op::all_of, conditions);
    }

    [[nodiscard]] condition member(std::string const& name, json const& value) {
        if (name == "$and") return list(condition_op::all_of, value, false);
        if (name == "$or") return list(condition_op::any_of, value, false);
        if (name == "$not") return negated(object(value));
        // A field may have one of these names: then its value is no array and no condition.
        if (name == "must" && is_clause(value)) return list(condition_op::all_of, value, true);
        if (name == "should" && is_clause(value)) return list(condition_op::any_of, value, true);
        if (name == "must_not" && is_clause(value))
            return negated(list(condition_op::any_of, value, true));
        if (name.starts_with('$'))
            refuse("there is no such operator here, only $and, $or and $not");
        if (name.empty()) refuse("the name of a field is empty");
        if (value.is_object()) return operators(name, value);
        if (value.is_array()) refuse("a field is compared with several values by {\"$in\": [ … ]}");
        if (value.is_null())
            refuse("null is no value; {\"$exists\": false} asks for documents without one");
        return {condition_op::equal, name, {scalar(value)}};
    }

    [[nodiscard]] static bool is_clause(json const& value) {
        return value.is_array()
               || (value.is_object() && !value.empty() && !value.begin().key().starts_with('$'));
    }

    [[nodiscard]] condition list(condition_op op, json const& value, bool qdrant) {
        if (qdrant && value.is_object()) return clause(value);
        if (!value.is_array()) expect("an array of conditions", value);
        if (value.empty()) refuse("must have at least one condition, has none");
        std::vector<condition> conditions;
        for (std::size_t i = 0; i < value.size(); ++i) {
            inside const here(*this, i);
            conditions.push_back(qdrant ? clause(value[i]) : object(value[i]));
        }
        return joined(op, conditions);
    }

    [[nodiscard]] condition operators(std::string const& name, json const& asked) {
        if (asked.empty()) refuse("must have an operator, such as $eq; has none");
        enter();
        std::vector<condition> conditions;
        for (auto const& [op, value] : asked.items()) {
            inside const here(*this, op);
            conditions.push_back(operation(name, op, value));
        }
        --levels_;
        return joined(condition_op::all_of, conditions);
    }

    [[nodiscard]] condition operation(
        std::string const& name, std::string_view op, json const& value) {
        using enum condition_op;
        struct named {
            std::string_view name;
            condition_op op;
        };
        for (auto const& [known, meaning] : {named{"$eq", equal}, {"$ne", not_equal},
                 {"$gt", greater}, {"$gte", greater_equal}, {"$lt", less}, {"$lte", less_equal}}) {
            if (op == known) return {meaning, name, {scalar(value)}};
        }
        if (op == "$in") return {in, name, scalars(value)};
        if (op == "$nin") return {not_in, name, scalars(value)};
        if (op == "$contains") return {contains, name, {text(value)}};
        if (op == "$not_contains") return negated({contains, name, {text(value)}});
        if (op == "$exists") {
            if (!value.is_boolean()) expect("true or false", value);
            condition const made(exists, name, {});
            return value.get<bool>() ? made : negated(made);
        }
        if (op == "$not") {
            if (!value.is_object()) expect("an object of operators", value);
            return negated(operators(name, value));
        }
        refuse(
            "there is no such operator, only $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $contains, "
            "$not_contains, $exists and $not");
    }

    [[nodiscard]] metadata_value scalar(json const& value) const {
        if (value.is_string()) return text(value);
        if (value.is_boolean()) return value.get<bool>();
        if (value.is_number_unsigned()) {
            constexpr auto largest =
                static_cast<std::uint64_t>((std::numeric_limits<std::int64_t>::max)());
            if (value.get<std::uint64_t>() > largest)
                expect("an integer below 2^63, or a float", value);
        }
        if (value.is_number_integer()) return value.get<std::int64_t>();
        if (value.is_number_float()) {
            if (!is_finite(value.get<double>())) expect("a finite number", value);
            return value.get<double>();
        }
        expect("a text, a number, true or false", value);
    }

    [[nodiscard]] metadata_value text(json const& value) const {
        if (!value.is_string()) expect("a text", value);
        return value.get<std::string>();
    }

    [[nodiscard]] std::vector<metadata_value> scalars(json const& value) {
        if (!value.is_array()) expect("an array of values", value);
        std::vector<metadata_value> made;
        for (std::size_t i = 0; i < value.size(); ++i) {
            inside const here(*this, i);
            made.push_back(scalar(value[i]));
        }
        return made;
    }

    // A condition of Qdrant's, or one of ours.
    [[nodiscard]] condition clause(json const& asked) {
        if (!asked.is_object()) expect("an object", asked);
        if (asked.contains("is_empty") && asked["is_empty"].is_object() && asked.size() == 1) {
            inside const here(*this, "is_empty");
            return negated({condition_op::exists, key(asked["is_empty"], 1), {}});
        }
        if (asked.contains("key") && asked.contains("match")) {
            auto const name = key(asked, 2);
            inside const here(*this, "match");
            return match(name, asked["match"]);
        }
        if (asked.contains("key") && asked.contains("range")) {
            auto const name = key(asked, 2);
            inside const here(*this, "range");
            return range(name, asked["range"]);
        }
        return object(asked);
    }

    [[nodiscard]] std::string key(json const& asked, std::size_t members) {
        for (auto const& [name, value] : asked.items()) {
            if (name == "key" || name == "match" || name == "range") continue;
            inside const here(*this, name);
            refuse("is no member of such a condition");
        }
        if (asked.size() != members) refuse("must have a key, and one of match and range");
        inside const here(*this, "key");
        auto const& value = asked["key"];
        if (!value.is_string() || value.get_ref<std::string const&>().empty())
            expect("the name of a field", value);
        return value.get<std::string>();
    }

    // Of a list, Qdrant's match asks for one element: so does `in`.
    [[nodiscard]] condition match(std::string const& name, json const& asked) {
        if (!asked.is_object() || asked.size() != 1)
            expect("an object with one of value, any and text", asked);
        auto const& value = asked.begin().value();
        inside const here(*this, asked.begin().key());
        if (asked.contains("value")) return {condition_op::in, name, {scalar(value)}};
        if (asked.contains("any")) return {condition_op::in, name, scalars(value)};
        if (asked.contains("text")) return {condition_op::contains, name, {text(value)}};
        refuse("there is no such match, only value, any and text");
    }

    [[nodiscard]] condition range(std::string const& name, json const& asked) {
        if (!asked.is_object()) expect("an object", asked);
        std::vector<condition> conditions;
        for (auto const& [side, value] : asked.items()) {
            inside const here(*this, side);
            if (side != "gt" && side != "gte" && side != "lt" && side != "lte")
                refuse("there is no such bound, only gt, gte, lt and lte");
            if (!value.is_null()) conditions.push_back(operation(name, join('$', side), value));
        }
        if (conditions.empty()) refuse("must have a bound, has none");
        return joined(condition_op::all_of, conditions);
    }

    std::string path_ = {};
    std::size_t levels_ = 0;
};

template <class Json>
[[nodiscard]] Json json_of(condition const& asked) {
    using enum condition_op;
    constexpr std::string_view names[] = {"", "$eq", "$ne", "$lt", "$lte", "$gt", "$gte", "$in",
        "$nin", "$contains", "$exists", "$and", "$or"};
    auto const name = asked.op() == negation
                          ? std::string("$not")
                          : std::string(names[static_cast<std::size_t>(asked.op())]);
    Json made = Json::object();
    switch (asked.op()) {
    case everything:
        break;
    case negation:
        made[name] = json_of<Json>(asked.children().front());
        break;
    case all_of:
    case any_of: {
        auto& list = made[name] = Json::array();
        for (auto const& child : asked.children()) list.push_back(json_of<Json>(child));
        break;
    }
    case exists:
        made[asked.name()][name] = true;
        break;
    case in:
    case not_in: {
        auto& list = made[asked.name()][name] = Json::array();
        for (auto const& value : asked.values()) list.push_back(Json(value));
        break;
    }
    default:
        made[asked.name()][name] = Json(asked.values().front());
    }
    return made;
}

} // namespace detail
TRAWL_END_NAMESPACE
