// SPDX-License-Identifier: MIT
#include <trawl/eval/agreement.hpp>

#include <array>
#include <map>
#include <string>
#include <vector>

#include <trawl/detail/number_text.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/formats/detail/columns.hpp>
#include <trawl/formats/lines.hpp>
#include <trawl/storage/file.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace {

std::vector<int> grades_of(std::string_view text) {
    std::vector<int> out;
    for (std::size_t begin = 0; begin < text.size();) {
        auto const end = (std::min)(text.find(' ', begin), text.size());
        out.push_back(*trawl::detail::parse_integer<int>(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    return out;
}

double fleiss(std::vector<std::vector<int>> const& judges) {
    std::vector<int> all;
    for (std::size_t i = 0; i < judges[0].size(); ++i) {
        for (auto const& j : judges) all.push_back(j[i]);
    }
    return trawl::fleiss_kappa({all.data(), judges[0].size(), judges.size()}).kappa;
}

} // namespace

TEST_CASE("kappas are those of scikit-learn and statsmodels", "[eval][agreement][golden]") {
    auto const cases = trawl::read_file("tests/golden/eval/agreement_cases.tsv");
    std::map<std::string, double> got;
    trawl::line_reader case_lines(cases);
    for (std::string_view line; case_lines.next(line);) {
        std::array<std::string_view, 4> field;
        REQUIRE(trawl::detail::split_tabs(line, field) == 4);
        auto const a = grades_of(field[1]);
        auto const b = grades_of(field[2]);
        std::string const name(field[0]);
        got[name + " cohen"] = trawl::cohen_kappa(a, b).kappa;
        got[name + " linear"] = trawl::cohen_kappa(a, b, trawl::disagreement::linear).kappa;
        got[name + " quadratic"] = trawl::cohen_kappa(a, b, trawl::disagreement::quadratic).kappa;
        got[name + " fleiss"] = fleiss({a, b, grades_of(field[3])});
    }
    auto const figures = trawl::read_file("tests/golden/eval/agreement.tsv");
    trawl::line_reader lines(figures);
    std::size_t compared = 0;
    for (std::string_view line; lines.next(line); ++compared) {
        std::array<std::string_view, 3> field;
        REQUIRE(trawl::detail::split_tabs(line, field) == 3);
        CAPTURE(line);
        CHECK_THAT(got.at(std::string(field[0]) + " " + std::string(field[1])),
            WithinAbs(*trawl::detail::parse_double(field[2]), 1e-12));
    }
    CHECK(compared == 20);
}

TEST_CASE("Cohen's and Fleiss' own examples", "[eval][agreement]") {
    // 50 grants, two readers: 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no. Observed .7, by chance .5.
    std::vector<int> a;
    std::vector<int> b;
    auto const add = [&](int n, int x, int y) {
        a.insert(a.end(), static_cast<std::size_t>(n), x);
        b.insert(b.end(), static_cast<std::size_t>(n), y);
    };
    add(20, 1, 1), add(5, 1, 0), add(10, 0, 1), add(15, 0, 0);
    auto const k = trawl::cohen_kappa(a, b);
    CHECK(k.items == 50);
    CHECK_THAT(k.observed, WithinAbs(.7, 1e-12));
    CHECK_THAT(k.expected, WithinAbs(.5, 1e-12));
    CHECK_THAT(k.kappa, WithinAbs(.4, 1e-12));
    CHECK(trawl::cohen_kappa(a, a).kappa == 1);
    std::vector<int> const same{2, 2, 2};
    CHECK(trawl::cohen_kappa(same, same).kappa == 1); // nothing could differ
    CHECK(fleiss({same, same, same}) == 1);
}

TEST_CASE("the order of items, judges and the names of grades do not matter",
    "[eval][agreement][property]") {
    auto const seed = GENERATE(range(1u, 20u));
    CAPTURE(seed);
    trawl::detail::random random(seed);
    std::vector<std::vector<int>> judges(3, std::vector<int>(30));
    for (std::size_t i = 0; i < 30; ++i) {
        auto const truth = static_cast<int>(random.below(3));
        for (auto& j : judges)
            j[i] = random.uniform() < .7 ? truth : static_cast<int>(random.below(3));
    }
    auto const kappa = trawl::cohen_kappa(judges[0], judges[1]).kappa;
    CHECK(kappa <= 1);
    CHECK_THAT(trawl::cohen_kappa(judges[1], judges[0]).kappa, WithinAbs(kappa, 1e-12));
    auto turned = judges;
    std::swap(turned[0], turned[2]);
    CHECK_THAT(fleiss(turned), WithinAbs(fleiss(judges), 1e-12));
    for (auto& j : turned) {
        for (auto& g : j) g = 7 - g;
    }
    CHECK_THAT(fleiss(turned), WithinAbs(fleiss(judges), 1e-12));
}

TEST_CASE("judges are compared on what all of them judged", "[eval][agreement]") {
    trawl::qrels const a{{"q", "d1", 1}, {"q", "d2", 0}, {"q", "d3", 2}, {"r", "d1", 1}};
    trawl::qrels const b{
        {"r", "d1", 0}, {"q", "d3", 2}, {"q", "d2", -1}, {"q", "d1", 1}, {"s", "d1", 1}};
    std::vector<trawl::qrels const*> const both{&a, &b};
    auto const common = trawl::judged_by_all(both);
    CHECK(common.grades == std::vector<int>{1, 1, 2, 2, 1, 0});
    CHECK(common.of(1) == std::vector<int>{1, 2, 0});
    std::vector<std::string> const names{"ann", "bob"};
    auto const table = trawl::agreement_table(common, names);
    REQUIRE(table.rows.size() == 1);
    CHECK(table.rows[0][0].text() == "ann, bob");
    CHECK(table.rows[0][1].number() == 3);
    CHECK(table.notes[0].find("Fleiss' kappa is ") == 0);
}

TEST_CASE("kappa refuses judges that do not pair", "[eval][agreement][bad]") {
    std::vector<int> const two{1, 0};
    CHECK(support::error_of([&] {
        (void)trawl::cohen_kappa(two, {});
    }).names("has 2 grades, the second 0"));
    CHECK(support::error_of([] { (void)trawl::cohen_kappa({}, {}); }).names("no grades"));
    CHECK(support::error_of([&] {
        (void)trawl::fleiss_kappa({two.data(), 2, 1});
    }).names("has 2 and 1"));
    CHECK(support::error_of([] { (void)trawl::judged_by_all({}); }).names("no judges"));
    std::vector<std::string> const one{"ann"};
    CHECK(support::error_of([&] {
        (void)trawl::agreement_table({.judges = 2, .grades = two}, one);
    }).names("1 names for 2"));
}
