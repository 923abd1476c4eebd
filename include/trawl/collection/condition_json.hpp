// SPDX-License-Identifier: MIT
#pragma once

/// Conditions as JSON, in the way of Chroma and MongoDB, and in Qdrant's. By nlohmann/json.
///
///     {"version": "3.1", "pages": {"$gte": 5, "$lt": 20}, "$or": [{"tags": {"$contains": "api"}},
///                                                                {"draft": {"$ne": true}}]}

#include <string_view>

#include <trawl/collection/condition.hpp>
#include <trawl/collection/detail/condition_json_reader.hpp>
#include <trawl/formats/json.hpp>

TRAWL_BEGIN_NAMESPACE

/// Reads a condition. All members of an object must be true.
///
///     {"FIELD": VALUE}       the same as {"FIELD": {"$eq": VALUE}}
///     {"FIELD": {"$OP": …}}  $eq, $ne, $gt, $gte, $lt, $lte: a value; $in, $nin: an array of values;
///                            $contains, $not_contains: a text; $exists: true or false; $not: an object
///                            of such operators
///     {"$and": [C, …]}, {"$or": [C, …]}, {"$not": C}      C: a condition
///     {"must": [Q, …], "should": [Q, …], "must_not": [Q, …]}, with arrays or a single Q: a condition, or
///                            Qdrant's {"key": FIELD, "match": {"value" | "any" | "text": …}}, {"key":
///                            FIELD, "range": {"gt" | "gte" | "lt" | "lte": VALUE or null}}, or
///                            {"is_empty": {"key": FIELD}}
///
/// A value is a text, a number, true or false; a date is a text. The empty object is true of every
/// document. A condition may be nested condition::max_depth deep.
/// @throws trawl::error (parse), its text beginning "condition, at POINTER: " with a JSON pointer, "" for
/// the whole, saying what was expected; also for an object that has a member twice.
[[nodiscard]] inline condition parse_json_condition(std::string_view text) {
    return detail::condition_json_reader::parse(text);
}

/// As parse_json_condition(), of JSON in memory.
[[nodiscard]] inline condition json_condition(nlohmann::ordered_json const& asked) {
    return detail::condition_json_reader().read(asked);
}

/// The condition as JSON, in Chroma's operators: json_condition() reads it back as an equal one, but for
/// dates, which become texts.
template <class Json>
void to_json(Json& out, condition const& asked) {
    out = detail::json_of<Json>(asked);
}

TRAWL_END_NAMESPACE
