// SPDX-License-Identifier: MIT
#include <cmath>
#include <trawl/core/explanation.hpp>

#include <limits>

#include "support/catch.hpp"

namespace {

using trawl::explanation;
using trawl::operation;

explanation node(operation op, std::vector<double> const& values) {
    explanation e{op, "node", 0, {}};
    for (double const v : values) e.children.push_back({operation::leaf, "part", v, {}});
    e.value = recompute(e);
    return e;
}

} // namespace

TEST_CASE("Each operation gives what its name says", "[core][explanation]") {
    CHECK(node(operation::sum, {}).value == 0.0);
    CHECK(node(operation::sum, {1.5, 2.25, -4}).value == -0.25);
    CHECK(node(operation::product, {}).value == 1.0);
    CHECK(node(operation::product, {1.5, -2, 4}).value == -12.0);
    CHECK(node(operation::max, {-3, -1, -2}).value == -1.0);
    CHECK(node(operation::min, {-3, -1, -2}).value == -3.0);
    CHECK(node(operation::median, {9, 1, 5}).value == 5.0);
    CHECK(node(operation::median, {9, 1, 5, 6}).value == 5.5);
    CHECK(node(operation::median, {7}).value == 7.0);
    CHECK(node(operation::round, {0.1}).value == static_cast<double>(0.1f));
    // To a multiple of 0.25, ties to even: 0.375 lies between 1 and 2 quarters, 0.625 between 2 and
    // 3.
    CHECK(node(operation::round, {0.375, 0.25}).value == 0.5);
    CHECK(node(operation::round, {0.625, 0.25}).value == 0.5);
    CHECK(node(operation::round, {0.626, 0.25}).value == 0.75);
    CHECK(node(operation::placed, {0.5, 1}).value == 0.5);
    CHECK(node(operation::placed, {1, 1}).value == static_cast<double>(std::nextafter(1.0f, 0.0f)));
}

TEST_CASE("A sum is taken in double, first to last", "[core][explanation]") {
    CHECK(node(operation::sum, {1e16, 1, -1e16}).value == 0.0);
    CHECK(node(operation::sum, {1e16, -1e16, 1}).value == 1.0);
    CHECK_FALSE(std::signbit(node(operation::sum, {-0.0, -0.0}).value));
}

TEST_CASE("An explanation adds up, and a tampered one does not, wherever it was touched",
    "[core][explanation]") {
    auto tree = node(operation::sum, {1, 2});
    tree.children.push_back(node(operation::product, {3, 0.1}));
    tree.children.push_back(node(operation::median, {3, 0.1, 8, 9}));
    tree.children.push_back({operation::opaque, "a model", 0.7, {node(operation::max, {1, 2})}});
    tree.value = recompute(tree);
    explanation top{operation::round, "score", 0, {tree}};
    top.value = recompute(top);
    REQUIRE(adds_up(top));

    auto const step = [](double& value) {
        value = std::nextafter(value, std::numeric_limits<double>::infinity());
    };
    auto tampered = top;
    step(tampered.value);
    CHECK_FALSE(adds_up(tampered));

    tampered = top;
    step(tampered.children[0].value);
    CHECK_FALSE(adds_up(tampered));

    tampered = top;
    tampered.children[0].children[2].children[1].value = 0.2;
    CHECK_FALSE(adds_up(tampered));

    tampered = top;
    tampered.children[0].children[0].value = 1.5;
    CHECK_FALSE(adds_up(tampered));

    tampered = top;
    tampered.children[0].children.pop_back();
    CHECK_FALSE(adds_up(tampered));

    tampered = top;
    // below an opaque node, trees must still be whole
    step(tampered.children[0].children[4].children[0].value);
    CHECK_FALSE(adds_up(tampered));

    auto zero = node(operation::sum, {});
    zero.value = -0.0;
    CHECK_FALSE(adds_up(zero));
}

TEST_CASE("A node without the children that it needs is an error", "[core][explanation]") {
    for (auto const op :
        {operation::max, operation::min, operation::median, operation::round, operation::placed}) {
        CAPTURE(name_of(op));
        CHECK_THROWS_AS(trawl::recompute({op, "", 0, {}}), trawl::error);
    }
    CHECK_THROWS_WITH(
        node(operation::placed, {1, 2, 3}), "recompute: a node of operation placed has 3 children");
    CHECK_THROWS_AS(node(operation::round, {1, 2, 3}), trawl::error);
}

TEST_CASE("An explanation prints as an indented tree", "[core][explanation]") {
    auto tree = node(operation::sum, {0.5, 0.25});
    tree.label = "two arms";
    CHECK(to_text(tree) == "0.75 sum: two arms\n  0.5 part\n  0.25 part\n");
}

TEST_CASE("A node is found by its role, a parent before its children", "[core][explanation]") {
    auto const none = trawl::no_match("no match: outside the filter");
    CHECK((none.op == operation::leaf && none.value == 0));
    CHECK(find_role(none, trawl::node_role::no_match) == &none);
    auto tree = node(operation::sum, {0.5, 0.25, 0.25});
    tree.children[1].children.push_back({.role = trawl::node_role::relevance});
    tree.children[2].role = trawl::node_role::relevance;
    CHECK(find_role(tree, trawl::node_role::relevance) == &tree.children[1].children[0]);
    CHECK(find_role(tree, trawl::node_role::weight) == nullptr);
}
