// SPDX-License-Identifier: MIT
// Who owns what a pipeline is given.
#include <trawl/core/holding.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

#include <memory>
#include <type_traits>
#include <utility>

using namespace trawl;
using detail::held;

namespace {

struct only_moves {
    int value = 0;
    explicit only_moves(int v) : value(v) {}
    only_moves(only_moves&&) = default;
};

template <class T>
held<T> hold(T&& object) {
    return held<T>(std::forward<T>(object));
}

} // namespace

TEST_CASE("an lvalue is borrowed: what its owner changes is seen", "[core][holding]") {
    int number = 1;
    auto const holder = hold(number);
    number = 2;
    CHECK(holder.get() == 2);
    CHECK(&holder.get() == &number);

    int const fixed = 3;
    CHECK(&hold(fixed).get() == &fixed);
}

TEST_CASE("an rvalue is owned, types that only move too", "[core][holding]") {
    auto const holder = hold(only_moves{7});
    CHECK(holder.get().value == 7);
    STATIC_REQUIRE(!std::is_copy_constructible_v<decltype(holder)>);

    auto text = std::make_unique<int>(5);
    auto const taken = hold(std::move(text));
    CHECK(text == nullptr);
    CHECK(*taken.get() == 5);
}

TEST_CASE("a shared_ptr is shared, however it is given", "[core][holding]") {
    auto pointer = std::make_shared<int>(4);
    auto const const_pointer = pointer;
    auto const a = hold(pointer);
    auto const b = hold(const_pointer);
    CHECK(pointer.use_count() == 4);
    auto const c = hold(std::move(pointer));
    CHECK(pointer == nullptr);
    CHECK((&a.get() == &b.get() && &b.get() == &c.get()));
    STATIC_REQUIRE(std::is_same_v<detail::held_target<std::shared_ptr<int const>&>, int>);
}

TEST_CASE("a shared_ptr to nothing is refused by name", "[core][holding]") {
    auto const refused =
        support::error_of([] { detail::require_object(std::shared_ptr<int>(), "arm ", 1); });
    CHECK(refused.code == errc::invalid_argument);
    CHECK(refused.text == "arm 1 is a null shared_ptr");
    CHECK_NOTHROW(detail::require_object(std::make_shared<int>(1), "arm ", 1));
    CHECK_NOTHROW(detail::require_object(1, "arm ", 1));
}
