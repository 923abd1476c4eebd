// SPDX-License-Identifier: MIT
#include <trawl/formats/trec.hpp>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/evaluate.hpp>
#include <trawl/storage/file.hpp>

#include "support/catch.hpp"

using trawl::parse_qrels;
using trawl::parse_run;

TEST_CASE("a run file's order is its scores', and what follows the tag is ignored", "[io][trec]") {
    auto const run = parse_run("# a comment\n"
                               "q2 Q0 d1 1 0.5 mine\n"
                               "\n"
                               "q1\tQ0\td#9\t7\t  -1e3\tmine more junk at\n"
                               "q1 Q0 d3 1 +2.25 mine\r\n"
                               "   \t\n"
                               "q1 Q0 d2 1 2.25 mine",
        "a.run");
    CHECK(run.tag() == "mine");
    CHECK(run.size() == 2);
    CHECK(run.query(0) == "q1");
    CHECK(run.documents().size() == 4);
    std::string order;
    for (auto const& e : run.entries(0)) order += std::string(run.documents().key(e.id)) + " ";
    CHECK(order == "d2 d3 d#9 ");
    CHECK(run.entries(0)[2].score == -1000);
    CHECK(parse_run("", "a.run").size() == 0);
    CHECK(parse_run("\xEF\xBB\xBFq Q0 d 1 1 t\n", "a.run").query(0) == "q");
}

TEST_CASE("a broken run line is named by file, line and reason", "[io][trec][bad]") {
    CHECK_THROWS_WITH(parse_run("q Q0 d 1 2.5\n", "a.run"),
        "a.run:1: a run has 6 columns, query Q0 document rank score tag; here are 5");
    CHECK_THROWS_WITH(parse_run("q Q0 d 1 1 t\n#\n\nq Q0 e 1 x1 t", "a.run"),
        "a.run:4: score 'x1' is not a number");
    CHECK_THROWS_WITH(parse_run("q Q0 d 1 nan t\n", "a.run"), "a.run:1: score 'nan' is not finite");
    CHECK_THROWS_WITH(
        parse_run("q Q0 d 1 -inf t\n", "a.run"), "a.run:1: score '-inf' is not finite");
    CHECK_THROWS_WITH(
        parse_run("q Q0 d 1 1e999 t\n", "a.run"), "a.run:1: score '1e999' is not a number");
    CHECK_THROWS_WITH(
        parse_run("q Q0 d 1 1,5 t\n", "a.run"), "a.run:1: score '1,5' is not a number");
    CHECK_THROWS_WITH(parse_run("q Q0 d 1 1 t\r\nq Q0 d 2 0.5 t\r\n", "a.run"),
        "a.run:2: document 'd' is there twice for query 'q'");
    CHECK(parse_run("q Q0 d 1 1e-999 t\n", "a.run").entries(0)[0].score == 0);
    CHECK(parse_run("q Q0 d 1 -1e300 t\n", "a.run").ranking(0)[0].score
          == std::numeric_limits<float>::lowest());
    CHECK_THROWS_WITH(
        trawl::read_run("no/such.run"), "no/such.run: cannot be opened: No such file or directory");
}

