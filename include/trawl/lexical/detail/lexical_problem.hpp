// SPDX-License-Identifier: MIT
#pragma once

/// What is wrong with parameters, for whoever refuses them.

#include <cstddef>
#include <string>

#include <trawl/error.hpp>
#include <trawl/lexical/bm25.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The number of a field must fit into the names of its sections in a file.
inline constexpr std::size_t max_fields = 100;

struct problem {
    errc code = errc::invalid_argument;
    std::string text = {}; ///< empty: nothing is wrong
};

[[nodiscard]] problem problem_of(bm25 const& parameters);
[[nodiscard]] problem problem_of(array_ref<bm25_field const> fields);

} // namespace detail
TRAWL_END_NAMESPACE
