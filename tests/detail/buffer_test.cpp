// SPDX-License-Identifier: MIT
#include <trawl/detail/buffer.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/catch.hpp"

using trawl::detail::array_ref;
using trawl::detail::buffer;

namespace {

template <class T>
std::vector<T> values(buffer<T> const& from) {
    return {from.begin(), from.end()};
}

} // namespace

TEMPLATE_TEST_CASE("A buffer holds what a vector holds after the same changes", "[detail][buffer]",
    int, std::string) {
    auto const value = [](int i) {
        if constexpr (std::is_same_v<TestType, int>)
            return i;
        else
            return std::string(static_cast<std::size_t>(i), 'x'); // long ones are on the heap
    };
    buffer<TestType> ours;
    std::vector<TestType> vector;
    for (int i = 0; i < 100; ++i) {
        ours.push_back(value(i));
        vector.push_back(value(i));
    }
    CHECK(values(ours) == vector);

    ours.push_back(ours.front()); // its own element, while it may have to grow
    vector.push_back(vector.front());
    ours.insert(3, value(40));
    vector.insert(vector.begin() + 3, value(40));
    ours.erase(10, 25);
    vector.erase(vector.begin() + 10, vector.begin() + 25);
    CHECK(values(ours) == vector);

    auto const copy = ours;
    ours.resize(120, value(7));
    vector.resize(120, value(7));
    CHECK(values(ours) == vector);
    ours.resize(5);
    vector.resize(5);
    ours.append(vector.data(), 3);
    vector.insert(vector.end(), {vector[0], vector[1], vector[2]});
    CHECK(values(ours) == vector);
    CHECK(copy.size() == 87);

    auto const moved = std::move(ours);
    CHECK(values(moved) == vector);
    CHECK(ours.empty()); // NOLINT(bugprone-use-after-move): promised
    ours = copy;
    CHECK(values(ours) == values(copy));
    ours.assign(2, value(9));
    CHECK(values(ours) == std::vector<TestType>(2, value(9)));
    ours.clear();
    CHECK(ours.empty());
    CHECK(buffer<TestType>(3)[2] == TestType());
}

TEST_CASE("A buffer gives back memory that it does not use", "[detail][buffer]") {
    buffer<double> numbers(1000);
    numbers.resize(3);
    CHECK(numbers.capacity() == 1000);
    numbers.shrink_to_fit();
    CHECK(numbers.capacity() == 3);
    numbers.clear();
    numbers.shrink_to_fit();
    CHECK(numbers.data() == nullptr);
}

TEST_CASE("A buffer destroys each of its elements once", "[detail][buffer]") {
    auto const counted = std::make_shared<int>(1);
    {
        buffer<std::shared_ptr<int>> holders;
        for (int i = 0; i < 10; ++i) holders.push_back(counted);
        CHECK(counted.use_count() == 11);
        holders.erase(2, 4);
        CHECK(counted.use_count() == 9);
        auto const copy = holders;
        CHECK(counted.use_count() == 17);
    }
    CHECK(counted.use_count() == 1);
}

TEST_CASE("An array_ref is made of whatever has data and a size", "[detail][buffer]") {
    std::vector<int> vector = {1, 2, 3, 4};
    buffer<int> const own(2, 5);
    array_ref<int> const whole = vector;
    array_ref<int const> const back = whole.subspan(1, 2);
    CHECK(whole.size() == 4);
    CHECK(back.front() == 2);
    CHECK(back.back() == 3);
    CHECK(whole.first(1).size() == 1);
    CHECK(whole.subspan(3)[0] == 4);
    CHECK(array_ref<int const>(own)[1] == 5);
    CHECK(array_ref<int>().empty());
}
