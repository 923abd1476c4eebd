// SPDX-License-Identifier: MIT
#include <trawl/formats/ranx.hpp>

#include <string>

#include <nlohmann/json.hpp>

#include <trawl/error.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

TEST_CASE("runs and judgements go through ranx's JSON", "[io][ranx]") {
    auto const run =
        trawl::parse_json_run(R"({"q2": {"b": 0.5, "a": 2}, "q1": {}, "q3": {"a": -1e-3}})", "f");
    REQUIRE(run.size() == 2); // q1 has no documents: as a TREC file would have it
    CHECK(run.query(0) == "q2");
    CHECK(run.entries(0)[0].score == 2);
    CHECK(run.documents().key(run.entries(0)[0].id) == "a");
    nlohmann::ordered_json const json = run;
    CHECK(json.dump() == R"({"q2":{"a":2.0,"b":0.5},"q3":{"a":-0.001}})");

    auto const judged = trawl::parse_json_qrels(R"({"q2": {"b": 1, "a": -1}})", "f");
    CHECK(judged.judgements(0).grade(*judged.documents().find("a")) == -1);
    nlohmann::ordered_json const back = judged;
    CHECK(back.dump() == R"({"q2":{"a":-1,"b":1}})");
}

TEST_CASE("broken JSON is refused with its reason", "[io][ranx][bad]") {
    auto const run = [](std::string_view text) {
        return support::error_of([&] { (void)trawl::parse_json_run(text, "f"); });
    };
    auto const qrels = [](std::string_view text) {
        return support::error_of([&] { (void)trawl::parse_json_qrels(text, "f"); });
    };
    CHECK(run("{\"q\": {\"a\": 1},\n\"p\": {\"a\": x}}").names("f:2: "));
    CHECK(run("").code == trawl::errc::parse);
    CHECK(run("[1]").names("is no object of objects"));
    CHECK(run("7").names("is no object of objects"));
    CHECK(run(R"({"q": 1})").names("is no object of objects"));
    CHECK(run(R"({"q": {"a": "1"}})").names("document 'a' of query 'q' has no number"));
    CHECK(run(R"({"q": {"a": [1]}})").names("has no number"));
    CHECK(run(R"({"q": {"a": {"b": 1}}})").names("nested too deep"));
    CHECK(
        run(R"({"q": {"a": 1, "a": 2}})").names("f:1: document 'a' is there twice for query 'q'"));
    CHECK(run("{\"q\": {\"a\": 1,\n\"b\": 2,\n\"a\": 3,\n\"c\": 4}}")
              .names("f:3: document 'a' is there twice for query 'q'"));
    CHECK(run("{\"q\": {\"a\": 1,\n\"b\": 2,\n\"a\": 3\n}}").names("f:3: "));
    CHECK(run("{\n\"q\": {\n\"a\": null}}").names("f:3: document 'a' of query 'q' has no number"));
    CHECK(run("\n\n[1]").names("f:3: is no object of objects"));
    CHECK(qrels("{\"q\": {\"a\": 1,\n\"b\": 1.5}}").names("f:2: grade 1.5"));
    CHECK(run(R"({"q": {"a": 1e999}})").code == trawl::errc::parse);
    CHECK(qrels(R"({"q": {"a": 1.5}})").names("grade 1.5 is not a whole number"));
    CHECK(qrels(R"({"q": {"a": 99999999999}})").names("too large"));
    CHECK(qrels(R"({"q": {"a": 1}, "q": {"a": 2}})").code == trawl::errc::duplicate_key);
}

TEST_CASE("of a document that JSON has twice the last score counts, where that is asked for",
    "[io][ranx]") {
    auto const run = trawl::parse_json_run(
        R"({"q": {"a": 3, "b": 2, "a": 1}})", "f", trawl::repeated_documents::keep_last);
    CHECK(run.entries(0).size() == 2);
    CHECK(run.documents().key(run.entries(0)[0].id) == "b");
    CHECK(run.entries(0)[1].score == 1);
}
