// SPDX-License-Identifier: MIT
#pragma once

/// Conditions on the metadata of documents, as C++ expressions:
///
///     trawl::field("version") == "3.1" && trawl::field("tags").contains("api")
///         && !(trawl::field("published") < trawl::date(2024, 1, 1))
///
/// condition_json.hpp and condition_text.hpp read and write them.

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/collection/metadata.hpp>
#include <trawl/config.hpp>
#include <trawl/core/enum_count.hpp>

TRAWL_BEGIN_NAMESPACE

enum class condition_op : unsigned char {
    everything, ///< true of every document
    equal,
    not_equal,
    less,
    less_equal,
    greater,
    greater_equal,
    in,       ///< equal to one of the values; of a list: contains one of them
    not_in,   ///< the negation of in
    contains, ///< a list: has this text as an element; a text: has it somewhere inside
    exists,   ///< the document has a value of the field
    all_of,
    any_of,
    negation,
};

template <>
inline constexpr std::size_t enum_count<condition_op> = 14;

/// "everything", "equal", "not_equal", …
[[nodiscard]] std::string_view name_of(condition_op op) noexcept;

namespace detail {
struct condition_node;
/// Whether an operator may be asked of fields of a type.
[[nodiscard]] bool applies(condition_op op, field_type type) noexcept;
/// A value of a condition, converted to the type that it is compared with: the field's, or that of
/// a list field's elements.
/// @throws trawl::error (invalid_argument), as converted().
[[nodiscard]] metadata_value compared_value(
    condition_op op, metadata_value const& value, metadata_field const& field);
} // namespace detail

/// What must be true of a document. The default condition is true of every document. A condition is
/// a tree; copies share it.
///
/// *Missing values.* Of a document without a value of the field, every comparison is false, but !=
/// and not_in() are true: they are exactly the negations of == and in(), as in Chroma (0.5.12 and
/// later) and Qdrant's must_not. Add field(…).exists() to leave such documents out.
///
/// *Which operators apply.* Text: all, compared byte by byte. Lists: contains, in, not_in, exists.
/// Integers, floats and dates: all but contains. Booleans: ==, !=, in, not_in, exists.
///
/// *Days.* A date without a time stands for all of its day: field("published") <= date(2024, 1, 31)
/// is true at 2024-01-31T18:00Z, < and > are not, == is.
class condition {
public:
    /// How deep conditions may be nested; a chain of && or || counts once.
    static constexpr std::size_t max_depth = 64;

    condition() = default;

    /// A comparison of a field with values: one for comparisons and contains, none for exists, any
    /// number for in and not_in.
    /// @throws trawl::error (invalid_argument) for another operator or number of values, or an empty
    /// name.
    condition(condition_op op, std::string name, std::vector<metadata_value> values);

    [[nodiscard]] condition_op op() const noexcept;

    /// The field's name; empty unless the condition is on a field.
    [[nodiscard]] std::string const& name() const noexcept;
    [[nodiscard]] std::span<metadata_value const> values() const noexcept;

    /// Two or more of all_of and any_of, one of a negation, else none.
    [[nodiscard]] std::span<condition const> children() const noexcept;

    /// 1 + the depth of the deepest child.
    [[nodiscard]] std::size_t depth() const noexcept;

    /// @throws trawl::error (invalid_argument) if the result is deeper than max_depth.
    [[nodiscard]] friend condition operator&&(condition const& a, condition const& b) {
        return joined(condition_op::all_of, a, b);
    }
    [[nodiscard]] friend condition operator||(condition const& a, condition const& b) {
        return joined(condition_op::any_of, a, b);
    }
    [[nodiscard]] friend condition operator!(condition const& a) { return negated(a); }

    /// The same tree.
    friend bool operator==(condition const& a, condition const& b) { return same(a, b); }

private:
    explicit condition(std::shared_ptr<detail::condition_node const> node) noexcept;
    [[nodiscard]] static condition joined(condition_op op, condition const& a, condition const& b);
    [[nodiscard]] static condition of(condition_op op, std::span<condition const> conditions);
    friend condition all_of(std::span<condition const> conditions);
    friend condition any_of(std::span<condition const> conditions);
    [[nodiscard]] static condition negated(condition const& a);
    [[nodiscard]] static bool same(condition const& a, condition const& b);

    std::shared_ptr<detail::condition_node const> node_ = {}; ///< null: everything
};

/// All of the conditions; everything if there are none.
[[nodiscard]] condition all_of(std::span<condition const> conditions);

/// Any of the conditions; no document if there are none.
[[nodiscard]] condition any_of(std::span<condition const> conditions);

/// A field in a condition, by its name.
class field {
public:
    explicit field(std::string name) : name_(std::move(name)) {}

    [[nodiscard]] std::string const& name() const noexcept { return name_; }

    [[nodiscard]] condition contains(std::string_view text) const {
        return {condition_op::contains, name_, {text}};
    }
    /// Equal to one of the values; of a list field: contains one of them. None: no document.
    [[nodiscard]] condition in(std::initializer_list<metadata_value> values) const {
        return {condition_op::in, name_, values};
    }
    [[nodiscard]] condition in(std::span<metadata_value const> values) const {
        return {condition_op::in, name_, {values.begin(), values.end()}};
    }
    [[nodiscard]] condition not_in(std::initializer_list<metadata_value> values) const {
        return {condition_op::not_in, name_, values};
    }
    [[nodiscard]] condition not_in(std::span<metadata_value const> values) const {
        return {condition_op::not_in, name_, {values.begin(), values.end()}};
    }
    [[nodiscard]] condition exists() const { return {condition_op::exists, name_, {}}; }

    [[nodiscard]] friend condition operator==(field const& f, metadata_value value) {
        return f.compared(condition_op::equal, std::move(value));
    }
    [[nodiscard]] friend condition operator!=(field const& f, metadata_value value) {
        return f.compared(condition_op::not_equal, std::move(value));
    }
    [[nodiscard]] friend condition operator<(field const& f, metadata_value value) {
        return f.compared(condition_op::less, std::move(value));
    }
    [[nodiscard]] friend condition operator<=(field const& f, metadata_value value) {
        return f.compared(condition_op::less_equal, std::move(value));
    }
    [[nodiscard]] friend condition operator>(field const& f, metadata_value value) {
        return f.compared(condition_op::greater, std::move(value));
    }
    [[nodiscard]] friend condition operator>=(field const& f, metadata_value value) {
        return f.compared(condition_op::greater_equal, std::move(value));
    }

private:
    [[nodiscard]] condition compared(condition_op op, metadata_value value) const;

    std::string name_;
};

/// Checks that the condition can be asked of documents with these fields.
/// @throws trawl::error (unknown_id) naming a field that does not exist and listing those that do;
/// (invalid_argument) naming a field, its type and a value of another type, or the operator that
/// does not apply.
void validate(condition const& asked, std::span<metadata_field const> fields);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/collection/detail/condition_inl.hpp>
#endif
