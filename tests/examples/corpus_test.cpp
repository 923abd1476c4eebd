// SPDX-License-Identifier: MIT
// The failures that examples/corpus is there to show, each by its question.
#include "support/corpus.hpp"
#include "support/scoreboard.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <trawl/eval/abstention.hpp>
#include <trawl/eval/validity.hpp>
#include <trawl/fusion/rrf.hpp>
#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/rerank/mmr.hpp>
#include <trawl/rerank/overlap_reranker.hpp>
#include <trawl/text/analyzers/technical_analyzer.hpp>

#include "support/catch.hpp"

namespace {

learn::corpus const& manual() {
    static learn::corpus const loaded;
    return loaded;
}
trawl::bm25_index const& lexical() {
    static auto const index = manual().lexical();
    return index;
}
trawl::flat_index const& dense() {
    static auto const index = manual().dense();
    return index;
}

std::string first(trawl::ranking const& hits) {
    return hits.empty() ? "" : manual().key(hits.front().id);
}

std::vector<std::string> keys(trawl::ranking const& hits) {
    std::vector<std::string> out;
    for (auto const& h : hits) out.push_back(manual().key(h.id));
    return out;
}

bool holds(trawl::ranking const& hits, char const* key) {
    return learn::rank_of(hits, manual().id(key)) > 0;
}

std::string text_of(trawl::doc_id id) { return manual().chunks[id].searched(); }

} // namespace

TEST_CASE("the corpus is as large and as mixed as its page says", "[examples][corpus]") {
    std::set<std::string> pages, versions, languages, labels;
    for (auto const& c : manual().chunks) {
        pages.insert(c.key.substr(0, c.key.find('-')));
        versions.insert(c.version);
        languages.insert(c.lang);
        CHECK((c.status == "current") == (c.version == "3.1"));
    }
    CHECK(pages.size() == 53);
    CHECK(manual().chunks.size() == 193);
    CHECK(versions == std::set<std::string>{"1.9", "2.6", "3.1"});
    CHECK(languages == std::set<std::string>{"de", "en", "fr"});
    CHECK(manual().questions.size() == 118);
    std::size_t unanswered = 0;
    for (auto const& q : manual().questions) {
        labels.insert(q.label);
        CHECK(q.has_answer() == (q.label != "none"));
        if (!q.has_answer()) ++unanswered;
        for (auto const& j : q.judged.all()) {
            CAPTURE(q.key, manual().key(j.id));
            CHECK((j.grade == 1 || j.grade == 2));
            CHECK(manual().chunks[j.id].version == q.version);
        }
    }
    CHECK(unanswered == 8);
    CHECK(labels
          == std::set<std::string>{"french", "german", "identifier", "keywords", "mixed", "none",
              "paraphrase", "rare", "summary", "version"});
}

TEST_CASE("there is a vector of length 1 for each chunk and question", "[examples][corpus]") {
    CHECK(manual().vectors.rows == manual().chunks.size());
    CHECK(manual().question_vectors.rows == manual().questions.size());
    for (auto const* matrix : {&manual().vectors, &manual().question_vectors}) {
        CHECK(matrix->cols == 384);
        for (std::size_t i = 0; i < matrix->rows; ++i) {
            double squared = 0;
            for (float const v : matrix->view().row(i))
                squared += static_cast<double>(v) * static_cast<double>(v);
            CHECK_THAT(squared, WithinAbs(1, 1e-5));
        }
    }
}

TEST_CASE("dense search puts an outdated chunk first", "[examples][dense]") {
    auto const& asked = manual().asked("Q001");
    auto const hits = dense().search(asked.vector, 5);
    CHECK(first(hits) == "D036-chunk-2");
    CHECK(manual().chunks[hits.front().id].status == "historical");
    CHECK(learn::rank_of(hits, asked.expected()) == 3);
}

