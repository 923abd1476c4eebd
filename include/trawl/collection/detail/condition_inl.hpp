// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of condition.hpp.

#include <trawl/collection/condition.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct condition_node {
    condition_op op = condition_op::everything;
    std::string name = {};
    std::vector<metadata_value> values = {};
    std::vector<condition> children = {};
    std::size_t depth = 1;
};

[[nodiscard]] TRAWL_INLINE bool applies(condition_op op, field_type type) noexcept {
    using enum condition_op;
    switch (op) {
    case less:
    case less_equal:
    case greater:
    case greater_equal:
        return type != field_type::text_list && type != field_type::boolean;
    case equal:
    case not_equal:
        return type != field_type::text_list;
    case contains:
        return type == field_type::text || type == field_type::text_list;
    default:
        return true;
    }
}

[[nodiscard]] TRAWL_INLINE metadata_value compared_value(
    condition_op op, metadata_value const& value, metadata_field const& field) {
    if (field.type == field_type::text_list || op == condition_op::contains) {
        if (value.type() != field_type::text) {
            fail(errc::invalid_argument,
                join("field '", field.name, "' is of type ", name_of(field.type),
                    ", of which a text is asked, given ", described(value)));
        }
        return converted(value, {field.name, field_type::text});
    }
    return converted(value, field);
}

// A node with its depth, which must be allowed.
[[nodiscard]] inline std::shared_ptr<condition_node const> node_over(
    condition_op op, std::vector<condition> children) {
    std::size_t deepest = 0;
    for (auto const& child : children)
        if (child.depth() > deepest) deepest = child.depth();
    if (deepest >= condition::max_depth) {
        fail(errc::invalid_argument, join("condition: may be nested ", condition::max_depth,
                                         " deep, is nested ", deepest + 1));
    }
    return std::make_shared<condition_node const>(
        condition_node{.op = op, .children = std::move(children), .depth = deepest + 1});
}

} // namespace detail

TRAWL_INLINE std::string_view name_of(condition_op op) noexcept {
    constexpr std::string_view names[enum_count<condition_op>] = {"everything", "equal",
        "not_equal", "less", "less_equal", "greater", "greater_equal", "in", "not_in", "contains",
        "exists", "all_of", "any_of", "negation"};
    auto const i = static_cast<std::size_t>(op);
    return i < enum_count<condition_op> ? names[i] : "unknown";
}

TRAWL_INLINE condition::condition(std::shared_ptr<detail::condition_node const> node) noexcept
    : node_(std::move(node)) {}

TRAWL_INLINE condition::condition(
    condition_op op, std::string name, std::vector<metadata_value> values) {
    using enum condition_op;
    if (op == everything || op >= all_of) {
        detail::fail(errc::invalid_argument,
            detail::join("condition: ", name_of(op), " is no comparison of a field"));
    }
    if (name.empty())
        detail::fail(errc::invalid_argument, "condition: the name of the field is empty");
    auto const wanted = op == exists ? std::size_t{0} : std::size_t{1};
    if (op != in && op != not_in && values.size() != wanted) {
        detail::fail(
            errc::invalid_argument, detail::join("condition on field '", name, "': ", name_of(op),
                                        " takes ", wanted, " values, given ", values.size()));
    }
    for (auto const& value : values) {
        if (value.type() == field_type::text_list) {
            detail::fail(errc::invalid_argument,
                detail::join("condition on field '", name,
                    "': a list is asked for by contains or in, given ", detail::described(value)));
        }
    }
    node_ = std::make_shared<detail::condition_node const>(
        detail::condition_node{.op = op, .name = std::move(name), .values = std::move(values)});
}

TRAWL_INLINE condition_op condition::op() const noexcept {
    return node_ == nullptr ? condition_op::everything : node_->op;
}

TRAWL_INLINE std::string const& condition::name() const noexcept {
    static std::string const none;
    return node_ == nullptr ? none : node_->name;
}

TRAWL_INLINE std::span<metadata_value const> condition::values() const noexcept {
    if (node_ == nullptr) return {};
    return node_->values;
}

TRAWL_INLINE std::span<condition const> condition::children() const noexcept {
    if (node_ == nullptr) return {};
    return node_->children;
}

TRAWL_INLINE std::size_t condition::depth() const noexcept {
    return node_ == nullptr ? 1 : node_->depth;
}

TRAWL_INLINE condition condition::joined(condition_op op, condition const& a, condition const& b) {
    condition const both[] = {a, b};
    return op == condition_op::all_of ? trawl::all_of(both) : trawl::any_of(both);
}

TRAWL_INLINE condition condition::negated(condition const& a) {
    if (a.op() == condition_op::negation) return a.children().front();
    return condition(detail::node_over(condition_op::negation, {a}));
}

TRAWL_INLINE bool condition::same(condition const& a, condition const& b) {
    if (a.node_ == b.node_) return true;
    if (a.node_ == nullptr || b.node_ == nullptr) return false;
    return a.node_->op == b.node_->op && a.node_->name == b.node_->name
           && a.node_->values == b.node_->values && a.node_->children == b.node_->children;
}

TRAWL_INLINE condition condition::of(condition_op op, std::span<condition const> conditions) {
    // What decides nothing is left out; chains of the same operator are one node, however long.
    std::vector<condition> children;
    for (auto const& each : conditions) {
        if (each.op() == condition_op::everything) {
            if (op == condition_op::any_of) return {};
        } else if (each.op() == op) {
            children.insert(children.end(), each.children().begin(), each.children().end());
        } else {
            children.push_back(each);
        }
    }
    if (children.size() == 1) return children.front();
    if (!children.empty()) return condition(detail::node_over(op, std::move(children)));
    return op == condition_op::all_of ? condition() : !condition();
}

TRAWL_INLINE condition all_of(std::span<condition const> conditions) {
    return condition::of(condition_op::all_of, conditions);
}

TRAWL_INLINE condition any_of(std::span<condition const> conditions) {
    return condition::of(condition_op::any_of, conditions);
}

TRAWL_INLINE condition field::compared(condition_op op, metadata_value value) const {
    std::vector<metadata_value> values;
    values.push_back(std::move(value));
    return {op, name_, std::move(values)};
}

TRAWL_INLINE void validate(condition const& asked, std::span<metadata_field const> fields) {
    for (auto const& child : asked.children()) validate(child, fields);
    if (asked.name().empty()) return;
    auto const& field = detail::field_named(asked.name(), fields);
    if (!detail::applies(asked.op(), field.type)) {
        detail::fail(errc::invalid_argument,
            detail::join("field '", field.name, "' is of type ", name_of(field.type), ", to which ",
                name_of(asked.op()), " does not apply",
                field.type == field_type::text_list ? "; use contains or in" : ""));
    }
    for (auto const& value : asked.values())
        static_cast<void>(detail::compared_value(asked.op(), value, field));
}

TRAWL_END_NAMESPACE
