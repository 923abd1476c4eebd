// SPDX-License-Identifier: MIT
#include <trawl/eval/ablation.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace {

std::vector<std::string> const techniques{"BM25", "dense", "rerank", "mmr"};

// 40 questions. dense helps half of them much, rerank cannot stand alone and costs 20 calls, mmr
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
    CHECK(calls
          // whole, alone, two and three, left out but for mmr, which is "three"
          == 1 + 4 + 2 + 3 + 1 - 1);
    CHECK(a.labels == std::vector<std::string>{"codes", "plain"});
    CHECK(a.rows[0].by_label.size() == 2);
    CHECK(!a.rows[0].change);
    CHECK(a.rows[4].difference > .1);
    CHECK(a.rows[4].p < .01);

    REQUIRE(a.sentences.size() == 4);
    CHECK(a.sentences[0].find("BM25 helps: without it nDCG@10 falls by 0.1000") == 0);
    CHECK(a.sentences[1].find("dense helps") == 0);
    CHECK(a.sentences[2].find("rerank changes nothing") == 0);
    CHECK(a.sentences[2].find("20.0 expensive calls a question") != std::string::npos);
    CHECK(a.sentences[3].find("mmr harms: without it nDCG@10 rises by 0.0300") == 0);
    auto const table = trawl::to_table(a, options);
    CHECK(table.columns.size() == 11);
    CHECK(table.rows.size() == 11);
    CHECK(trawl::to_text(table).find("mmr harms") != std::string::npos);
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
    CHECK(a.sentences[1].find("b makes no difference that these questions can show") == 0);
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
