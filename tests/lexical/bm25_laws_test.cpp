// SPDX-License-Identifier: MIT
// The laws of exactness on random documents, for every variant.
#include "lexical/whitespace.hpp"

#include <trawl/lexical/detail/scoring/idf.hpp>

#include <trawl/detail/random.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

using trawl::bm25_variant;
using trawl::doc_id;
using trawl::ranking;
using trawl::statistics;

namespace {

/// Texts of few words, so that terms are shared, scores tie and some terms are in most documents.
class world {
public:
    explicit world(unsigned seed) : random(seed) {
        for (std::size_t i = 0; i < 300; ++i) texts.push_back(text(random.below(20)));
    }

    std::string text(std::size_t words) {
        std::string made;
        for (std::size_t i = 0; i < words; ++i)
            made += std::to_string(random.below(1 + random.below(30))) + ' ';
        return made;
    }

    trawl::doc_set some(double share) {
        trawl::doc_set set(texts.size());
        for (doc_id id = 0; id < texts.size(); ++id) {
            if (random.uniform() < share) set.insert(id);
        }
        return set;
    }

    trawl::detail::random random;
    std::vector<std::string> texts;
};

struct setting {
    unsigned seed;
    trawl::bm25 parameters;
};

setting any_setting() {
    auto const variant = GENERATE(from_range(test::all_variants()));
    auto const seed = GENERATE(1u, 2u, 3u);
    auto const k1 = 0.3 * seed;
    auto const lengths = seed == 2 ? trawl::length_code::lucene_byte : trawl::length_code::exact;
    return {seed, {.variant = variant, .k1 = k1, .b = 1 - k1, .lengths = lengths}};
}

test::index built(std::vector<std::string> const& texts, trawl::bm25 const& parameters) {
    test::index index(parameters);
    for (auto const& text : texts) index.add(text);
    return index;
}

std::vector<doc_id> all_ids(test::index const& index) {
    std::vector<doc_id> ids(index.next_id());
    std::iota(ids.begin(), ids.end(), 0u);
    return ids;
}

#define CAPTURE_SETTING(s)                                                                         \
    CAPTURE((s).seed, trawl::name_of((s).parameters.variant), (s).parameters.k1)

} // namespace

TEST_CASE(
    "A search gives what scoring and sorting all documents gives, for any k, filter and statistics",
    "[lexical][laws]") {
    auto const s = any_setting();
    CAPTURE_SETTING(s);
    world w(s.seed);
    auto const index = built(w.texts, s.parameters);
    auto const ids = all_ids(index);
    for (int round = 0; round < 8; ++round) {
        auto const wanted = w.text(1 + w.random.below(5));
        auto const set = w.some(std::vector{0.01, 0.1, 0.6}[w.random.below(3)]);
        CAPTURE(wanted, set.count());
        for (auto const& where : {trawl::filter(), trawl::filter(set)}) {
            for (auto const whose : {statistics::whole, statistics::eligible}) {
                trawl::search_options options{.where = where, .statistics = whose};
                ranking expected;
                for (auto const& h : index.score({.text = wanted}, ids, options)) {
                    auto const why = index.explain({.text = wanted}, h.id, options);
                    REQUIRE(trawl::adds_up(why));
                    REQUIRE(std::bit_cast<std::uint64_t>(why.value)
                            == std::bit_cast<std::uint64_t>(static_cast<double>(h.score)));
                    if (why.label != "no match") expected.push_back(h);
                }
                std::sort(expected.begin(), expected.end(), trawl::by_rank{});
                // each a prefix of the one before
                for (std::size_t const k : {1000u, 300u, 8u, 5u, 1u, 0u}) {
                    options.k = k;
                    if (expected.size() > k) expected.resize(k);
                    REQUIRE(index.search({.text = wanted}, options) == expected);
                }
            }
        }
    }
}

TEST_CASE("Many documents are scored as few are", "[lexical][laws]") { // beyond one window of sums
    world w(4);
    test::index index;
    for (int i = 0; i < 9000; ++i) index.add(w.text(w.random.below(6)));
    auto const ids = all_ids(index);
    for (int round = 0; round < 10; ++round) {
        auto const wanted = w.text(3);
        auto expected = index.score({.text = wanted}, ids);
        std::erase_if(expected, [](trawl::hit const& h) { return h.score == 0; });
        std::sort(expected.begin(), expected.end(), trawl::by_rank{});
        CHECK(index.search(wanted, 9000) == expected);
    }
}

