// SPDX-License-Identifier: MIT
// The laws of exactness on random documents of two fields.
#include "lexical/fields.hpp"

#include <trawl/lexical/query_syntax.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

using namespace trawl;
using namespace trawl::ask;

namespace {

struct setting {
    unsigned seed;
    bm25 parameters;
    std::vector<bm25_field> fields;
};

setting any_setting() {
    auto const variant = GENERATE(from_range(test::all_variants()));
    auto const seed = GENERATE(1u, 2u);
    auto const lengths = seed == 2 ? length_code::lucene_byte : length_code::exact;
    return {seed, {.variant = variant, .k1 = 0.6 * seed, .b = 0.4, .lengths = lengths},
        {{"title", seed == 1 ? 2.5 : 0.3, 0.9}, {"text"}}};
}

#define CAPTURE_SETTING(s) CAPTURE((s).seed, name_of((s).parameters.variant))

doc_set some_of(detail::random& random, std::size_t documents, double share) {
    doc_set set(documents);
    for (doc_id id = 0; id < documents; ++id) {
        if (random.uniform() < share) set.insert(id);
    }
    return set;
}

std::vector<doc_id> all_ids(test::field_index const& index) {
    std::vector<doc_id> ids(index.next_id());
    std::iota(ids.begin(), ids.end(), 0u);
    return ids;
}

// What scoring, explaining and sorting every document gives.
template <class Query>
ranking by_hand(
    test::field_index const& index, Query const& wanted, search_options const& options) {
    ranking expected;
    for (auto const& h : index.score(wanted, all_ids(index), options)) {
        auto const why = index.explain(wanted, h.id, options);
        REQUIRE(adds_up(why));
        REQUIRE(std::bit_cast<std::uint64_t>(why.value)
                == std::bit_cast<std::uint64_t>(static_cast<double>(h.score)));
        if (why.label != "no match") expected.push_back(h);
    }
    std::sort(expected.begin(), expected.end(), by_rank{});
    return expected;
}

} // namespace

TEST_CASE(
    "A search of fields gives what scoring and sorting gives, for any k, filter and statistics",
    "[lexical][fields][laws]") {
    auto const s = any_setting();
    CAPTURE_SETTING(s);
    detail::random random(s.seed);
    test::field_index index(s.fields, s.parameters);
    for (int i = 0; i < 250; ++i) index.add(test::views(test::random_document(random)));
    for (int round = 0; round < 3; ++round) {
        auto const wanted = test::random_text(random, 1 + random.below(5));
        auto const set = some_of(random, 250, std::vector{0.02, 0.1, 0.6}[random.below(3)]);
        CAPTURE(wanted, set.count());
        for (auto const& where : {filter(), filter(set)}) {
            for (auto const whose : {statistics::whole, statistics::eligible}) {
                search_options options{.where = where, .statistics = whose};
                auto expected = by_hand(index, query{.text = wanted}, options);
                // each a prefix of the one before
                for (std::size_t const k : {1000u, 8u, 5u, 1u, 0u}) {
                    options.k = k;
                    if (expected.size() > k) expected.resize(k);
                    REQUIRE(index.search({.text = wanted}, options) == expected);
                }
            }
        }
    }
}

TEST_CASE("Long lists of fields are pruned to the same bits", "[lexical][fields][laws]") {
    // Beyond one window and many blocks; long documents last, so that bounds fall and ties meet the
    // threshold.
    auto const seed = GENERATE(1u, 2u);
    CAPTURE(seed);
    detail::random random(seed);
    test::field_index index({{"title", 3, 0.5}, {"text"}}, {.k1 = 0.9});
    test::field_index loose({{"title", 3, 0.5}, {"text"}}, {.k1 = 0.9}); // not compact
    for (std::size_t i = 0; i < 9500; ++i) {
        auto const title = test::random_text(random, random.below(4));
        auto const text =
            test::random_text(random, 1 + random.below(4) + (i > 5000 ? random.below(12) : 0));
        index.add({title, text});
        loose.add({title, text});
    }
    for (doc_id id = 0; id < 9500; id += 13) {
        index.erase(id);
        loose.erase(id);
    }
    index.compact();
    auto const ids = all_ids(index);
    auto const few = some_of(random, 9500, 0.01);
    for (int round = 0; round < 12; ++round) {
        auto const wanted = test::random_text(random, 1 + random.below(5));
        CAPTURE(wanted);
        auto expected = index.score({.text = wanted}, ids);
        std::erase_if(expected, [](hit const& h) { return h.score == 0; });
        std::sort(expected.begin(), expected.end(), by_rank{});
        REQUIRE(index.search(wanted, 9500) == expected);
        auto filtered = expected;
        std::erase_if(filtered, [&](hit const& h) { return !few.contains(h.id); });
        REQUIRE(index.search(wanted, 9500, few) == filtered);
        for (std::size_t const k : {300u, 10u, 1u}) {
            if (expected.size() > k) expected.resize(k);
            if (filtered.size() > k) filtered.resize(k);
            REQUIRE(index.search(wanted, k) == expected);
            REQUIRE(loose.search(wanted, k) == expected);
            REQUIRE(index.search(wanted, k, few) == filtered);
        }
    }
}

