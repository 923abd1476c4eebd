// SPDX-License-Identifier: MIT
#include <trawl/lexical/detail/search/boolean_query.hpp>

#include "lexical/phrases.hpp"
#include "lexical/whitespace.hpp"

#include <trawl/detail/random.hpp>
#include <trawl/lexical/query_syntax.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

using namespace trawl;
using namespace trawl::ask;

namespace {

std::set<doc_id> found(test::index const& index, lexical_query const& asked) {
    std::set<doc_id> ids;
    for (auto const& h : index.search(asked, 1000)) ids.insert(h.id);
    return ids;
}

using ids = std::set<doc_id>;

test::index with_positions(std::vector<std::string> const& texts, bm25 parameters = {}) {
    test::index index(parameters, {.positions = true});
    for (auto const& text : texts) index.add(text);
    return index;
}

template <class Call>
std::string message(errc code, Call&& call) {
    try {
        call();
    } catch (error const& e) {
        CHECK(e.code() == code);
        return e.what();
    }
    FAIL("no error");
    return "";
}

} // namespace

TEST_CASE("Must, must not and may", "[lexical][query]") {
    auto const index = with_positions({"a b", "a c", "b c", "a b c", "d"});
    CHECK(found(index, words("a b")) == ids{0, 1, 2, 3});
    CHECK(found(index, every("a b")) == ids{0, 3});
    CHECK(found(index, all_of({words("a"), words("b c")})) == ids{0, 1, 3});
    CHECK(found(index, words("a").without(words("c"))) == ids{0});
    CHECK(found(index, any_of({words("a"), words("d")}).without(words("b"))) == ids{1, 4});
    // What may be there counts, what must decides.
    auto const plain = index.search(words("a"), 10);
    auto const also = index.search(words("a").also(words("c")), 10);
    CHECK(plain.size() == 3);
    REQUIRE(also.size() == 3);
    CHECK(also[0].id == 1);
    // Nothing but exclusions, unknown words that must be there, nothing at all.
    CHECK(found(index, lexical_query{.must_not = {words("a")}}).empty());
    CHECK(found(index, all_of({words("a"), words("unknown")})).empty());
    CHECK(found(index, any_of({words("a"), words("unknown")})) == ids{0, 1, 3});
    CHECK(found(index, words("a").without(words("unknown"))) == ids{0, 1, 3});
    CHECK(found(index, {}).empty());
    CHECK(found(index, words("")).empty());
    CHECK(found(index, all_of({words("a"), words(" ")})) == ids{0, 1, 3}); // asks for nothing
    CHECK(index.search(words("a"), 0).empty());
    CHECK(test::index().search(words("a"), 10).empty());
}

TEST_CASE("Words alone score as a search for their text, to the bit", "[lexical][query][laws]") {
    auto const variant = GENERATE(from_range(test::all_variants()));
    detail::random random(7);
    test::index index({.variant = variant});
    auto const text = [&](std::size_t words) {
        std::string made;
        for (std::size_t i = 0; i < words; ++i)
            made += std::to_string(random.below(1 + random.below(30))) + ' ';
        return made;
    };
    for (int i = 0; i < 500; ++i) index.add(text(random.below(15)));
    for (int round = 0; round < 10; ++round) {
        // Each word once: a repeated one is weighed together in a search for a text.
        auto const asked = std::to_string(round) + " " + std::to_string(round + 3) + " "
                           + std::to_string(29 - round);
        CHECK(index.search(words(asked), 50) == index.search(asked, 50));
    }
}

