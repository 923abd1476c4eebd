// SPDX-License-Identifier: MIT
#include <trawl/core/function_ref.hpp>
#include <trawl/core/matrix_view.hpp>

#include <array>
#include <memory>
#include <string>

#include "support/catch.hpp"

namespace {

struct counter {
    int count = 0;
    int operator()(int step) { return count += step; }
};

int apply(trawl::function_ref<int(int)> f, int x) { return f(x); }

} // namespace

TEST_CASE("function_ref calls the caller's own object", "[core][function_ref]") {
    counter c;
    CHECK(apply(c, 2) == 2);
    CHECK(apply(c, 3) == 5);
    CHECK(c.count == 5);
    int const factor = 7;
    CHECK(apply([&](int x) { return factor * x; }, 6) == 42);
    auto const constant = [](int x) { return x + 1; };
    CHECK(apply(constant, 1) == 2);

    trawl::function_ref<int(int)> const first = c;
    auto const copy = first; // refers to c, not to the first reference
    CHECK(copy(1) == 6);
    CHECK(c.count == 6);
}

TEST_CASE("function_ref passes arguments on without copying and converts results",
    "[core][function_ref]") {
    std::unique_ptr<int> taken;
    auto take = [&](std::unique_ptr<int> p) { taken = std::move(p); };
    trawl::function_ref<void(std::unique_ptr<int>)>{take}(std::make_unique<int>(3));
    CHECK(*taken == 3);
    auto shout = [](std::string const& s) { return s.c_str(); };
    std::string const text = "long enough to live on the heap of the machine";
    CHECK(trawl::function_ref<std::string(std::string const&)>{shout}(text) == text);
    static_assert(!std::is_constructible_v<trawl::function_ref<int(int)>, std::string&>);
}

TEST_CASE("matrix_view gives rows of a row-major matrix", "[core][matrix_view]") {
    std::array<float, 6> numbers = {1, 2, 3, 4, 5, 6};
    trawl::matrix_view<float> const m{numbers.data(), 2, 3};
    CHECK(m.row(1).size() == 3);
    CHECK(m.row(1)[0] == 4.0f);
    m.row(0)[2] = 9;
    trawl::matrix_view<float const> const read = m;
    CHECK(read.row(0)[2] == 9.0f);
    CHECK_FALSE(read.empty());
    CHECK(trawl::matrix_view<float const>{}.empty());
    static_assert(
        !std::is_convertible_v<trawl::matrix_view<float const>, trawl::matrix_view<float>>);
}