TEST_CASE(
    "everyday words lift an off-topic chunk above the right one in BM25", "[examples][bm25]") {
    auto const& asked = manual().asked("Q015");
    auto const hits = lexical().search(asked.text, 10);
    CHECK(first(hits) == "D029-chunk-2");
    CHECK(asked.judged.grade(hits.front().id).value_or(0) == 0);
    // CamelCase words are indexed by their parts too: "open" finds the "OpenID" of D033-chunk-1,
    // which comes before the right chunk.
    CHECK(learn::rank_of(hits, asked.expected()) == 7);
}

TEST_CASE("a path has exactly two BM25 hits where five are asked for", "[examples][bm25]") {
    trawl::basic_bm25_index<trawl::technical_analyzer> paths;
    for (auto const& chunk : manual().chunks) paths.add(chunk.searched());
    auto const hits = paths.search(manual().asked("Q033").text, 5);
    CHECK(keys(hits) == std::vector<std::string>{"D047-chunk-1", "D002-chunk-1"});
}

TEST_CASE("twins are told apart by their names, not by their vectors", "[examples][bm25][dense]") {
    auto const& asked = manual().asked("Q030");                      // PROD-4817
    CHECK(first(dense().search(asked.vector, 1)) == "D028-chunk-1"); // the PROD-4871
    CHECK(first(lexical().search(asked.text, 1)) == "D027-chunk-1");
    for (auto const& h : lexical().search(asked.text, 5)) {
        CHECK(manual().chunks[h.id].searched().find("PROD-4817") != std::string::npos);
    }
}

TEST_CASE("fusion lifts a third and a second place to the first", "[examples][rrf]") {
    auto const& asked = manual().asked("Q091");
    std::vector<trawl::ranking> const arms{
        dense().search(asked.vector, 50), lexical().search(asked.text, 50)};
    auto const fused = trawl::rrf{}(arms);
    auto const winner = fused.front().id;
    CHECK(manual().key(winner) == "D052-chunk-3");
    CHECK(asked.judged.grade(winner) == 2);
    CHECK(learn::rank_of(arms[0], winner) == 3);
    CHECK(learn::rank_of(arms[1], winner) == 2);
}

TEST_CASE(
    "a wrong first place falls to reranking at depth 3, not at depth 1", "[examples][rerank]") {
    auto const& asked = manual().asked("Q002");
    trawl::overlap_reranker const reader;
    auto const at_depth = [&](std::size_t depth) {
        return first(trawl::hybrid_search{lexical(), dense()}.rerank(
            reader, text_of, {.depth = depth})(asked.query(), 3));
    };
    auto const fused = first(trawl::hybrid_search{lexical(), dense()}(asked.query(), 3));
    CHECK(fused == "D004-chunk-1");
    CHECK(asked.judged.grade(manual().id(fused)).value_or(0) == 0);
    CHECK(at_depth(1) == fused);
    CHECK(at_depth(3) == "D004-chunk-2");
    CHECK(asked.expected() == manual().id("D004-chunk-2"));
}

TEST_CASE("an outdated chunk survives reranking and falls only to the filter",
    "[examples][rerank][filter]") {
    auto const& asked = manual().asked("Q001");
    trawl::overlap_reranker const reader;
    auto const search = trawl::hybrid_search{lexical(), dense()}.rerank(reader, text_of);
    CHECK(first(search(asked.query(), 5)) == "D036-chunk-2");
    auto const current = manual().of_version("3.1");
    CHECK(!holds(search(asked.query(), manual().chunks.size(), current), "D036-chunk-2"));
    CHECK(first(dense().search(asked.vector, 5, current)) == "D002-chunk-2");
    // Filtering the finished first five is not the same: two are left of five that there would be.
    auto late = dense().search(asked.vector, 5);
    std::erase_if(late, [&](trawl::hit const& h) { return !current.contains(h.id); });
    CHECK(late.size() == 2);
    CHECK(dense().search(asked.vector, 5, current).size() == 5);
}

TEST_CASE("no technique leaves an ineligible chunk under the filter", "[examples][filter]") {
    auto const search = trawl::hybrid_search{lexical(), dense()};
    double open = 0;
    for (auto const& q : manual().questions) {
        auto const eligible = manual().of_version(q.version);
        open += trawl::ineligible{.k = 5}(search(q.query(), 5), eligible);
        CHECK(trawl::ineligible{.k = 5}(search(q.query(), 5, eligible), eligible) == 0);
    }
    CHECK(open / static_cast<double>(manual().questions.size()) > 0.1);
}

