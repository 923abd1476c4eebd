// SPDX-License-Identifier: MIT
#include <trawl/eval/ablation.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace {

std::vector<std::string> const techniques{"BM25", "dense", "rerank", "mmr"};

// 40 queries. dense helps half of them much, rerank cannot stand alone and costs 20 calls, mmr
// harms.
std::optional<trawl::search_outcome> search(std::vector<bool> const& on) {
    if (!on[0] && !on[1]) return std::nullopt;
    trawl::search_outcome out{.seconds = .04, .calls = on[2] ? 800u : 0u};
    for (int i = 0; i < 40; ++i) {
        out.values.push_back(
            (on[0] ? .4 : .3) + (on[1] ? .1 + .05 * (i % 3) : 0) + (on[3] ? -.02 * (i % 4) : 0));
    }
    return out;
}

} // namespace

TEST_CASE("an ablation shows every technique alone, added and left out", "[eval][ablation]") {
    trawl::ablation_options options{.measure = "nDCG@10"};
    for (int i = 0; i < 40; ++i) options.labels.push_back(i < 10 ? "codes" : "plain");
    std::size_t calls = 0;
    auto const a = trawl::ablate(
        techniques,
        [&](std::vector<bool> const& on) {
            ++calls;
            return search(on);
        },
        options);
    std::vector<std::string> rows;
    for (auto const& r : a.rows)
        rows.push_back(std::string(trawl::name_of(r.kind)) + " " + r.technique);
    CHECK(rows
          == std::vector<std::string>{"whole all", "alone BM25", "alone dense", "added BM25",
              "added dense", "added rerank", "added mmr", "left out BM25", "left out dense",
              "left out rerank", "left out mmr"});
    // The whole; four alone, two of which make no sense; BM25 + dense, + rerank; left out but for
    // mmr, which is BM25 + dense + rerank.
    CHECK(calls == 1 + 4 + 2 + 3);
    std::vector<std::string> baselines;
    for (auto const& r : a.rows) baselines.push_back(r.baseline);
    CHECK(baselines
          == std::vector<std::string>{"", "", "", "dense", "BM25", "BM25 + dense",
              "BM25 + dense + rerank", "all", "all", "all", "all"});
    CHECK(a.labels == std::vector<std::string>{"codes", "plain"});
    CHECK(a.rows[0].by_label.size() == 2);
    CHECK(!a.rows[0].change);
    CHECK(a.rows[4].difference > .1);
    CHECK(a.rows[4].p < .01);

    REQUIRE(a.sentences.size() == 4);
    CHECK(a.sentences[0].find("BM25 helps: added to dense it raises nDCG@10 by 0.1000 (0.1000 to "
                              "0.1000, p below 0.0001); left out it lowers nDCG@10 by 0.1000")
          == 0);
    CHECK(a.sentences[1].find("dense helps: added to BM25 it raises nDCG@10 by 0.14") == 0);
    CHECK(a.sentences[2].find("rerank changes nothing") == 0);
    CHECK(a.sentences[2].find("20.0 expensive calls per query") != std::string::npos);
    CHECK(
        a.sentences[3].find("mmr harms: added to BM25 + dense + rerank it lowers nDCG@10 by 0.0300")
        == 0);
    CHECK(a.sentences[3].find("left out it raises nDCG@10 by 0.0300") != std::string::npos);
    auto const table = trawl::to_table(a, options);
    CHECK(table.columns.size() == 12);
    CHECK(table.rows.size() == 11);
    CHECK(trawl::to_text(table).find("mmr harms") != std::string::npos);
}

// The corpus of examples/: dense .719 rises to .776 with BM25, and the whole with a reranker and MMR
// that both spoil it is better without BM25. BM25 does not harm.
TEST_CASE(
    "harm is claimed only if adding a technique and leaving it out agree", "[eval][ablation]") {
    auto const a = trawl::ablate(
        techniques, [](std::vector<bool> const& on) -> std::optional<trawl::search_outcome> {
            if (!on[0] && !on[1]) return std::nullopt;
            trawl::search_outcome out;
            auto const late = on[2] || on[3];
            for (int i = 0; i < 40; ++i) {
                out.values.push_back((on[1] ? .72 : .66) + (on[0] && on[1] ? .056 : 0)
                                     - (late ? .1 : 0) - (late && on[0] ? .1 : 0) + .001 * (i % 5));
            }
            return out;
        });
    auto const& bm25 = a.sentences[0];
    INFO(bm25);
    CHECK(bm25.find(
              "BM25 helps the baseline, but not the whole search, where a later stage undoes it:")
          == 0);
    CHECK(bm25.find("added to dense it raises the measure by 0.0560") != std::string::npos);
    CHECK(bm25.find("left out it raises the measure by 0.0440") != std::string::npos);
    CHECK(bm25.find("harms") == std::string::npos);
    CHECK(a.sentences[1].find("dense helps: ") == 0);
    // Each of them alone undoes as much as both: leaving one out of the whole changes nothing.
    CHECK(a.sentences[2].find("rerank may harm: added to BM25 + dense it lowers") == 0);
}

TEST_CASE("an ablation shows what may not be used beside relevance", "[eval][ablation]") {
    auto const a = trawl::ablate(techniques, [](std::vector<bool> const& on) {
        auto outcome = search(on);
        if (outcome) outcome->ineligible = on[1] ? .2 : 0;
        return outcome;
    });
    auto const table = trawl::to_table(a);
    CHECK(table.columns.back() == "ineligible");
    CHECK(table.rows[0].back().number() == .2);
    CHECK(table.rows[1].back().number() == 0);
}

TEST_CASE("a difference that may be chance is called that", "[eval][ablation]") {
    std::vector<std::string> const two{"a", "b"};
    auto const a =
        trawl::ablate(two, [](std::vector<bool> const& on) -> std::optional<trawl::search_outcome> {
            trawl::search_outcome out;
            for (int i = 0; i < 20; ++i)
                out.values.push_back(.5 + (on[1] ? (i % 2 == 0 ? .1 : -.09) : 0));
            return out;
        });
    CHECK(a.sentences[1].find("b makes no difference that these queries can show") == 0);
}

TEST_CASE(
    "an ablation refuses nothing to do and outcomes that do not pair", "[eval][ablation][bad]") {
    CHECK(support::error_of([] { (void)trawl::ablate({}, search); }).names("no techniques"));
    CHECK(support::error_of([] {
        (void)trawl::ablate(
            techniques, [](std::vector<bool> const&) -> std::optional<trawl::search_outcome> {
                return std::nullopt;
            });
    }).names("no outcome"));
    CHECK(support::error_of([] {
        (void)trawl::ablate(techniques, search, {.labels = {"one"}});
    }).names("1 labels for 40"));
    CHECK(support::error_of([] {
        (void)trawl::ablate(
            techniques, [](std::vector<bool> const& on) -> std::optional<trawl::search_outcome> {
                return trawl::search_outcome{.values = std::vector<double>(on[3] ? 3 : 4)};
            });
    }).names("4 values where there were 3"));
}