TEST_CASE("A filter takes documents away and changes no score", "[lexical][laws]") {
    auto const s = any_setting();
    CAPTURE_SETTING(s);
    world w(s.seed);
    auto const index = built(w.texts, s.parameters);
    for (int round = 0; round < 12; ++round) {
        auto const wanted = w.text(1 + w.random.below(4));
        auto const set = w.some(w.random.uniform());
        auto expected = index.search(wanted, 1000);
        std::erase_if(expected, [&](trawl::hit const& h) { return !set.contains(h.id); });
        CHECK(index.search(wanted, 1000, set) == expected);
    }
}

TEST_CASE(
    "Statistics of the eligible give the bits of an index of these alone", "[lexical][laws]") {
    auto const s = any_setting();
    CAPTURE_SETTING(s);
    world w(s.seed);
    auto index = built(w.texts, s.parameters);
    for (doc_id id = 0; id < 300; id += 7) index.erase(id);
    for (int round = 0; round < 8; ++round) {
        auto const set = w.some(std::vector{0.02, 0.3, 0.9}[w.random.below(3)]);
        test::index alone(s.parameters);
        set.for_each([&](doc_id id) {
            if (index.contains(id)) alone.add(id, w.texts[id]);
        });
        auto const wanted = w.text(1 + w.random.below(4));
        CAPTURE(wanted, set.count());
        CHECK(index.search(
                  {.text = wanted}, {.k = 300, .where = set, .statistics = statistics::eligible})
              == alone.search(wanted, 300));
    }
}

TEST_CASE("Erased is never added, updated is added so, and neither history nor order counts",
    "[lexical][laws]") {
    auto const s = any_setting();
    CAPTURE_SETTING(s);
    world w(s.seed);
    test::index changed(s.parameters);
    std::vector<std::optional<std::string>> final_texts;
    for (auto const& text : w.texts) {
        final_texts.emplace_back(text);
        changed.add(text);
        auto const other = static_cast<doc_id>(w.random.below(changed.next_id()));
        auto const deed = w.random.below(4);
        if (deed == 0) {
            changed.erase(other);
            final_texts[other].reset();
        } else if (deed == 1 && changed.contains(other)) {
            final_texts[other] = w.text(w.random.below(20)) + "new" + std::to_string(other);
            changed.update(other, *final_texts[other]);
        }
    }
    test::index rebuilt(s.parameters);
    for (doc_id id = 0; id < final_texts.size(); ++id) {
        if (final_texts[id]) rebuilt.add(id, *final_texts[id]);
    }
    REQUIRE(changed.size() == rebuilt.size());
    REQUIRE(changed.size() < 290);
    auto const ids = all_ids(changed);
    for (int round = 0; round < 20; ++round) {
        auto const wanted = w.text(1 + w.random.below(4)) + (round % 5 == 0 ? "new11 new12" : "");
        CAPTURE(wanted);
        CHECK(changed.search(wanted, 300) == rebuilt.search(wanted, 300));
        CHECK(changed.score({.text = wanted}, ids) == rebuilt.score({.text = wanted}, ids));
    }
}

TEST_CASE("The order of documents changes nothing but ids", "[lexical][laws]") {
    auto const s = any_setting();
    CAPTURE_SETTING(s);
    world w(s.seed);
    std::vector<doc_id> order(w.texts.size());
    std::iota(order.begin(), order.end(), 0u);
    w.random.shuffle(std::span(order));
    std::vector<std::string> shuffled;
    for (doc_id const id : order) shuffled.push_back(w.texts[id]);
    auto const straight = built(w.texts, s.parameters);
    auto const mixed = built(shuffled, s.parameters);
    for (int round = 0; round < 12; ++round) {
        auto const wanted = w.text(1 + w.random.below(6));
        CAPTURE(wanted);
        auto hits = mixed.search(wanted, 300);
        for (auto& h : hits) h.id = order[h.id];
        std::sort(hits.begin(), hits.end(), trawl::by_rank{});
        CHECK(hits == straight.search(wanted, 300));
    }
}

