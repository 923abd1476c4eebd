// SPDX-License-Identifier: MIT
#include <trawl/pipeline/detail/completion.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"
#include "support/tiny.hpp"

#include <limits>
#include <string>
#include <vector>

#include <trawl/fusion/weighted_sum.hpp>
#include <trawl/pipeline/hybrid_search.hpp>

using support::error_of;
using support::ids_of;
using support::plain_arm;
using support::table_arm;
using namespace trawl;

namespace {

query const question{.text = "question"};

// Window 1 leaves each arm with its best document: 1 and 2.
table_arm const lexical{{{1, 10.0f}, {2, 6.0f}, {3, 4.0f}}};
table_arm const dense{{{2, 0.9f}, {1, 0.5f}}};

struct asked_arm { // remembers what it is asked to score
    table_arm table;
    std::vector<doc_id>* asked;
    search_options* options;

    [[nodiscard]] ranking search(query const& q, search_options const& o) const {
        return table.search(q, o);
    }
    [[nodiscard]] std::vector<hit> score(
        query const& q, std::span<doc_id const> ids, search_options const& o) const {
        asked->insert(asked->end(), ids.begin(), ids.end());
        *options = o;
        return table.score(q, ids, o);
    }
};

struct broken_arm { // finds document 9, scores as it was told
    std::vector<hit> scores;
    [[nodiscard]] ranking search(query const&, search_options const&) const { return {{9, 1.0f}}; }
    [[nodiscard]] std::vector<hit> score(
        query const&, std::span<doc_id const>, search_options const&) const {
        return scores;
    }
};

} // namespace

TEST_CASE("missing scores are computed, then each arm is normalised over the whole union",
    "[completion]") {
    auto const without = hybrid_search{lexical, dense}.window(1).fuse(weighted_sum{});
    // Single hits normalise to 1 each: a tie that says nothing.
    REQUIRE(without(question) == ranking{{1, 1.0f}, {2, 1.0f}});

    auto const with = hybrid_search{lexical, dense}.window(1).fuse(
        weighted_sum{.weights = {0.75, 0.25}}, {.complete = true});
    // Union {1, 2}; lexical 10, 6 -> 1, 0; dense .5, .9 -> 0, 1.
    REQUIRE(with(question) == ranking{{1, 0.75f}, {2, 0.25f}});

    auto const raw = hybrid_search{lexical, dense}.window(1).fuse(
        weighted_sum{.norm = normaliser::none}, {.complete = true});
    REQUIRE(raw(question)
            == ranking{{1, static_cast<float>(10.0 + static_cast<double>(0.5f))},
                {2, static_cast<float>(6.0 + static_cast<double>(0.9f))}});
}

TEST_CASE("a document that shares no term counts as 0, one that the arm lacks is missing",
    "[completion]") {
    table_arm const arm{{{1, 4.0f}, {2, 2.0f}}, {3}}; // 3: held without a match; 4: lacking
    table_arm const other{{{3, 1.0f}, {4, 1.0f}}};
    auto const search = hybrid_search{arm, other}.fuse(
        weighted_sum{.norm = normaliser::z_score}, {.complete = true});
    // arm: 4, 2, 0: mean 2, sigma sqrt(8/3): 1 -> 1.2247, 2 -> 0, 3 -> -1.2247; other holds 3 and 4
    // alone, both 0.
    auto const hits = search(question);
    REQUIRE(ids_of(hits) == std::vector<doc_id>{1, 2, 4, 3});
    REQUIRE_THAT(hits[0].score, WithinAbs(1.22474487, 1e-6));
    REQUIRE(hits[1].score == 0.0f);
    REQUIRE(hits[2].score == 0.0f);
    REQUIRE_THAT(hits[3].score, WithinAbs(-1.22474487, 1e-6));
}

TEST_CASE("only what an arm did not return is asked of it, ascending, with the search's options",
    "[completion]") {
    std::vector<doc_id> asked;
    search_options seen;
    doc_set const allowed(10, {1, 2, 5, 7});
    asked_arm const arm{{{{2, 1.0f}, {9, 1.0f}}}, &asked, &seen};
    table_arm const other{{{7, 3.0f}, {5, 2.0f}, {2, 1.0f}, {1, 0.5f}, {3, 0.1f}}};
    auto const search = hybrid_search{arm, other}.fuse(weighted_sum{}, {.complete = true});
    auto const report =
        search.report(question, {.where = allowed, .statistics = statistics::eligible});
    REQUIRE(asked == std::vector<doc_id>{1, 5, 7});
    REQUIRE(seen.where.set() == &allowed);
    REQUIRE(seen.statistics == statistics::eligible);
    REQUIRE(report.trace.at(0).scored == 0); // it lacks all three
    REQUIRE(report.trace.at(0).candidates_out == 1);
}

