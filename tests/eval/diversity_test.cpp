// SPDX-License-Identifier: MIT
#include <trawl/eval/diversity.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <trawl/detail/number_text.hpp>
#include <trawl/error.hpp>
#include <trawl/formats/detail/columns.hpp>
#include <trawl/formats/lines.hpp>
#include <trawl/storage/file.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

TEST_CASE("alpha-nDCG is ndeval's", "[eval][diversity][golden]") {
    std::map<std::string, trawl::ranking> runs;
    std::map<std::string, std::vector<trawl::subtopic_judgement>> judged;
    auto const text = trawl::read_file("tests/golden/eval/diversity.tsv");
    trawl::line_reader lines(text);
    std::size_t compared = 0;
    for (std::string_view line; lines.next(line);) {
        std::array<std::string_view, 4> field;
        REQUIRE(trawl::detail::split_tabs(line, field) == 4);
        CAPTURE(line);
        std::string const query(field[1]);
        auto const whole = [&](std::size_t i) {
            return *trawl::detail::parse_integer<std::uint32_t>(field[i]);
        };
        if (field[0] == "r") {
            runs[query].push_back({whole(2), static_cast<float>(whole(3))});
        } else if (field[0] == "j") {
            judged[query].push_back({whole(3), whole(2)});
        } else {
            // ndeval prints six digits.
            CHECK_THAT((trawl::alpha_ndcg{.k = whole(2)}(runs[query], judged[query])),
                WithinAbs(*trawl::detail::parse_double(field[3]), 6e-7));
            ++compared;
        }
    }
    CHECK(compared == 45);
}

TEST_CASE("a repeated subtopic loses by alpha", "[eval][diversity]") {
    std::vector<trawl::subtopic_judgement> const judged{{1, 0}, {2, 0}, {3, 1}};
    trawl::ranking const again{{1, 3}, {2, 2}, {3, 1}};
    // Found 1 + .5 / log2(3) + 1 / 2; ideal 1 + 1 / log2(3) + .5 / 2.
    auto const log3 = std::log2(3.0);
    CHECK_THAT(trawl::alpha_ndcg{}(again, judged),
        WithinRel((1.5 + .5 / log3) / (1.25 + 1 / log3), 1e-12));
    CHECK_THAT((trawl::alpha_ndcg{.alpha = 0}(again, judged)), WithinRel(1, 1e-12));
    CHECK(trawl::alpha_ndcg{}(again, {}) == 0);
    CHECK(trawl::alpha_ndcg{}({}, judged) == 0);
    CHECK(support::error_of([&] {
        (void)trawl::alpha_ndcg{.alpha = 2}(again, judged);
    }).names("is 2"));
    CHECK(support::error_of([&] { (void)trawl::alpha_ndcg{.k = 0}(again, judged); }).names("is 0"));
    trawl::ranking const twice{{1, 3}, {1, 2}};
    CHECK(support::error_of([&] { (void)trawl::alpha_ndcg{}(twice, judged); }).names("document 1"));
}

TEST_CASE("intra-list diversity is the mean distance of pairs", "[eval][diversity]") {
    trawl::ranking const hits{{1, 3}, {2, 2}, {4, 1}};
    auto const similarity = [](trawl::doc_id a, trawl::doc_id b) { return a + b == 3 ? .8 : .2; };
    CHECK_THAT(
        trawl::intra_list_diversity(hits, 3, similarity), WithinRel((.2 + .8 + .8) / 3, 1e-12));
    CHECK_THAT(trawl::intra_list_diversity(hits, 2, similarity), WithinRel(.2, 1e-12));
    CHECK(trawl::intra_list_diversity(hits, 1, similarity) == 0);
    CHECK(support::error_of([&] {
        (void)trawl::intra_list_diversity(hits, 3,
            [](trawl::doc_id, trawl::doc_id) { return std::numeric_limits<double>::quiet_NaN(); });
    }).code
          == trawl::errc::not_finite);
}