TEST_CASE("The order of a query's terms changes no bit", "[lexical][laws]") {
    auto const s = any_setting();
    CAPTURE_SETTING(s);
    world w(s.seed);
    auto const index = built(w.texts, s.parameters);
    std::vector<std::string> words;
    for (int i = 0; i < 30; ++i) words.push_back(std::to_string(i));
    for (int round = 0; round < 20; ++round) {
        std::vector<trawl::weighted_term>
            terms; // the same word several times, with weights that do not add exactly
        for (int i = 0; i < 8; ++i)
            terms.push_back({words[w.random.below(words.size())], w.random.uniform()});
        auto const expected = index.search({.terms = terms}, {.k = 300});
        w.random.shuffle(std::span(terms));
        CHECK(index.search({.terms = terms}, {.k = 300}) == expected);
    }

    // .1 + .2 + .3 and .3 + .2 + .1 are not the same double.
    std::vector<trawl::weighted_term> const up{{"3", .1}, {"3", .2}, {"3", .3}};
    std::vector<trawl::weighted_term> const down{{"3", .3}, {"3", .2}, {"3", .1}};
    auto const id = index.search("3", 1).at(0).id;
    CHECK(trawl::to_text(index.explain({.terms = up}, id))
          == trawl::to_text(index.explain({.terms = down}, id)));
}

TEST_CASE("The order in which an index met the terms changes no bit", "[lexical][laws]") {
    // Weights whose sum is just 1 from the smallest on, but 1 - 2^-48 from the largest on, where
    // 2^-54 is lost each time: on either side of a power of two, so that another sum would choose
    // another step.
    std::vector<std::string> words;
    for (int i = 0; i < 66; ++i) words.push_back("w" + std::to_string(i));
    std::vector<double> weights(66, 0x1p-54);
    weights[0] = 1 - 0x1p-24;
    weights[1] = 0x1p-24 - 0x1p-48;
    REQUIRE(std::accumulate(weights.rbegin(), weights.rend(), 0.0) == 1);
    REQUIRE(std::accumulate(weights.begin(), weights.end(), 0.0) < 1);

    auto const build = [&](bool backwards) {
        test::index index;
        for (std::size_t i = 0; i < words.size(); ++i) {
            auto const& word = words[backwards ? words.size() - 1 - i : i];
            index.add(word);
        }
        for (std::size_t length = 20; length < 120; ++length) {
            std::vector<std::string_view> document(length, "filler");
            document[0] = words[0];
            for (int times = 0; times < 3; ++times) index.add_terms(document);
        }
        return index;
    };
    // df is 301 for the first word, 1 for the others; the weight in the query takes the idf out
    // again.
    auto const documents = words.size() + 300;
    std::vector<trawl::weighted_term> terms;
    for (std::size_t i = 0; i < words.size(); ++i) {
        terms.push_back({words[i],
            weights[i] / trawl::detail::idf(bm25_variant::lucene, documents, i == 0 ? 301 : 1)});
    }
    auto const forwards = build(false);
    auto const backwards = build(true);
    std::vector<doc_id> ids(300);
    std::iota(ids.begin(), ids.end(), static_cast<doc_id>(words.size()));
    CHECK_THAT(trawl::to_text(forwards.explain({.terms = terms}, ids[0])),
        Catch::Matchers::Equals(trawl::to_text(backwards.explain({.terms = terms}, ids[0]))));
    CHECK(forwards.score({.terms = terms}, ids) == backwards.score({.terms = terms}, ids));
}

TEST_CASE("Documents of the same terms and length tie and come by id", "[lexical][laws]") {
    auto const s = any_setting();
    CAPTURE_SETTING(s);
    world w(s.seed);
    auto texts = w.texts;
    for (std::size_t i = 0; i < 100; ++i) texts.push_back(w.texts[i]);
    auto const index = built(texts, s.parameters);
    for (int round = 0; round < 12; ++round) {
        auto const hits = index.search(w.text(1 + w.random.below(6)), 400);
        for (std::size_t i = 1; i < hits.size(); ++i)
            REQUIRE(trawl::by_rank{}(hits[i - 1], hits[i]));
        for (auto const& h : hits) {
            if (h.id >= 100) continue;
            auto const twin = std::find_if(hits.begin(), hits.end(),
                [&](trawl::hit const& other) { return other.id == h.id + 300; });
            REQUIRE(twin != hits.end());
            CHECK(twin->score == h.score);
        }
    }
}
