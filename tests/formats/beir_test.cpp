// SPDX-License-Identifier: MIT
#include <trawl/formats/beir.hpp>

#include <cstdio>
#include <string>

#include <trawl/detail/random.hpp>
#include <trawl/error.hpp>

#include "support/catch.hpp"

using trawl::parse_corpus;
using trawl::parse_queries;

TEST_CASE("a corpus is read line by line, and searched as title, space, text", "[io][beir]") {
    auto const corpus = parse_corpus(
        "{\"_id\": \"a\", \"title\": \"T\\u00e9\", \"text\": \"x y\"}\r\n"
        "\n"
        "{\"text\": \"only\", \"metadata\": {\"text\": [1, {\"_id\": 2}]}, \"_id\": 17}\n"
        "{\"_id\": \"\", \"title\": null, \"text\": \"\", \"title2\": 1.5}",
        "c.jsonl");
    REQUIRE(corpus.size() == 3);
    CHECK(corpus.searched(0) == "T\xC3\xA9 x y");
    CHECK(corpus.searched(1) == "only");
    CHECK(corpus.searched(2).empty());
    CHECK(corpus.keys.find("17") == 1);
    CHECK(corpus.keys.key(2).empty());
    CHECK(parse_corpus("", "c.jsonl").size() == 0);
}

TEST_CASE("a broken document is named by file, line and reason", "[io][beir][bad]") {
    CHECK_THROWS_WITH(
        parse_corpus(
            "{\"_id\": \"a\", \"text\": \"x\"}\n\n{\"_id\": \"a\", \"text\": \"y\"}\n", "c"),
        "c:3: _id 'a' is in line 1 already");
    CHECK_THROWS_WITH(parse_corpus("{\"text\": \"x\"}\n", "c"), "c:1: has no _id");
    CHECK_THROWS_WITH(parse_corpus("{\"_id\": \"x\"}\n", "c"), "c:1: has no text");
    CHECK_THROWS_WITH(parse_corpus("[1]\n", "c"), "c:1: is no object");
    CHECK_THROWS_WITH(parse_corpus("7\n", "c"), "c:1: is no object");
    CHECK_THROWS_WITH(
        parse_corpus("{\"_id\": \"x\", \"text\": 5}\n", "c"), "c:1: field 'text' is not a string");
    CHECK_THROWS_WITH(
        parse_corpus("{\"_id\": \"x\", \"text\": {}}\n", "c"), "c:1: field 'text' is not a string");
    CHECK_THROWS_WITH(
        parse_corpus("{\"_id\": 1.5, \"text\": \"\"}\n", "c"), "c:1: field '_id' is not a string");
    CHECK_THROWS_WITH(parse_corpus("{\"_id\": \"x\", \"_id\": \"y\", \"text\": \"\"}\n", "c"),
        "c:1: field '_id' is there twice");
    // The reason is nlohmann's; the place is ours.
    for (auto const* bad : {"{\"_id\": \"x\", \"text\": \"\xFF\"}", "{\"_id\": \"x\"", "{}{}",
             "{\"_id\": \"x\"} tail", "x"}) {
        CAPTURE(bad);
        CHECK_THROWS_WITH(
            parse_corpus(std::string("{\"_id\": \"1\", \"text\": \"\"}\n") + bad, "c"),
            Catch::Matchers::StartsWith("c:2: "));
    }
    CHECK_THROWS_AS(parse_corpus(std::string_view("{\"_id\": \"x\0\", \"text\": \"\"}", 25), "c"),
        trawl::error);
    CHECK_THROWS_AS(parse_corpus(std::string(200000, '['), "c"), trawl::error);
    CHECK_THROWS_AS(parse_corpus("{\"_id\":" + std::string(200000, '{'), "c"), trawl::error);
    std::string deep = "{\"_id\": \"a\", \"text\": \"t\", \"m\": ";
    deep += std::string(100000, '[') + std::string(100000, ']') + "}";
    CHECK(parse_corpus(deep, "c").size() == 1);
    CHECK_THROWS_WITH(trawl::read_corpus("no/such.jsonl"),
        "no/such.jsonl: cannot be opened: No such file or directory");
}

TEST_CASE("queries are read from jsonl and from tsv", "[io][beir]") {
    auto const json = parse_queries("{\"_id\": \"1\", \"text\": \"who\", \"metadata\": {}}\n", "q");
    CHECK(json.texts == std::vector<std::string>{"who"});
    auto const tsv = parse_queries("_id\ttext\r\n1\twho is there\r\n2\t\r\n", "q");
    CHECK(tsv.texts == std::vector<std::string>{"who is there", ""});
    CHECK(tsv.keys.find("2") == 1);
    CHECK(parse_queries("1\twho", "q").size() == 1);
    CHECK_THROWS_WITH(parse_queries("1\twho\n2 what\n", "q"),
        "q:2: a query has 2 columns between tabs, id and text; here are 1");
    CHECK_THROWS_WITH(parse_queries("1\ta\tb\n", "q"),
        "q:1: a query has 2 columns between tabs, id and text; here are 3");
    CHECK_THROWS_WITH(parse_queries("1\ta\n1\tb", "q"), "q:2: _id '1' is in line 1 already");
}

TEST_CASE("no bytes crash the JSON lines", "[io][beir][property]") {
    auto const seed = GENERATE(range(1u, 300u));
    CAPTURE(seed);
    trawl::detail::random random(seed);
    std::string text = "{\"_id\": \"a\", \"title\": [1, {\"x\": null}], \"text\": "
                       "\"b\"}\n{\"_id\": 3, \"text\": \"\"}";
    for (std::size_t i = 0; i < 1 + random.below(6); ++i) {
        text[random.below(text.size())] = static_cast<char>(random.below(256));
    }
    for (bool const corpus : {true, false}) {
        try {
            static_cast<void>(
                corpus ? parse_corpus(text, "f").size() : parse_queries(text, "f").size());
        } catch (trawl::error const& e) {
            CHECK(std::string_view(e.what()).substr(0, 2) == "f:");
        }
    }
}

TEST_CASE("SciFact is read whole", "[io][beir]") {
    std::string const folder = "../shared/data/scifact/";
    std::FILE* const file = std::fopen((folder + "corpus.jsonl").c_str(), "rb");
    if (file == nullptr) {
        WARN("skipped: " << folder << " is not there");
        return;
    }
    std::fclose(file);
    auto const corpus = trawl::read_corpus(folder + "corpus.jsonl");
    CHECK(corpus.size() == 5183);
    CHECK(corpus.keys.key(0) == "4983");
    CHECK(corpus.searched(0).substr(0, 44) == "Microstructural development of human newborn");
    CHECK(trawl::read_queries(folder + "queries.jsonl").size() == 300);
}