TEST_CASE(
    "A phrase counts its stretches, and its idf is its words' sum", "[lexical][query][phrase]") {
    auto const index =
        with_positions({"x dead lock", "lock dead", "dead x lock", "dead lock dead lock", "y"});
    CHECK(found(index, phrase("dead lock")) == ids{0, 3});
    CHECK(found(index, phrase("dead lock", 1)) == ids{0, 2, 3});
    CHECK(found(index, phrase("dead lock", 2)) == ids{0, 1, 2, 3});
    CHECK(found(index, phrase("lock")) == ids{0, 1, 2, 3});
    CHECK(found(index, phrase("dead unknown")).empty());
    CHECK(found(index, phrase("")).empty());
    // N = 5, df 4 and 4: idf 2 ln(1 + 1.5 / 4.5). Document 0: tf 1, length 3 of 13 / 5; document 3:
    // tf 2, 4.
    auto const idf = 2 * std::log(1 + 1.5 / 4.5);
    auto const score = [&](double tf, double length) {
        return idf * tf / (tf + 1.2 * (0.25 + 0.75 * length / 2.6));
    };
    auto const hits = index.score(phrase("dead lock"), std::vector<doc_id>{0, 3, 1});
    CHECK_THAT(static_cast<double>(hits[0].score), WithinRel(score(1, 3), 1e-6));
    CHECK_THAT(static_cast<double>(hits[1].score), WithinRel(score(2, 4), 1e-6));
    CHECK(hits[2].score == 0);
    // One word out of line counts half, changed places a third.
    auto const loose = index.score(phrase("dead lock", 2), std::vector<doc_id>{2, 1});
    CHECK_THAT(static_cast<double>(loose[0].score), WithinRel(score(0.5, 3), 1e-6));
    CHECK_THAT(static_cast<double>(loose[1].score), WithinRel(score(1.0 / 3, 2), 1e-6));
    // The same word twice must stand in two places.
    auto const twice = with_positions({"a b", "a x a", "a a"});
    CHECK(found(twice, phrase("a a")) == ids{2});
    CHECK(found(twice, phrase("a a", 1)) == ids{1, 2});
}

TEST_CASE("A phrase is where trying every combination finds it", "[lexical][query][phrase]") {
    auto const seed = GENERATE(1u, 2u, 3u);
    CAPTURE(seed);
    detail::random random(seed);
    std::vector<std::string> texts(200);
    for (auto& text : texts) {
        for (auto left = random.below(12); left > 0; --left)
            text += "abcde"[random.below(5)] + std::string(" ");
    }
    auto index = with_positions(texts);
    for (doc_id id = 0; id < 200; id += 9) {
        texts[id] = texts[(id + 50) % 200] + "a b c";
        index.update(id, texts[id]);
    }
    for (auto const& asked : std::vector<std::string>{"a b", "b a c", "e d", "c a b d"}) {
        for (int const slop : {0, 1, 2, 4}) {
            CAPTURE(asked, slop);
            for (doc_id id = 0; id < 200; ++id) {
                auto const frequency =
                    test::phrase_by_hand(test::split(texts[id]), test::split(asked), slop);
                auto const why = index.explain(phrase(asked, static_cast<std::uint32_t>(slop)), id);
                auto const text = to_text(why);
                CAPTURE(texts[id], text);
                if (frequency == 0) {
                    REQUIRE(why.label == "no match");
                } else {
                    auto const shown =
                        detail::join(static_cast<double>(static_cast<float>(frequency)));
                    REQUIRE(text.find(shown + " tf, occurrences") != std::string::npos);
                }
            }
        }
    }
}

TEST_CASE("A beginning stands for its words as one term", "[lexical][query][prefix]") {
    auto const index = with_positions({"refund", "refunds refund x", "reform", "fund", "ref"});
    CHECK(found(index, prefix("refu")) == ids{0, 1});
    CHECK(found(index, prefix("ref")) == ids{0, 1, 2, 4});
    CHECK(found(index, prefix("zz")).empty());
    CHECK(found(index, prefix("")).empty());
    // tf 2 and df 2 of 5: ln(1 + 3.5 / 2.5); lengths 1 3 1 1 1.
    auto const hits = index.score(prefix("refu"), std::vector<doc_id>{1});
    CHECK_THAT(static_cast<double>(hits[0].score),
        WithinRel(std::log(2.4) * 2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 1.4)), 1e-6));
}