TEST_CASE(
    "one text imported twice takes two places until it is deduplicated", "[examples][rerank]") {
    CHECK(manual().chunks[manual().id("D024-chunk-2")].text
          == manual().chunks[manual().id("D052-chunk-2")].text);
    auto const& asked = manual().asked("Q118");
    auto const bodies = [](trawl::doc_id id) { return manual().chunks[id].text; };
    auto const search = [&](bool once) {
        return trawl::hybrid_search{dense()}.rerank(
            trawl::overlap_reranker{}, bodies, {.depth = 0, .deduplicate = once})(asked.query(), 4);
    };
    CHECK(holds(search(false), "D024-chunk-2"));
    CHECK(holds(search(false), "D052-chunk-2"));
    CHECK(holds(search(true), "D024-chunk-2") != holds(search(true), "D052-chunk-2"));
    CHECK(search(true).size() == 4);
}

TEST_CASE("a summary's first five repeat one another until MMR", "[examples][mmr]") {
    auto const& asked = manual().asked("Q118");
    auto const current = manual().of_version("3.1");
    auto const plain = dense().search(asked.vector, 5, current);
    CHECK(holds(plain, "D024-chunk-2"));
    CHECK(holds(plain, "D052-chunk-2"));
    CHECK(!holds(plain, "D024-chunk-5")); // encrypting: part of the answer
    auto const diverse =
        trawl::hybrid_search{dense()}.diversify(trawl::mmr{.relevance = trawl::relevance::cosine},
            dense(), {.depth = 10})(asked.query(), 5, current);
    CHECK(holds(diverse, "D024-chunk-2") != holds(diverse, "D052-chunk-2"));
    CHECK(holds(diverse, "D024-chunk-5"));
}

TEST_CASE("a question that no arm answers", "[examples][candidates]") {
    auto const& asked = manual().asked("Q098");
    for (auto const& hits : {dense().search(asked.vector, 5), lexical().search(asked.text, 5)}) {
        for (auto const& h : hits) CHECK(asked.judged.grade(h.id).value_or(0) < 2);
    }
}

TEST_CASE("a floor under the best cosine silences what has no answer", "[examples][abstention]") {
    std::vector<trawl::answerable> outcomes;
    for (auto const& q : manual().questions) {
        outcomes.push_back({dense().search(q.vector, 1).front().score, q.has_answer()});
    }
    auto const open = trawl::judge_abstention(outcomes, {});
    CHECK(open.invented == 8);
    CHECK(open.balanced_accuracy() == 0.5);
    CHECK(trawl::judge_abstention(outcomes, trawl::calibrated_floor(outcomes)).balanced_accuracy()
          > 0.6);
}

TEST_CASE("techniques that harm", "[examples][ablation]") {
    learn::scoreboard board(manual());
    auto const fused = trawl::hybrid_search{lexical(), dense()};
    auto const reranked =
        trawl::hybrid_search{lexical(), dense()}.rerank(trawl::overlap_reranker{}, text_of);
    board.add("BM25", [](auto const& q) { return lexical().search(q.query(), {.k = 50}); });
    board.add("dense", [](auto const& q) { return dense().search(q.query(), {.k = 50}); });
    board.add("RRF", [&](auto const& q) { return fused(q.query(), 50); });
    board.add("reranked", [&](auto const& q) { return reranked(q.query(), 50); });
    CHECK(board.ndcg(2, "identifier")
          < board.ndcg(0, "identifier") - 0.2); // fusion harms exact names
    CHECK(board.ndcg(2, "paraphrase") < board.ndcg(1, "paraphrase") - 0.2); // and paraphrases
    CHECK(board.ndcg(3, "paraphrase")
          < board.ndcg(2, "paraphrase"));                   // a reranker that counts words, too
    CHECK(board.ndcg(2, "mixed") > board.ndcg(0, "mixed")); // what it is for
    CHECK(board.ndcg(2, "mixed") > board.ndcg(1, "mixed"));
}
