// SPDX-License-Identifier: MIT
// The best k of an index of many blocks are those of scoring every document, however the index came
// about.
#include "lexical/whitespace.hpp"

#include <trawl/core/thread_executor.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/lexical/lexical_query.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using trawl::doc_id;
using trawl::ranking;

namespace {

/// Texts whose words are Zipf's, so that lists have from one posting to hundreds of blocks; half of
/// them of the same few lengths, so that many scores tie.
std::vector<std::string> texts(trawl::detail::random& random, std::size_t n) {
    std::vector<std::string> made(n);
    for (auto& text : made) {
        auto const words = random.below(2) == 0 ? 4 + 4 * random.below(2) : random.below(30);
        for (std::size_t i = 0; i < words; ++i) {
            text += std::to_string(static_cast<int>(std::exp(random.uniform() * 8))) + ' ';
        }
    }
    return made;
}

std::string random_query(trawl::detail::random& random) {
    std::string made;
    for (auto words = 1 + random.below(5); words > 0; --words) {
        made += std::to_string(static_cast<int>(std::exp(random.uniform() * 8))) + ' ';
    }
    return made;
}

bool holds_all(std::string const& text, std::string const& words) {
    for (std::size_t begin = 0; begin < words.size();) {
        auto const end = words.find(' ', begin) + 1;
        if ((' ' + text).find(' ' + words.substr(begin, end - begin)) == std::string::npos)
            return false;
        begin = end;
    }
    return true;
}

ranking every_document(
    test::index const& index, std::string_view text, trawl::search_options const& options = {}) {
    std::vector<doc_id> ids(index.next_id());
    std::iota(ids.begin(), ids.end(), 0u);
    auto hits = index.score({.text = text}, ids, options);
    // Lucene's: no match scores 0
    std::erase_if(hits, [](trawl::hit const& h) { return h.score == 0; });
    std::sort(hits.begin(), hits.end(), trawl::by_rank{});
    return hits;
}

} // namespace