// trec_eval splits at white space and reads "New" as the document, "York" as the rank, 1 as the
// score: a wrong measure without a word.
TEST_CASE("a document key with white space is refused, not cut", "[io][trec][bad]") {
    constexpr auto shifted = "' is not a number: a document's key cannot have white space";
    CHECK_THROWS_WITH(parse_run("q1 Q0 New York 1 9.5 me\n", "a.run"),
        std::string("a.run:1: rank 'York' of document 'New") + shifted);
    CHECK_THROWS_WITH(parse_run("q1 Q0 d 1 2 me\nq1 Q0 New York 1 9.5 me\n", "a.run"),
        std::string("a.run:2: rank 'York' of document 'New") + shifted);
    // without a tag
    CHECK_THROWS_WITH(parse_run("q1 Q0 New York 1 9.5\n", "a.run"),
        std::string("a.run:1: rank 'York' of document 'New") + shifted);
    // Its second word is a number: then so is the tag.
    CHECK_THROWS_AS(parse_run("q1 Q0 Apollo 11 1 9.5 me\n", "a.run"), trawl::error);
    CHECK_THROWS_AS(parse_run("q1 Q0 d 1 2 me\nq1 Q0 Apollo 11 1 9.5 me\n", "a.run"), trawl::error);
    CHECK_THROWS_AS(parse_run("q1 Q0 Boeing 747 400 1 9.5 me\n", "a.run"), trawl::error);
    // Without a tag a line still has 6 columns: the score stands where the tag should be, and so
    // differs from line to line, and the rank stands where the score should be.
    CHECK_THROWS_WITH(parse_run("q1 Q0 Apollo 11 1 9.5\nq1 Q0 Boeing 747 2 9.1\n", "a.run"),
        "a.run:2: the tag '9.1' is a number other than '9.5' on the first line, and the line's "
        "rank "
        "is in place of the score, '2': a document's key cannot have white space, and the tag "
        "cannot be left out");
    CHECK_THROWS_AS(
        parse_run("q1 Q0 Apollo 11 0 9\nq1 Q0 Boeing 747 1 8\n", "a.run"), trawl::error);
    CHECK_THROWS_AS(
        parse_run("q1 Q0 Apollo 11 1 9\nq2 Q0 Boeing 747 1 8\n", "a.run"), trawl::error);
    CHECK_THROWS_AS(parse_run("q1 Q0 d 1 12.5 me\nq1 Q0 Apollo 11 2 9.5\n", "a.run"), trawl::error);
    // Runs of several systems, numbered, one after the other; scores that are whole numbers.
    CHECK(
        parse_run("q Q0 d 1 3 1\nq Q0 e 2 1 1\np Q0 d 1 1 2\np Q0 e 2 0 2\n", "a.run").size() == 2);
    // What other tools write: ranks from 0, ranks as numbers with a point, numbers as tags.
    CHECK(parse_run("q Q0 d 0 1 t\nq Q0 e 1.0 0.5 7\n", "a.run").documents().size() == 2);
    CHECK_THROWS_AS(parse_qrels("q1 0 New York 1\n", "a.qrels"), trawl::error);
}

TEST_CASE("a run with equal scores that is written reads back as the same run", "[io][trec]") {
    trawl::run const tied{{"q", "b", 1}, {"q", "a", 1}, {"q", "c", .1}, {"p", "x", 1e300},
        {"p", "y", 1. / 3}, {"p", "z", 1. / 3 + 1e-16}};
    auto const text = trawl::to_text(tied);
    CHECK(text
          == "p Q0 x 1 1e+300 trawl\np Q0 z 2 0.3333333333333334 trawl\n"
             "p Q0 y 3 0.3333333333333333 trawl\n"
             "q Q0 a 1 1 trawl\nq Q0 b 2 1 trawl\nq Q0 c 3 0.1 trawl\n");
    auto const back = parse_run(text, "f");
    for (std::size_t q = 0; q < 2; ++q) {
        REQUIRE(back.entries(q).size() == 3);
        for (std::size_t i = 0; i < 3; ++i) CHECK(back.entries(q)[i] == tied.entries(q)[i]);
    }
    // trec_eval puts the higher key of equal scores first: of a and b, b. If b is relevant its
    // reciprocal rank is 1, before it was written and after.
    trawl::qrels const judged{{"q", "b", 1}};
    for (auto const* const run : {&tied, &back}) {
        CHECK(trawl::evaluate(*run, judged, trawl::measures_named("mrr")).summaries[0] == 1);
        CHECK(trawl::evaluate(*run, judged, trawl::measures_named("mrr", trawl::convention::ranx),
                  {.convention = trawl::convention::ranx})
                  .summaries[0]
              == 0.5);
    }
}

TEST_CASE("of a document that is there twice the last score counts, where that is asked for",
    "[io][trec]") {
    // What ranx 0.3.21 makes of this file: {"q1": {"d1": 1.0, "d2": 2.0}}.
    constexpr auto text = "q1 Q0 d1 1 3 r\nq1 Q0 d2 2 2 r\nq2 Q0 d1 1 5 r\nq1 Q0 d1 3 1 r\n";
    CHECK_THROWS_WITH(parse_run(text, "f"), "f:4: document 'd1' is there twice for query 'q1'");
    auto const run = parse_run(text, "f", trawl::repeated_documents::keep_last);
    CHECK(trawl::to_text(run) == "q1 Q0 d2 1 2 r\nq1 Q0 d1 2 1 r\nq2 Q0 d1 1 5 r\n");
}