TEST_CASE("Statistics of the eligible give the bits of an index of fields of these alone",
    "[lexical][fields][laws]") {
    auto const s = any_setting();
    CAPTURE_SETTING(s);
    detail::random random(s.seed);
    std::vector<test::two_texts> texts;
    test::field_index index(s.fields, s.parameters);
    for (int i = 0; i < 200; ++i) {
        texts.push_back(test::random_document(random));
        index.add(test::views(texts.back()));
    }
    for (doc_id id = 0; id < 200; id += 7) index.erase(id);
    for (int round = 0; round < 4; ++round) {
        auto const set = some_of(random, 200, std::vector{0.05, 0.3, 0.9}[random.below(3)]);
        test::field_index alone(s.fields, s.parameters);
        set.for_each([&](doc_id id) {
            if (index.contains(id)) alone.add(id, test::views(texts[id]));
        });
        auto const wanted = test::random_text(random, 1 + random.below(4));
        CAPTURE(wanted, set.count());
        CHECK(index.search(
                  {.text = wanted}, {.k = 200, .where = set, .statistics = statistics::eligible})
              == alone.search(wanted, 200));
    }
}

TEST_CASE("Fields changed again and again are those built at once", "[lexical][fields][laws]") {
    auto const s = any_setting();
    CAPTURE_SETTING(s);
    detail::random random(s.seed);
    test::field_index changed(s.fields, s.parameters);
    std::vector<std::optional<test::two_texts>> final_texts;
    for (int i = 0; i < 250; ++i) {
        final_texts.emplace_back(test::random_document(random));
        changed.add(test::views(*final_texts.back()));
        auto const other = static_cast<doc_id>(random.below(changed.next_id()));
        auto const deed = random.below(4);
        if (deed == 0) {
            changed.erase(other);
            final_texts[other].reset();
        } else if (deed == 1 && changed.contains(other)) {
            final_texts[other] = test::random_document(random);
            changed.update(other, test::views(*final_texts[other]));
        }
    }
    test::field_index rebuilt(s.fields, s.parameters);
    for (doc_id id = 0; id < final_texts.size(); ++id) {
        if (final_texts[id]) rebuilt.add(id, test::views(*final_texts[id]));
    }
    REQUIRE(changed.size() == rebuilt.size());
    for (int round = 0; round < 10; ++round) {
        auto const wanted = test::random_text(random, 1 + random.below(4));
        CAPTURE(wanted);
        auto const expected = rebuilt.search(wanted, 250);
        CHECK(changed.search(wanted, 250) == expected);
        if (round == 5) changed.compact();
    }
}

