// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of bm25.hpp.

#include <trawl/lexical/bm25.hpp>

#include <cstddef>
#include <string>
#include <string_view>

#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/lexical/detail/lexical_problem.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_COLD TRAWL_INLINE problem problem_of(bm25 const& p) {
    if (static_cast<std::size_t>(p.variant) >= bm25_variants) {
        return {.text = join("bm25: there is no variant ", static_cast<unsigned>(p.variant))};
    }
    if (p.lengths > length_code::lucene_byte) {
        return {.text = join("bm25: there is no length code ", static_cast<unsigned>(p.lengths))};
    }
    struct range {
        std::string_view name;
        double value, min, max;
    };
    range const all[] = {{"k1", p.k1, 0, 1000}, {"b", p.b, 0, 1}, {"epsilon", p.epsilon, 0, 1000},
        {"delta", p.delta.value_or(1), p.variant == bm25_variant::tf_ldp ? 1.0 : 0.0, 1000},
        {"k3", p.k3, 0, 1000}, {"least_length", p.least_length, 0, 1000}};
    for (auto const& [name, value, min, max] : all) {
        if (!is_finite(value)) {
            return {errc::not_finite, join("bm25: ", name, " must be a number, is ", value)};
        }
        if (value < min || value > max) {
            return {.text = join("bm25: ", name, " must be in [", min, ", ", max, "], is ", value)};
        }
    }
    return {};
}

TRAWL_COLD TRAWL_INLINE problem problem_of(array_ref<bm25_field const> fields) {
    if (fields.size() > max_fields) {
        return {.text = join("bm25f_index: there may be at most ", max_fields,
                    " fields, there are ", fields.size())};
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
        auto const& name = fields[i].name;
        auto const weight = fields[i].weight;
        auto const& b = fields[i].b;
        if (name.empty() || name.find('\0') != name.npos) {
            return {
                .text = join("bm25f_index: the name of field ", i, " is empty or has a zero byte")};
        }
        for (std::size_t other = 0; other < i; ++other) {
            if (fields[other].name == name)
                return {.text = join("bm25f_index: two fields are called '", name, "'")};
        }
        auto const wrong = [&](std::string_view what, double value, std::string_view range) {
            return problem{is_finite(value) ? errc::invalid_argument : errc::not_finite,
                join("bm25f_index: ", what, " of the field '", name, "' must be in ", range,
                    ", is ", value)};
        };
        if (!is_finite(weight) || weight <= 0 || weight > 1000)
            return wrong("weight", weight, "(0, 1000]");
        if (b && (!is_finite(*b) || *b < 0 || *b > 1)) return wrong("b", *b, "[0, 1]");
    }
    return {};
}

} // namespace detail

TRAWL_INLINE void bm25::validate() const {
    auto const wrong = detail::problem_of(*this);
    if (!wrong.text.empty()) detail::fail(wrong.code, wrong.text);
}

TRAWL_INLINE bm25_variant bm25_variant_named(std::string_view name) {
    std::string all;
    for (std::size_t i = 0; i < detail::bm25_variants; ++i) {
        if (detail::bm25_names[i] == name) return static_cast<bm25_variant>(i);
        all += detail::join(i == 0 ? "" : ", ", detail::bm25_names[i]);
    }
    detail::fail(
        errc::invalid_argument, detail::join("bm25: no variant '", name, "'; there are ", all));
}

TRAWL_END_NAMESPACE