TEST_CASE("lines alike and lines of all kinds read as the same rows", "[io][trec][property]") {
    auto const seed = GENERATE(range(1u, 100u));
    CAPTURE(seed);
    trawl::detail::random random(seed);
    std::string text;
    std::vector<std::string> queries;
    std::vector<std::string> keys;
    std::vector<double> scores;
    auto const blank = [&] {
        return random.below(8) == 0 ? (random.below(2) == 0 ? "  " : "\t") : " ";
    };
    auto const odd = [&] { return random.below(8) == 0; };
    for (int q = 0; q < 4; ++q) {
        auto const query = std::string("q").append(std::to_string(random.below(1000)));
        for (std::size_t h = random.below(30); h > 0; --h) {
            queries.push_back(query);
            keys.push_back(std::string("d")
                               .append(std::to_string(queries.size()))
                               .append(random.below(12), 'x'));
            scores.push_back(odd() ? -1e-3 * static_cast<double>(h) : static_cast<double>(h) / 4);
            text += (odd() ? " " : "") + query + blank() + "Q0" + blank() + keys.back() + blank()
                    + "1" + blank() + trawl::detail::join(scores.back()) + blank()
                    + (odd() ? "other" : "tag") + (odd() ? " junk" : "") + (odd() ? "\r\n" : "\n")
                    + (odd() ? "\n" : "");
        }
    }
    std::vector<trawl::run_row> rows;
    for (std::size_t i = 0; i < keys.size(); ++i) rows.push_back({queries[i], keys[i], scores[i]});
    if (!text.empty() && odd()) text.pop_back();
    auto const got = parse_run(text, "f");
    CHECK(trawl::to_text(got) == trawl::to_text(trawl::run(rows, got.tag())));
    text += "q Q0 d 1 x t\n";
    auto const lines = std::count(text.begin(), text.end(), '\n');
    if (text.size() > 20 && text[text.size() - 14] != '\n') return; // the last line went on
    CHECK_THROWS_WITH(
        parse_run(text, "f"), trawl::detail::join("f:", lines, ": score 'x' is not a number"));
}

TEST_CASE("judgements are read from TREC's files and BEIR's", "[io][trec][beir]") {
    auto const trec = parse_qrels("1 0 d1 2\n1\t0\td2\t-1\r\n\n# note\n 2 0 d1 0  ", "a.qrels");
    CHECK(trec.size() == 2);
    CHECK(trec.judgements(0).grade(*trec.documents().find("d1")) == 2);
    CHECK(trec.judgements(0).grade(*trec.documents().find("d2")) == -1);
    CHECK(trec.judgements(1).grade(*trec.documents().find("d1")) == 0);
    CHECK(trec.judgements(1).grade(*trec.documents().find("d2")) == std::nullopt);

    auto const beir =
        parse_qrels("query-id\tcorpus-id\tscore\r\n#1\tdoc with spaces\t1\r\n", "a.tsv");
    CHECK(beir.size() == 1);
    CHECK(beir.query(0) == "#1");
    CHECK(beir.documents().key(0) == "doc with spaces");
    CHECK(parse_qrels("q\td\t1", "a.tsv").size() == 1); // without a header
    CHECK(parse_qrels("query-id\tcorpus-id\tscore\n", "a.tsv").size() == 0);
    CHECK(parse_qrels("", "a.tsv").size() == 0);
}

TEST_CASE("a broken judgement is named by file, line and reason", "[io][trec][bad]") {
    CHECK_THROWS_WITH(
        parse_qrels("1 0 d1 x\n", "a.qrels"), "a.qrels:1: grade 'x' is not a whole number");
    CHECK_THROWS_WITH(parse_qrels("1 0 d1 1\n1 0 d2 1.5\n", "a.qrels"),
        "a.qrels:2: grade '1.5' is not a whole number");
    CHECK_THROWS_WITH(parse_qrels("1 0 d1 99999999999999999999\n", "a.qrels"),
        "a.qrels:1: grade '99999999999999999999' is not a whole number");
    CHECK_THROWS_AS(parse_qrels("1 0 d1\n", "a.qrels"), trawl::error);
    CHECK_THROWS_AS(parse_qrels("1 0 d1 1 junk\n", "a.qrels"), trawl::error);
    CHECK_THROWS_WITH(
        // no header this
        parse_qrels("q\td\tx\n", "a.tsv"), "a.tsv:1: grade 'x' is not a whole number");
    CHECK_THROWS_WITH(parse_qrels("query-id\tcorpus-id\tscore\nq\td\n", "a.tsv"),
        "a.tsv:2: judgements have 3 columns between tabs, query document grade");
    CHECK_THROWS_WITH(parse_qrels("1 0 d 1\n2 0 d 1\n1 0 d 0", "a"),
        "a:3: document 'd' is judged twice for query '1'");
}