TEST_CASE("Misspelt words are found by edits, swaps among them", "[lexical][query][fuzzy]") {
    auto const index =
        with_positions({"refund", "refnd", "refudn", "funder", "caf\xC3\xA9", "refunds refund"});
    CHECK(found(index, fuzzy("refund", 1)) == ids{0, 1, 2, 5});
    CHECK(found(index, fuzzy("fund", 2)) == ids{0, 3, 5});
    CHECK(found(index, fuzzy("cafe", 1)) == ids{4}); // a character, two bytes
    CHECK(found(index, fuzzy("zzzzzz", 2)).empty());
    auto const best = index.search(fuzzy("refund", 1), 10);
    CHECK(best[0].id != 1); // what is spelled right comes first
    CHECK(best[0].id != 2);
    detail::edit_distance edits("ca");
    CHECK(edits.to("abc", 3) == 3); // 2 if a swapped pair could be edited again
    CHECK(edits.to("ac", 2) == 1);
    CHECK(edits.to("", 2) == 2);
    CHECK(edits.to("abcdef", 2) == 3);
    for (std::uint32_t const bad : {0u, 3u}) {
        CHECK(message(errc::invalid_argument, [&] { (void)index.search(fuzzy("x", bad), 1); })
                  .find(std::to_string(bad))
              != std::string::npos);
    }
}