TEST_CASE("Questions of fields: search, score and explain agree for any filter and statistics",
    "[lexical][fields][query][laws]") {
    auto const variant =
        GENERATE(bm25_variant::lucene, bm25_variant::okapi, bm25_variant::bm25plus);
    CAPTURE(name_of(variant));
    detail::random random(11);
    std::vector<bm25_field> const fields{{"title", 2, 0.3}, {"text"}};
    bm25 const parameters{.variant = variant, .k1 = 0.9};
    test::field_index index(fields, parameters, {.positions = true});
    std::vector<test::two_texts> texts;
    for (int i = 0; i < 150; ++i) {
        texts.push_back(test::random_document(random));
        index.add(test::views(texts.back()));
    }
    for (doc_id id = 0; id < 150; id += 11) index.erase(id);
    auto const some = some_of(random, 150, 0.5);
    test::field_index alone(fields, parameters, {.positions = true});
    some.for_each([&](doc_id id) {
        if (index.contains(id)) alone.add(id, test::views(texts[id]));
    });
    std::vector<lexical_query> const queries{every("0 1").also(words("7").in("title")),
        phrase("0 1", 2).times(2), phrase("1 0", 1).in("text"), prefix("1").in("title"),
        any_of({phrase("1 0", 3), prefix("2"), fuzzy("11", 1).times(0.5)}),
        all_of({prefix("1"), words("0 2 3")}).without(words("4").in("title")).also(words("5")),
        every("0").in("title").without(every("1").in("text"))};
    for (auto const& asked : queries) {
        for (auto const& where : {filter(), filter(some)}) {
            for (auto const whose : {statistics::whole, statistics::eligible}) {
                search_options options{.k = 1000, .where = where, .statistics = whose};
                auto expected = by_hand(index, asked, options);
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
    // Words each once, asked of all fields, are a search for the text.
    for (auto const* const text : {"3", "0 5 9", "29 1"}) {
        CHECK(index.search(words(text), 50) == index.search(text, 50));
    }
}

TEST_CASE("What is asked of one field knows nothing of the others", "[lexical][fields][query]") {
    test::field_index index({{"title", 2}, {"text"}}, {}, {.positions = true});
    index.add({"dead lock", "x y"});
    index.add({"x", "dead lock"});
    index.add({"dead", "lock"});
    index.add({"lock dead", "dead"});
    auto const found = [&](lexical_query const& asked) {
        std::vector<doc_id> ids;
        for (auto const& h : index.search(asked, 10)) ids.push_back(h.id);
        std::sort(ids.begin(), ids.end());
        return ids;
    };
    using ids = std::vector<doc_id>;
    CHECK(found(words("lock")) == ids{0, 1, 2, 3});
    CHECK(found(words("lock").in("title")) == ids{0, 3});
    CHECK(found(phrase("dead lock")) == ids{0, 1}); // not from one field into the next
    CHECK(found(phrase("dead lock").in("text")) == ids{1});
    CHECK(found(phrase("dead lock", 2).in("title")) == ids{0, 3});
    CHECK(found(prefix("de").in("text")) == ids{1, 3});
    CHECK(found(fuzzy("laed", 2).in("title")) == ids{0, 2, 3});
    CHECK(found(words("dead").without(words("dead").in("text"))) == ids{0, 2});
    // A combination hands its field down, but for what names its own.
    CHECK(found(all_of({words("dead"), words("x").in("text")}).in("title")) == ids{0});
    // df of the field alone, and the average length of its own: N 4, df 2; lengths 2 1 1 2; a
    // weight of 2.
    auto const c = 2 / (0.25 + 0.75 * 2 / 1.5);
    auto const hits = index.score(words("lock").in("title"), std::vector<doc_id>{0});
    CHECK_THAT(static_cast<double>(hits[0].score), WithinRel(std::log(2.0) * c / (1.2 + c), 1e-6));

    for (auto const* const name : {"titel", "Title"}) {
        try {
            static_cast<void>(index.search(words("a").in(name), 5));
            FAIL("no error");
        } catch (error const& e) {
            CHECK(e.code() == errc::invalid_argument);
            CHECK(e.what()
                  == detail::join(
                      "lexical_query: there is no field '", name, "'; there are title, text"));
        }
    }
    test::index plain;
    plain.add("a");
    CHECK_THROWS_WITH(static_cast<void>(plain.search(words("a").in("title"), 5)),
        "lexical_query: there is no field 'title'");
}

TEST_CASE("The syntax names fields", "[lexical][fields][syntax]") {
    test::field_index index({{"title", 2}, {"text"}}, {}, {.positions = true});
    index.add({"dead lock", "x y of 10:30"});
    index.add({"x", "dead lock http://a"});
    index.add({"dead", "lock Note: title:x"});
    auto const same = [&](std::string_view text, lexical_query const& tree) {
        CAPTURE(text);
        CHECK(index.search(parse_query(text, index.fields()), 10) == index.search(tree, 10));
        CHECK(syntax_search(index).search(text, 10) == index.search(tree, 10));
    };
    same("title:lock", words("lock").in("title"));
    same("+title:dead -text:lock", every("dead").in("title").without(words("lock").in("text")));
    same("title:\"dead lock\"~2^3 x",
        any_of({phrase("dead lock", 2).in("title").times(3), words("x")}));
    same("text:lo*^2", prefix("lo").in("text").times(2));
    same("title:daed~1", fuzzy("daed", 1).in("title"));
    // A colon elsewhere is a letter.
    same("10:30", words("10:30"));
    same("http://a", words("http://a"));
    same("Note: x", words("Note: x"));
    same("title\\:x", words("title:x"));
    same("+10:30", every("10:30"));
    CHECK_FALSE(index.search(words("10:30"), 5).empty());
    // Without fields it is one, too.
    CHECK(parse_query("title:x").should.at(0).text == "title:x");

    for (auto const& [text, expected] : std::vector<std::pair<std::string, std::string>>{
             {"a titel:b", "query, column 3: there is no field 'titel', only title, text; for the "
                           "sign itself write "
                           "\\:"},
             {"+titel:\"a b\"", "query, column 2: there is no field 'titel', only title, text; for "
                                "the sign itself write "
                                "\\:"},
             {"caf\xC3\xA9 title: b", "query, column 11: a word or a phrase must follow 'title:'; "
                                      "for the sign itself write \\:"},
             {"-text:", "query, column 6: a word or a phrase must follow 'text:'; for the sign "
                        "itself write \\:"},
             {"title:\"a", "query, column 7: the quotation mark is never closed"},
             {"text:a~7", "query, column 8: a word may be 1 or 2 edits away, not 7"}}) {
        CAPTURE(text);
        CHECK_THROWS_WITH(static_cast<void>(parse_query(text, index.fields())), expected);
    }
}