TEST_CASE("Pruned search gives the bits of scoring every document, for any k, filter and layout of "
          "segments",
    "[lexical][laws][pruning]") {
    auto const seed = GENERATE(1u, 2u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    auto const documents = texts(random, 12000);
    test::index grown({.k1 = 0.6 * seed, .b = 0.9});
    for (auto const& text : documents) grown.add(text);
    test::index resting(grown);
    resting.compact();
    test::index frozen(grown);
    frozen.freeze();
    test::index gaps({.k1 = 0.6 * seed, .b = 0.9});
    for (doc_id id = 0; id < documents.size(); ++id) gaps.add(3 * id + id % 2, documents[id]);
    // rows are not where their ids' bits are in a word
    test::index later({.k1 = 0.6 * seed, .b = 0.9});
    for (doc_id id = 0; id < documents.size(); ++id) later.add(id + 37, documents[id]);
    later.compact();
    // updated documents come after others of higher id
    test::index changed(seed == 1 ? grown : frozen);
    for (int i = 0; i < 700; ++i) {
        auto const id = static_cast<doc_id>(random.below(documents.size()));
        if (i % 3 == 0) {
            changed.erase(id);
        } else if (changed.contains(id)) {
            changed.update(id, documents[(id + 7) % documents.size()]);
        }
    }
    auto compacted = changed;
    compacted.compact();

    trawl::doc_set hardly_any(40000); // so few that they are looked up in a frequent term's list
    trawl::doc_set few(40000);
    trawl::doc_set some(9000); // far apart in one part, close by in another, beyond 9000 none
    trawl::doc_set many(40000);
    for (doc_id id = 0; id < 40000; ++id) {
        if (random.uniform() < 0.001) hardly_any.insert(id);
        if (random.uniform() < 0.02) few.insert(id);
        if (random.uniform() < 0.5) many.insert(id);
        if (id < 9000 && random.uniform() < (id < 6000 ? 0.005 : id < 7000 ? 0.6 : 0.0))
            some.insert(id);
    }
    for (int round = 0; round < 25; ++round) {
        auto const asked = random_query(random);
        CAPTURE(asked);
        for (auto const* const index : {&grown, &gaps, &later, &changed}) {
            auto const matches = every_document(*index, asked);
            for (auto const& where : {trawl::filter(), trawl::filter(hardly_any),
                     trawl::filter(few), trawl::filter(some), trawl::filter(many)}) {
                auto expected = matches;
                std::erase_if(expected, [&](trawl::hit const& h) { return !where.admits(h.id); });
                for (std::size_t const k : {1000u, 100u, 10u, 1u}) {
                    if (expected.size() > k) expected.resize(k);
                    CAPTURE(k);
                    REQUIRE(index->search(asked, k, where) == expected);
                    if (index == &grown) REQUIRE(resting.search(asked, k, where) == expected);
                    if (index == &grown) REQUIRE(frozen.search(asked, k, where) == expected);
                    if (index == &changed) REQUIRE(compacted.search(asked, k, where) == expected);
                }
            }
        }
        if (round >= 4) continue;
        for (auto const& where : {trawl::filter(few), trawl::filter(some), trawl::filter(many)}) {
            trawl::search_options options{
                .k = 20, .where = where, .statistics = trawl::statistics::eligible};
            auto expected = every_document(changed, asked, options);
            if (expected.size() > 20) expected.resize(20);
            REQUIRE(changed.search({.text = asked}, options) == expected);
            REQUIRE(compacted.search({.text = asked}, options) == expected);
        }
    }
}

TEST_CASE("Pruning is right to the bit for every variant, length code and a k1 near 0",
    "[lexical][laws][pruning]") {
    auto const variant = GENERATE(from_range(test::all_variants()));
    auto const k1 = GENERATE(0.9, 1e-5); // tf factors so close to 1 that their rounding decides
    auto const lengths = k1 < 0.1 ? trawl::length_code::exact : trawl::length_code::lucene_byte;
    CAPTURE(trawl::name_of(variant), k1);
    trawl::detail::random random(5);
    test::index index({.variant = variant, .k1 = k1, .lengths = lengths});
    for (auto const& text : texts(random, 4000)) index.add(text);
    for (int i = 0; i < 600; ++i) { // counts of more than 128, too
        std::string text;
        for (auto left = random.below(200); left > 0; --left)
            text += random.below(4) == 0 ? "1 " : "3 ";
        index.add(text);
    }
    auto frozen = index;
    frozen.freeze();
    std::vector<doc_id> ids(index.next_id());
    std::iota(ids.begin(), ids.end(), 0u);
    for (int round = 0; round < 6; ++round) {
        auto const asked = random_query(random);
        CAPTURE(asked);
        auto expected = index.score({.text = asked}, ids);
        std::erase_if(expected, [&](trawl::hit const& h) {
            return h.score == 0 && index.explain({.text = asked}, h.id).label == "no match";
        });
        std::sort(expected.begin(), expected.end(), trawl::by_rank{});
        for (std::size_t const k : {5000u, 50u, 3u}) {
            if (expected.size() > k) expected.resize(k);
            REQUIRE(index.search(asked, k) == expected);
            REQUIRE(frozen.search(asked, k) == expected);
        }
    }
}

TEST_CASE(
    "Weights far apart and long repetitive documents leave bounds right", "[lexical][pruning]") {
    trawl::detail::random random(3);
    test::index index;
    for (int i = 0; i < 3000; ++i) {
        std::string text;
        // Counts above 255 and a few lengths above 65535, beyond what a block's bound can hold.
        for (auto left = random.below(i % 500 == 0 ? 70000 : 600); left > 0; --left) {
            text += random.below(3) == 0 ? "a " : "b ";
        }
        if (random.below(10) == 0) text += "c";
        index.add(text);
    }
    auto frozen = index;
    frozen.freeze();
    std::vector<doc_id> ids(3000);
    std::iota(ids.begin(), ids.end(), 0u);
    for (double const weight : {1e-9, 1e-3, 1.0, 1e6}) {
        std::vector<trawl::weighted_term> const terms{{"a", weight}, {"b"}, {"c", 2}};
        auto expected = index.score({.terms = terms}, ids);
        // A weight of 1e-9 against 2 gives less than a step, yet a match is a match.
        std::erase_if(expected, [&](trawl::hit const& h) {
            return index.explain({.terms = terms}, h.id).label == "no match";
        });
        std::sort(expected.begin(), expected.end(), trawl::by_rank{});
        for (std::size_t const k : {3000u, 30u, 2u}) {
            if (expected.size() > k) expected.resize(k);
            CAPTURE(weight, k);
            CHECK(index.search({.terms = terms}, {.k = k}) == expected);
            CHECK(frozen.search({.terms = terms}, {.k = k}) == expected);
        }
    }
}

TEST_CASE("A document must hold all words, or some and may hold others: the bits of looking at "
          "every document",
    "[lexical][laws][pruning]") {
    auto const seed = GENERATE(1u, 2u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    auto const documents = texts(random, 6000);
    test::index index(
        {.variant = seed == 1 ? trawl::bm25_variant::lucene : trawl::bm25_variant::robertson});
    for (auto const& text : documents) index.add(text);
    for (int i = 0; i < 300; ++i) index.erase(static_cast<doc_id>(random.below(documents.size())));
    auto resting = index;
    if (seed == 1) {
        resting.compact();
    } else {
        resting.freeze();
    }
    trawl::doc_set many(6000);
    for (doc_id id = 0; id < 6000; ++id) {
        if (random.uniform() < 0.3) many.insert(id);
    }
    for (int round = 0; round < 12; ++round) {
        auto const needed = random_query(random);
        auto const also = random_query(random);
        CAPTURE(needed, also);
        auto const asked = round % 2 == 0 ? trawl::ask::every(needed)
                                          : trawl::ask::every(needed).also(trawl::ask::words(also));
        for (auto const& where : {trawl::filter(), trawl::filter(many)}) {
            std::vector<doc_id> matching;
            for (doc_id id = 0; id < documents.size(); ++id) {
                if (index.contains(id) && holds_all(documents[id], needed)) matching.push_back(id);
            }
            ranking expected = index.score(asked, matching, {.where = where});
            std::sort(expected.begin(), expected.end(), trawl::by_rank{});
            for (std::size_t const k : {6000u, 100u, 10u, 1u}) {
                if (expected.size() > k) expected.resize(k);
                CAPTURE(k);
                REQUIRE(index.search(asked, k, where) == expected);
                REQUIRE(resting.search(asked, k, where) == expected);
            }
        }
    }
}

TEST_CASE("Documents added together, on any number of threads, are found as those added one by one",
    "[lexical][laws][pruning]") {
    trawl::detail::random random(6);
    auto const documents = texts(random, 5000);
    test::index expected;
    for (auto const& text : documents) expected.add(text);
    std::vector<std::string_view> const views(documents.begin(), documents.end());
    trawl::thread_executor const threads(3);
    for (auto const* const where : {static_cast<trawl::executor const*>(nullptr),
             static_cast<trawl::executor const*>(&threads)}) {
        test::index together;
        CHECK(together.add_all(std::span(views).first(100), where) == 0);
        CHECK(together.add(documents[100]) == 100);
        CHECK(together.add_all(std::span(views).subspan(101), where) == 101);
        CHECK(together.add_all(std::span<std::string_view const>(), where) == 5000);
        CHECK(together.size() == 5000);
        for (int round = 0; round < 20; ++round) {
            if (round == 10) together.compact(where);
            auto const asked = random_query(random);
            CAPTURE(asked, round);
            CHECK(together.search(asked, 50) == expected.search(asked, 50));
        }
    }
}

TEST_CASE("Many queries at once get what each gets alone, on any number of threads",
    "[lexical][pruning]") {
    trawl::detail::random random(4);
    test::index index;
    for (auto const& text : texts(random, 3000)) index.add(text);
    std::vector<std::string> asked;
    std::vector<trawl::query> queries;
    for (int i = 0; i < 60; ++i) asked.push_back(random_query(random));
    for (auto const& text : asked) queries.push_back({.text = text});
    trawl::thread_executor const threads(3);
    for (auto const* const where : {static_cast<trawl::executor const*>(nullptr),
             static_cast<trawl::executor const*>(&threads)}) {
        auto const found = index.search(queries, {.k = 20, .executor = where});
        REQUIRE(found.size() == queries.size());
        for (std::size_t i = 0; i < queries.size(); ++i)
            CHECK(found[i] == index.search(asked[i], 20));
    }
    CHECK(index.search(std::span<trawl::query const>(), {}).empty());
    std::vector<trawl::weighted_term> const bad{{"1", -1}};
    queries.push_back({.terms = bad});
    CHECK_THROWS_AS(index.search(queries, {.executor = &threads}), trawl::error);
}

TEST_CASE(
    "An index given other parameters finds what one built with them finds", "[lexical][laws]") {
    trawl::detail::random random(5);
    auto const documents = texts(random, 3000);
    test::index tuned;
    for (auto const& text : documents) tuned.add(text);
    tuned.compact();
    for (auto const& parameters : {trawl::bm25{.k1 = 0.4, .b = 0}, trawl::bm25{.k1 = 3, .b = 1},
             trawl::bm25{.variant = trawl::bm25_variant::bm25plus},
             trawl::bm25{.lengths = trawl::length_code::lucene_byte}}) {
        test::index built(parameters);
        for (auto const& text : documents) built.add(text);
        tuned.set_parameters(parameters);
        CHECK(tuned.parameters().k1 == parameters.k1);
        for (int round = 0; round < 10; ++round) {
            auto const asked = random_query(random);
            REQUIRE(tuned.search(asked, 10) == built.search(asked, 10));
        }
    }
    CHECK_THROWS_AS(tuned.set_parameters({.k1 = -1}), trawl::error);
    CHECK(tuned.parameters().lengths == trawl::length_code::lucene_byte);
}
