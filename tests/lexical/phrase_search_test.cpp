// SPDX-License-Identifier: MIT
// A phrase is found where trying all finds it, whatever is left out and however the index came
// about.
#include <trawl/lexical/detail/search/phrase_search.hpp>

#include "lexical/phrases.hpp"
#include "lexical/whitespace.hpp"

#include <trawl/detail/random.hpp>
#include <trawl/lexical/lexical_query.hpp>
#include <trawl/lexical/storage.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "support/catch.hpp"

using namespace trawl;
using Catch::Matchers::WithinRel;

namespace {

struct asked {
    std::string text;
    bool repeats; ///< a word
};

std::vector<asked> const phrases{{"a b", false}, {"e a", false}, {"a a", true}, {"b a c", false},
    {"a b a", true}, {"c a b d", false}, {"b a b a", true}, {"a b c d e", false},
    {"a b a c b", true}, {"f a", false}, {"a", false}};

std::vector<std::string> random_texts(
    detail::random& random, std::size_t documents, std::size_t words) {
    std::vector<std::string> texts(documents);
    for (auto& text : texts) { // a the most frequent, f rare
        for (auto left = random.below(words); left > 0; --left)
            text += "abcdef"[random.below(1 + random.below(6))] + std::string(" ");
    }
    return texts;
}

/// The same documents, put in one by one, at once, made one segment, read from a file, frozen.
std::vector<test::index> layouts(
    std::vector<std::string> const& texts, std::vector<doc_id> const& erased, bm25 parameters) {
    std::vector<test::index> all(3, test::index(parameters, {.positions = true}));
    for (auto const& text : texts) all[0].add(text);
    std::vector<std::string_view> const views(texts.begin(), texts.end());
    all[1].add_all(views);
    for (auto const& text : texts) all[2].add(text);
    for (auto& index : all) {
        for (auto const id : erased) index.erase(id);
    }
    all[2].compact();
    std::string const path = "phrase_search_test.tmp";
    save(all[0], path);
    all.push_back(open<test::index>(path));
    all.push_back(all[2]);
    all.back().freeze();
    std::remove(path.c_str()); // it stays mapped
    return all;
}

} // namespace

TEST_CASE("The best phrases are those of all that trying finds, in every layout",
    "[lexical][phrase][laws]") {
    auto const seed = GENERATE(1u, 2u);
    CAPTURE(seed);
    detail::random random(seed);
    auto const texts = random_texts(random, 700, 14);
    std::vector<doc_id> erased;
    for (doc_id id = 3; id < 700; id += 1 + static_cast<doc_id>(random.below(20)))
        erased.push_back(id);
    doc_set some(700);
    for (int i = 0; i < 250; ++i) some.insert(static_cast<doc_id>(random.below(700)));
    auto const indexes = layouts(texts, erased, {});
    std::vector<std::vector<std::string>> split;
    for (auto const& text : texts) split.push_back(test::split(text));

    for (auto const& [text, repeats] : phrases) {
        for (std::uint32_t slop = 0; slop <= 3; ++slop) {
            CAPTURE(text, slop);
            auto const phrase = ask::phrase(text, slop);
            for (auto const& where : {filter(), filter(some)}) {
                auto const all = indexes[0].search(phrase, 1000, where);
                for (auto const& h : all) {
                    auto const hits = indexes[0].score(phrase, std::vector{h.id});
                    REQUIRE(hits == ranking{h});
                }
                // two words at one place: their test is boolean_query_test's
                if (!repeats || slop == 0) {
                    ranking found;
                    for (doc_id id = 0; id < 700; ++id) {
                        auto const frequency = test::phrase_by_hand(
                            split[id], test::split(text), static_cast<int>(slop));
                        if (frequency == 0 || !indexes[0].contains(id) || !where.admits(id))
                            continue;
                        REQUIRE(std::find_if(all.begin(), all.end(), [&](hit const& h) {
                            return h.id == id;
                        }) != all.end());
                        found.push_back({id, 0});
                    }
                    REQUIRE(found.size() == all.size());
                }
                for (auto const& index : indexes) {
                    REQUIRE(index.search(phrase, 1000, where) == all);
                    for (std::size_t const k : {1u, 3u, 10u}) {
                        auto best = all;
                        if (best.size() > k) best.resize(k);
                        REQUIRE(index.search(phrase, k, where) == best);
                    }
                }
            }
        }
    }
}