TEST_CASE("no bytes crash the parsers", "[io][trec][property]") {
    auto const seed = GENERATE(range(1u, 400u));
    CAPTURE(seed);
    trawl::detail::random random(seed);
    std::string_view const alphabet("q1 \t\n\r.-e+#\0\xEF\xBB\xBF\xFF{}", 18);
    std::string text = random.below(2) == 0 ? "" : "q Q0 d 1 1 t\nq 0 d 1\n";
    for (std::size_t i = 0; i < random.below(300); ++i)
        text += alphabet[random.below(alphabet.size())];
    auto const survives = [](auto&& parse) {
        try {
            static_cast<void>(parse());
        } catch (trawl::error const& e) {
            return std::string_view(e.what()).substr(0, 2) == "f:";
        }
        return true;
    };
    CHECK(survives([&] { return parse_run(text, "f").size(); }));
    CHECK(survives([&] { return parse_qrels(text, "f").size(); }));
}

TEST_CASE(
    "a written run keeps its order when its scores are sorted again", "[io][trec][property]") {
    auto const seed = GENERATE(range(1u, 20u));
    CAPTURE(seed);
    trawl::detail::random random(seed);
    trawl::ranking hits;
    float score = 3;
    for (trawl::doc_id id = 0; id < 300; ++id) {
        hits.push_back({id, score});
        auto const step = random.below(4);
        if (step == 1) score = trawl::detail::next_below(score);
        if (step == 2) score -= static_cast<float>(random.uniform()) * .02f;
    }
    random.shuffle(std::span(hits).subspan(150)); // a stage that reorders may leave any scores
    std::string text;
    trawl::append_run(text, "q", hits, [](trawl::doc_id id) { return std::to_string(id); });
    auto const run = parse_run(text, "f");
    REQUIRE(run.entries(0).size() == hits.size());
    for (std::size_t i = 0; i < hits.size(); ++i) {
        CHECK(run.documents().key(run.entries(0)[i].id) == std::to_string(hits[i].id));
        if (i > 0) CHECK(run.entries(0)[i].score < run.entries(0)[i - 1].score);
    }
    // Read and written again, it is the same text.
    CHECK(trawl::to_text(run) == text);
}

TEST_CASE("a written run line is as TREC wants it", "[io][trec]") {
    std::string text;
    trawl::append_run(
        text, "q", trawl::ranking{{5, 1.0f}, {4, 1.0f}, {3, 0.1f}},
        [](trawl::doc_id) { return "d"; }, "t");
    CHECK(text == "q Q0 d 1 1 t\nq Q0 d 2 0.99999994 t\nq Q0 d 3 0.100000001 t\n");
}

TEST_CASE("what a run file cannot hold is refused before anything is written", "[io][trec][bad]") {
    auto const key = [](trawl::doc_id id) {
        return id == 1 ? std::string("a b") : std::string("c");
    };
    std::string text = "before";
    CHECK_THROWS_WITH(trawl::append_run(text, "q", trawl::ranking{{0, 2}, {1, 1}}, key),
        "a TREC file cannot hold the key 'a b': it is empty or has white space");
    CHECK_THROWS_AS(trawl::append_run(text, "#q", trawl::ranking{{0, 1}}, key), trawl::error);
    // Found by fuzzing: a reader would take it for the file's own.
    CHECK_THROWS_AS(
        trawl::append_run(text, "\xEF\xBB\xBFq", trawl::ranking{{0, 1}}, key), trawl::error);
    CHECK_THROWS_AS(
        trawl::to_text(trawl::parse_qrels(" \xEF\xBB\xBFq 0 d 1\n", "f")), trawl::error);
    CHECK_THROWS_AS(trawl::append_run(text, "", trawl::ranking{{0, 1}}, key), trawl::error);
    CHECK_THROWS_AS(
        trawl::append_run(text, "q", trawl::ranking{{0, 1}}, key, "my tag"), trawl::error);
    auto const nan = std::numeric_limits<float>::quiet_NaN();
    CHECK_THROWS_AS(trawl::append_run(text, "q", trawl::ranking{{0, nan}}, key), trawl::error);
    auto const lowest = std::numeric_limits<float>::lowest();
    CHECK_THROWS_AS(
        trawl::append_run(text, "q", trawl::ranking{{0, lowest}, {2, lowest}}, key), trawl::error);
    CHECK(text == "before");
}

TEST_CASE("judgements and runs survive a file", "[io][trec]") {
    std::string const path = "trec_test.tmp";
    trawl::qrels const judged{{"b", "y", 2}, {"a", "x", -1}, {"a", "y", 0}};
    trawl::write_qrels(path, judged);
    CHECK(trawl::read_file(path) == "a 0 x -1\na 0 y 0\nb 0 y 2\n");
    CHECK(trawl::to_text(trawl::read_qrels(path)) == trawl::to_text(judged));
    trawl::write_run(path, trawl::run{{"b", "y", 2}, {"a", "x", .1}, {"a", "y", .1}});
    CHECK(trawl::read_run(path).query(1) == "b");
    std::remove(path.c_str());
}