TEST_CASE("Edits are counted as by trying all of them", "[lexical][query][fuzzy]") {
    // Optimal string alignment by its recurrence, Boytsov 2011, on code points.
    auto const by_hand = [](std::u32string const& a, std::u32string const& b) {
        std::vector<std::vector<std::size_t>> d(
            a.size() + 1, std::vector<std::size_t>(b.size() + 1));
        for (std::size_t i = 0; i <= a.size(); ++i) {
            for (std::size_t j = 0; j <= b.size(); ++j) {
                d[i][j] = i + j;
                if (i == 0 || j == 0) continue;
                d[i][j] = (std::min)({d[i - 1][j] + 1, d[i][j - 1] + 1,
                    d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
                if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                    d[i][j] = (std::min)(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.size()][b.size()];
    };
    detail::random random(3);
    auto const word = [&](std::string& bytes) {
        std::u32string made;
        bytes.clear();
        for (auto left = random.below(7); left > 0; --left) {
            auto const c = random.below(4);
            made.push_back(c == 3 ? U'\u00E9' : static_cast<char32_t>('a' + c));
            bytes += c == 3 ? std::string("\xC3\xA9") : std::string(1, static_cast<char>('a' + c));
        }
        return made;
    };
    for (int round = 0; round < 3000; ++round) {
        std::string a;
        std::string b;
        auto const expected = by_hand(word(a), word(b));
        CAPTURE(a, b);
        for (std::size_t const most : {1u, 2u, 9u}) {
            REQUIRE(detail::edit_distance(a).to(b, most) == (std::min)(expected, most + 1));
        }
    }
}

TEST_CASE("Patterns take the same words however the index came about", "[lexical][query][laws]") {
    test::index forwards;
    test::index backwards;
    std::vector<std::string> texts;
    for (int i = 0; i < 300; ++i)
        texts.push_back("w" + std::to_string(i) + " w" + std::to_string(i % 90));
    for (doc_id id = 0; id < 300; ++id) forwards.add(id, texts[id]);
    for (doc_id id = 0; id < 300; ++id) backwards.add(id, texts[299 - id]);
    for (doc_id id = 0; id < 300; ++id) backwards.update(id, texts[id]);
    for (auto const& asked : {prefix("w"), prefix("w1"), fuzzy("w55", 1), fuzzy("w1", 2)}) {
        CHECK(forwards.search(asked, 300) == backwards.search(asked, 300));
        CHECK(to_text(forwards.explain(asked, 155)) == to_text(backwards.explain(asked, 155)));
    }
    backwards.compact();
    CHECK(forwards.search(prefix("w"), 300) == backwards.search(prefix("w"), 300));
}

TEST_CASE("search, score and explain agree to the bit, for any filter, statistics and variant",
    "[lexical][query][laws]") {
    auto const variant = GENERATE(from_range(test::all_variants()));
    CAPTURE(name_of(variant));
    detail::random random(11);
    std::vector<std::string> texts(150);
    for (auto& text : texts) {
        for (auto left = random.below(12); left > 0; --left) {
            text += "w" + std::to_string(random.below(1 + random.below(40))) + ' ';
        }
    }
    auto index = with_positions(texts, {.variant = variant, .k1 = 0.9});
    for (doc_id id = 0; id < 150; id += 11) index.erase(id);
    doc_set some(150);
    for (int i = 0; i < 70; ++i) some.insert(static_cast<doc_id>(random.below(150)));
    test::index alone({.variant = variant, .k1 = 0.9}, {.positions = true});
    some.for_each([&](doc_id id) {
        if (index.contains(id)) alone.add(id, texts[id]);
    });
    std::vector<doc_id> all(150);
    std::iota(all.begin(), all.end(), 0u);
    std::vector<lexical_query> const queries{every("w0 w1").also(words("w7")),
        phrase("w0 w1", 3).times(2),
        any_of({phrase("w1 w0"), prefix("w2"), fuzzy("w11", 1).times(0.5)}),
        all_of({prefix("w1"), words("w0 w2 w3")})
            .without(phrase("w0 w0", 1))
            .also(any_of({words("w5")})),
        words("w0").times(0).also(words("w4 w4"))};
    for (auto const& asked : queries) {
        for (auto const& where : {filter(), filter(some)}) {
            for (auto const whose : {statistics::whole, statistics::eligible}) {
                search_options options{.k = 1000, .where = where, .statistics = whose};
                ranking expected;
                for (auto const& h : index.score(asked, all, options)) {
                    auto const why = index.explain(asked, h.id, options);
                    REQUIRE(adds_up(why));
                    REQUIRE(std::bit_cast<std::uint64_t>(why.value)
                            == std::bit_cast<std::uint64_t>(static_cast<double>(h.score)));
                    if (why.label != "no match") expected.push_back(h);
                }
                std::sort(expected.begin(), expected.end(), by_rank{});
                REQUIRE(index.search(asked, options) == expected);
                REQUIRE_FALSE(expected.empty());
                options.k = 5;
                if (expected.size() > 5) expected.resize(5);
                REQUIRE(index.search(asked, options) == expected);
            }
        }
        CHECK(index.search(asked, {.k = 150, .where = some, .statistics = statistics::eligible})
              == alone.search(asked, 150));
    }
}

TEST_CASE("Bad weights and phrases without positions are refused", "[lexical][query]") {
    test::index index;
    index.add("a b");
    for (double const bad : {-1.0, std::numeric_limits<double>::infinity()}) {
        auto const code = bad < 0 ? errc::invalid_argument : errc::not_finite;
        CHECK(message(code, [&] { (void)index.search(words("a").times(bad), 1); }).find("weight")
              != std::string::npos);
    }
    CHECK(message(errc::invalid_argument, [&] { (void)index.search(words("a").times(1e300), 1); })
              .find("'a' is too large")
          != std::string::npos);
    CHECK(message(errc::invalid_argument, [&] { (void)index.search(phrase("a b"), 1); })
              .find("{.positions = true}")
          != std::string::npos);
}

TEST_CASE("Queries nested too deep are refused, however deep", "[lexical][query]") {
    // Issue 15, A5: 25,000 levels overflowed the stack.
    auto const nested = [](std::size_t levels, lexical_query_list lexical_query::*where) {
        auto made = words("a");
        for (std::size_t i = 0; i < levels; ++i) {
            lexical_query outer;
            (outer.*where).push_back(std::move(made));
            made = std::move(outer);
        }
        return made;
    };
    auto const index = with_positions({"a"});
    auto const most = lexical_query::max_depth;
    for (auto const where : {&lexical_query::must, &lexical_query::should}) {
        CHECK(found(index, nested(most, where)) == ids{0});
        for (auto const levels : {most + 1, std::size_t{25000}, std::size_t{200000}}) {
            auto const deep = nested(levels, where);
            CHECK(message(errc::invalid_argument, [&] { (void)index.search(deep, 1); })
                      .find("at most 100")
                  != std::string::npos);
        }
    }
    CHECK_THROWS_AS(index.search(nested(most + 1, &lexical_query::must_not), 1), error);
}
