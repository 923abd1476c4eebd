// SPDX-License-Identifier: MIT
// Who owns what a pipeline is given.
#include <trawl/core/holding.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
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

struct index {
    [[nodiscard]] ranking search(query const&, search_options const&) const { return {}; }
};
struct embedding_model {
    [[nodiscard]] std::size_t dim() const { return 1; }
    void embed(std::span<std::string_view const>, text_role, matrix_view<float>) const {}
};
struct texts {
    [[nodiscard]] std::string_view text(doc_id) const { return {}; }
};
struct vectors {
    [[nodiscard]] std::size_t dim() const { return 1; }
    [[nodiscard]] bool copy_vector(doc_id, std::span<float>) const { return false; }
};
struct costly_to_copy {
    void operator()() const {}
};
int twice(int x) { return 2 * x; }

} // namespace

template <>
inline constexpr bool trawl::borrows_lvalue<costly_to_copy> = true;

namespace {

template <class T>
held<T> hold(T&& object) {
    return held<T>(std::forward<T>(object));
}

} // namespace

TEST_CASE("an lvalue that is an index, a model or a store is borrowed", "[core][holding]") {
    index const arm;
    CHECK(&hold(arm).get() == &arm);
    embedding_model model;
    CHECK(&hold(model).get() == &model);
    texts const store;
    CHECK(&hold(store).get() == &store);
    vectors const rows;
    CHECK(&hold(rows).get() == &rows);
    only_moves const unique(3);
    CHECK(&hold(unique).get() == &unique);
    CHECK(hold(twice).get() == &twice);
}

TEST_CASE("an lvalue that is a callable or a value is copied", "[core][holding]") {
    int number = 1;
    auto const holder = hold(number);
    number = 2;
    CHECK(holder.get() == 1);

    // What a factory returns must not point into its frame.
    auto const made = [] {
        std::string const name = "a text that is too long for the string object itself";
        auto const text_of = [name](doc_id) { return std::string_view(name); };
        return hold(text_of);
    }();
    CHECK(made.get()(0) == "a text that is too long for the string object itself");
    auto const pointer = &twice;
    CHECK(hold(pointer).get()(2) == 4);
}

TEST_CASE("std::ref borrows, and so does the trait", "[core][holding]") {
    auto const add = [n = 1](int x) { return x + n; };
    CHECK(&hold(std::ref(add)).get() == &add);
    auto const reference = std::cref(add);
    CHECK(&hold(reference).get() == &add);
    STATIC_REQUIRE(std::is_same_v<detail::held_target<std::reference_wrapper<int>>, int>);
    costly_to_copy const model;
    CHECK(&hold(model).get() == &model);
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