TEST_CASE("Nothing is left out for its score in any variant", "[lexical][phrase][laws]") {
    auto const variant = GENERATE(from_range(test::all_variants()));
    CAPTURE(name_of(variant));
    detail::random random(5);
    auto const texts = random_texts(random, 400, 30);
    for (double const k1 : {0.0, 1e-7, 1.2}) {
        bm25 const parameters{.variant = variant, .k1 = k1, .b = 1};
        for (auto const& index : layouts(texts, {7, 8, 100}, parameters)) {
            for (auto const& [text, repeats] : phrases) {
                for (std::uint32_t const slop : {0u, 2u}) {
                    CAPTURE(k1, text, slop);
                    auto const all = index.search(ask::phrase(text, slop), 1000);
                    auto best = index.search(ask::phrase(text, slop), 4);
                    REQUIRE(best.size() == (std::min)(all.size(), std::size_t{4}));
                    REQUIRE(std::equal(best.begin(), best.end(), all.begin()));
                }
            }
        }
    }
}

TEST_CASE("No frequency is above the bound that leaves documents out", "[lexical][phrase]") {
    detail::random random(9);
    for (int round = 0; round < 3000; ++round) {
        auto const words = 1 + random.below(5);
        auto const slop = static_cast<std::uint32_t>(random.below(6));
        std::vector<std::vector<std::uint32_t>> gaps(words);
        std::vector<detail::phrase_word> phrase;
        auto least = std::uint32_t{100};
        for (std::uint32_t i = 0; i < words; ++i) {
            auto const count = 1 + random.below(i == 0 ? 2 : 8);
            for (std::size_t j = 0; j < count; ++j)
                gaps[i].push_back((j == 0 ? 0u : 1u) + static_cast<std::uint32_t>(random.below(3)));
            least = (std::min)(least, static_cast<std::uint32_t>(count));
            gaps[i].resize(count + 2);
            phrase.emplace_back(i, i,
                detail::position_run(reinterpret_cast<unsigned char const*>(gaps[i].data()), 0, 32,
                    static_cast<std::uint32_t>(count)));
        }
        CAPTURE(round, words, slop, least);
        auto const bound = detail::phrase_matches::max_tf(least, slop, words);
        REQUIRE(detail::phrase_matches(phrase).frequency(slop) <= bound);
    }
}

TEST_CASE("A phrase of two words scores by how often it stands there", "[lexical][phrase]") {
    // 400 documents, "x y" tf times in each of three of them; df of x and y: 400 and 3.
    test::index index({}, {.positions = true});
    for (int id = 0; id < 400; ++id) {
        std::string text = "x x x x x x";
        if (id == 150) text = "x y x y x x";
        if (id == 151) text = "y x x y x x"; // two of each word, once side by side
        if (id == 399) text = "x y x y x y";
        index.add(text);
    }
    auto const idf = std::log(1 + 0.5 / 400.5) + std::log(1 + 397.5 / 3.5);
    auto const best = index.search(ask::phrase("x y"), 10);
    REQUIRE(best.size() == 3);
    doc_id const order[] = {399, 150, 151};
    for (std::size_t i = 0; i < 3; ++i) {
        auto const tf = 3.0 - static_cast<double>(i);
        CHECK(best[i].id == order[i]);
        CHECK_THAT(static_cast<double>(best[i].score), WithinRel(idf * tf / (tf + 1.2), 1e-6));
    }
    CHECK(index.search(ask::phrase("x y"), 0).empty());
    CHECK(index.search(ask::phrase("x y"), 1)[0].id == 399);
    CHECK(index.search(ask::phrase("y unknown"), 1).empty());
}
