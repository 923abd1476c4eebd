// SPDX-License-Identifier: MIT
#include <trawl/pipeline/cursor.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"
#include "support/tiny.hpp"

#include <limits>
#include <string>
#include <vector>

#include <trawl/pipeline/any_pipeline.hpp>
#include <trawl/pipeline/hybrid_search.hpp>

using support::error_of;
using support::ids_of;
using support::table_arm;
using namespace trawl;

namespace {

query const question{.text = "question"};
ranking const five{{4, 5.0f}, {0, 4.0f}, {3, 4.0f}, {1, 0.0f}, {2, -1.5f}};

} // namespace

TEST_CASE("pages of a cursor are the ranking, cut", "[pipeline][cursor]") {
    cursor pages(five);
    REQUIRE(pages.size() == 5);
    REQUIRE(pages.next(2) == ranking{{4, 5.0f}, {0, 4.0f}});
    REQUIRE(pages.next(0).empty());
    REQUIRE(pages.position() == 2);
    REQUIRE(ids_of(pages.next(2)) == std::vector<doc_id>{3, 1});
    REQUIRE_FALSE(pages.at_end());
    REQUIRE(ids_of(pages.next(100)) == std::vector<doc_id>{2});
    REQUIRE(pages.at_end());
    REQUIRE(pages.next(1).empty());

    cursor ahead(five);
    ahead.skip(3);
    REQUIRE(ids_of(ahead.next(1)) == std::vector<doc_id>{1});
    ahead.skip((std::numeric_limits<std::size_t>::max)());
    REQUIRE(ahead.at_end());
    REQUIRE(cursor().at_end());
}

TEST_CASE(
    "documents that the filter of a page does not admit are passed over", "[pipeline][cursor]") {
    doc_set const left(10, {3, 2});
    cursor pages(five);
    REQUIRE(ids_of(pages.next(1, left)) == std::vector<doc_id>{3});
    REQUIRE(ids_of(pages.next(9, left)) == std::vector<doc_id>{2});
    REQUIRE(cursor(five).next(9, doc_set(10)).empty());
}

TEST_CASE(
    "pages repeat and skip nothing though the arm changes between them", "[pipeline][cursor]") {
    table_arm arm{{{1, 3.0f}, {2, 2.0f}, {3, 1.0f}}};
    auto const search = hybrid_search{arm};
    auto const whole = ids_of(search(question));
    auto pages = search.pages(question, {.k = 1}); // k does not cut it
    auto seen = ids_of(pages.next(1));
    arm.matches = {{9, 9.0f}, {3, 8.0f}, {1, 7.0f}}; // new, reordered, gone
    for (auto const id : ids_of(pages.next(9))) seen.push_back(id);
    REQUIRE(seen == whole);
}

TEST_CASE("offset and k cut one ranking, however large they are", "[pipeline][cursor]") {
    any_pipeline const search = hybrid_search{table_arm{five}};
    auto const all = search(question, 100);
    auto const most = (std::numeric_limits<std::size_t>::max)();
    for (std::size_t offset = 0; offset <= 6; ++offset) {
        for (std::size_t const k : {std::size_t{0}, std::size_t{1}, std::size_t{2}, most}) {
            CAPTURE(offset, k);
            auto pages = search.pages(question);
            pages.skip(offset);
            REQUIRE(search.page(question, offset, {.k = k}) == pages.next(k));
        }
    }
    REQUIRE(search.page(question, most, {.k = most}).empty());
    REQUIRE(search.page(question, 0, {.k = 100}) == all);
}

TEST_CASE("a cursor comes back from its text as it was", "[pipeline][cursor]") {
    // No hits: position and checksum only. FNV-1a of four zero bytes is 0x4B95F515 (by the
    // published constants: h = ((h ^ byte) * 16777619) mod 2^32 from 2166136261), in base64url
    // AAAAABX1lUs.
    REQUIRE(cursor().to_text() == "t1-AAAAABX1lUs");
    detail::random random(11);
    for (std::size_t hits = 0; hits < 40; ++hits) {
        ranking made;
        for (std::size_t i = 0; i < hits; ++i)
            made.push_back(
                {static_cast<doc_id>(7 * i + random.below(7)), 100.0f - static_cast<float>(i) / 3});
        cursor pages(made);
        pages.skip(random.below(hits + 1));
        auto const text = pages.to_text();
        REQUIRE(cursor::parse(text) == pages);
        REQUIRE(cursor::parse(text).to_text() == text);
    }
}

TEST_CASE("a text that is no cursor is refused, whatever is done to it", "[pipeline][cursor]") {
    auto const reason = [](std::string const& text) {
        auto const thrown = error_of([&] { (void)cursor::parse(text); });
        REQUIRE(thrown.code == errc::parse);
        return thrown.text;
    };
    REQUIRE(reason("") == "cursor: it does not begin with 't1-'");
    REQUIRE(reason("t2-AAAAABX1lUs") == "cursor: it does not begin with 't1-'");
    REQUIRE(reason("t1-") == "cursor: it is cut short");
    REQUIRE(reason("t1-AAAAABX1l!s") == "cursor: it has a character that is no digit of base64url");
    auto const text = cursor(five).to_text();
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto changed = text;
        changed[i] = changed[i] == 'A' ? 'B' : 'A';
        (void)reason(changed);
        (void)reason(text.substr(0, i));
    }
    (void)reason(text + "A");
    (void)reason(text + "AAAAAAAAAAA");

    // Well-formed, and still none: what to_text writes of rankings that are none.
    auto const inf = std::numeric_limits<float>::infinity();
    REQUIRE(reason(cursor({{1, 1.0f}, {1, 0.0f}}).to_text()) == "cursor: a document comes twice");
    REQUIRE(reason(cursor({{1, 1.0f}, {2, 2.0f}}).to_text()) == "cursor: its scores rise");
    REQUIRE(
        reason(cursor({{1, inf}}).to_text()) == "cursor: a hit has no document or no finite score");
    REQUIRE(reason(cursor({{no_doc, 1.0f}}).to_text())
            == "cursor: a hit has no document or no finite score");
}
