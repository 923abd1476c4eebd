// SPDX-License-Identifier: MIT
#pragma once

/// The arms and stages of a pipeline: as many as its type says (a tuple), or as many as were put
/// together at run time (a vector).

#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

template <class... Held>
[[nodiscard]] constexpr std::size_t count_of(std::tuple<Held...> const&) noexcept {
    return sizeof...(Held);
}
template <class Held>
[[nodiscard]] std::size_t count_of(std::vector<Held> const& parts) noexcept {
    return parts.size();
}

/// Calls visit(part) for what the holder number `index` holds.
template <class... Held, class Visit>
void visit_at(std::tuple<Held...> const& parts, [[maybe_unused]] std::size_t index,
    [[maybe_unused]] Visit&& visit) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        static_cast<void>(((I == index && (visit(std::get<I>(parts).get()), true)) || ...));
    }(std::index_sequence_for<Held...>{});
    static_cast<void>(parts);
}
template <class Held, class Visit>
void visit_at(std::vector<Held> const& parts, std::size_t index, Visit&& visit) {
    visit(parts[index].get());
}

} // namespace detail
TRAWL_END_NAMESPACE