TEST_CASE("an arm that found nothing stays empty: equal scores for all would say something",
    "[completion]") {
    table_arm const silent{{}, {1, 2}}; // holds both, but not 3
    table_arm const other{{{3, 2.0f}, {1, 1.0f}}};
    auto const search = hybrid_search{silent, other}.fuse(weighted_sum{}, {.complete = true});
    REQUIRE(search(question) == ranking{{3, 1.0f}, {1, 0.0f}});
}

TEST_CASE("an arm that cannot score is used as it is, and the trace says so", "[completion]") {
    auto const search = hybrid_search{lexical, plain_arm{dense}}.window(1).fuse(
        weighted_sum{.norm = normaliser::none}, {.complete = true});
    // Lexical is completed (document 2 has 6), the other arm stays with document 2 alone.
    REQUIRE(search(question)
            == ranking{{1, 10.0f}, {2, static_cast<float>(6.0 + static_cast<double>(0.9f))}});
    auto const trace = search.report(question).trace;
    REQUIRE(trace.at(0).scored == 1);
    REQUIRE(trace.at(0).candidates_out == 2);
    REQUIRE(
        trace.at(1).notes == std::vector<std::string>{"cannot score: 1 documents stay missing"});
}

TEST_CASE("completion under a rule that reads ranks is refused when the pipeline is built",
    "[completion]") {
    auto const e = error_of([] {
        (void)hybrid_search{lexical, dense}.fuse(rrf{}, {.complete = true});
    });
    REQUIRE(e.code == errc::invalid_argument);
    REQUIRE(e.names("complete"));
}

TEST_CASE("completion is off unless asked for", "[completion]") {
    std::vector<doc_id> asked;
    search_options seen;
    (void)hybrid_search{asked_arm{{{{2, 1.0f}}}, &asked, &seen}, dense}.fuse(weighted_sum{})(
        question);
    REQUIRE(asked.empty());
}

TEST_CASE(
    "a rule of the caller's may be completed unless it says that it reads ranks", "[completion]") {
    struct count_arms { // the score is how many arms have a document
        void validate(std::size_t) const {}
        [[nodiscard]] ranking operator()(std::span<ranking const> arms) const {
            ranking hits;
            for (auto const& arm : arms) {
                for (auto const& h : arm) {
                    auto const at = std::find_if(
                        hits.begin(), hits.end(), [&](hit const& x) { return x.id == h.id; });
                    if (at == hits.end()) {
                        hits.push_back({h.id, 1.0f});
                    } else {
                        at->score += 1;
                    }
                }
            }
            std::sort(hits.begin(), hits.end(), by_rank{});
            return hits;
        }
    };
    auto const search =
        hybrid_search{lexical, dense}.window(1).fuse(count_arms{}, {.complete = true});
    REQUIRE(search(question) == ranking{{1, 2.0f}, {2, 2.0f}});
    auto const tree = search.explain(question, 2);
    REQUIRE(tree.op == operation::opaque);
    REQUIRE(tree.value == 2);
    REQUIRE(tree.children.size() == 2);
}

TEST_CASE("an arm that scores wrongly is named", "[completion]") {
    auto const run = [](std::vector<hit> scores) {
        return error_of([&] {
            (void)hybrid_search{lexical, broken_arm{scores}}.fuse(
                weighted_sum{}, {.complete = true})(question);
        });
    };
    auto const nan = std::numeric_limits<float>::quiet_NaN();
    for (auto const& scores : {std::vector<hit>{{8, 1.0f}}, {{2, 1.0f}, {1, 1.0f}},
             {{1, 1.0f}, {1, 1.0f}}, {{1, 1.0f}, {2, nan}}, {{1, 1.0f}, {no_doc, 1.0f}}}) {
        REQUIRE(run(scores).code == errc::model);
        REQUIRE(run(scores).names("arm 1"));
    }
}
