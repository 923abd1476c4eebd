// SPDX-License-Identifier: MIT
#include <trawl/pipeline/report.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"
#include "support/tiny.hpp"

#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/thread_executor.hpp>
#include <trawl/fusion/weighted_sum.hpp>
#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/rerank/mmr.hpp>

using support::error_of;
using support::ids_of;
using support::table_arm;
using namespace trawl;

namespace {

query const question{.text = "question"};
table_arm const good{{{1, 9.0f}, {2, 8.0f}, {3, 7.0f}}};

struct throwing_arm {
    [[nodiscard]] ranking search(query const&, search_options const&) const {
        throw std::runtime_error("the server is down");
    }
};

struct fixed_arm { // returns just this, whatever is asked
    ranking hits;
    [[nodiscard]] ranking search(query const&, search_options const&) const { return hits; }
};

struct warning_arm : table_arm {
    [[nodiscard]] std::vector<std::string> warnings(query const&) const {
        return {"vectors are not unit"};
    }
};

struct stop_after { // says stop from the n-th poll on
    int polls;
    static bool stop(void* self) { return static_cast<stop_after*>(self)->polls-- <= 0; }
};

search_options stopping(stop_after& state) {
    search_options options;
    options.stop = &stop_after::stop;
    options.stop_context = &state;
    return options;
}

auto const by_id = [](query const&, std::span<candidate const> batch, std::span<float> out) {
    for (std::size_t i = 0; i < batch.size(); ++i) out[i] = static_cast<float>(batch[i].id);
};
auto const empty_text = [](doc_id) { return std::string_view{}; };

} // namespace

TEST_CASE("a report has the ranking of the search and a line for each step", "[pipeline][report]") {
    auto const search =
        hybrid_search{good, table_arm{{{3, 2.0f}, {4, 1.0f}}}}
            .rerank(by_id, empty_text, {.depth = 3, .keep = 3})
            .then([](query const&, ranking hits, search_options const&) { return hits; });
    auto const report = search.report(question, {.k = 2});
    REQUIRE(report.ranking == search(question, 2));
    REQUIRE(report.failures.empty());
    REQUIRE_FALSE(report.partial);

    auto const& trace = report.trace;
    REQUIRE(trace.size() == 5);
    std::vector<std::string> names;
    for (auto const& step : trace) {
        names.push_back(step.name);
        REQUIRE(step.seconds >= 0);
        REQUIRE(step.seconds < 60);
        REQUIRE(step.notes.empty());
    }
    REQUIRE(names == std::vector<std::string>{"arm 0", "arm 1", "fusion", "rerank", "stage 1"});
    REQUIRE(trace[0].candidates_out == 3);
    REQUIRE(trace[1].candidates_out == 2);
    REQUIRE(trace[2].candidates_in == 5);
    REQUIRE(trace[2].candidates_out == 4);
    REQUIRE(trace[3].candidates_in == 4);
    REQUIRE(trace[3].scored == 3);
    REQUIRE(trace[3].candidates_out == 3);
    REQUIRE(trace[4].candidates_in == 3);
}

TEST_CASE(
    "the trace says which part of the query an empty arm may have missed", "[pipeline][report]") {
    std::vector<float> const vector{1};
    std::vector<weighted_term> const terms{{"word", 1}};
    auto const note = [](query const& q) {
        return hybrid_search{fixed_arm{}}.report(q).trace.at(0).notes.at(0);
    };
    REQUIRE(note({}) == "returned nothing: the query is empty");
    REQUIRE(note({.vector = vector}) == "returned nothing: the query has no text");
    REQUIRE(note({.text = "word"}) == "returned nothing: the query has no vector");
    REQUIRE(note({.terms = terms}) == "returned nothing: the query has no vector");
    REQUIRE(note({.text = "word", .vector = vector}) == "returned nothing");
}

TEST_CASE("an arm's own warnings stand in the trace", "[pipeline][report]") {
    warning_arm arm;
    arm.matches = {{1, 1.0f}};
    REQUIRE(hybrid_search{arm}.report(question).trace.at(0).notes
            == std::vector<std::string>{"vectors are not unit"});
}

TEST_CASE(
    "a stage of the caller's may name itself and write into the trace", "[pipeline][report]") {
    struct noting {
        ranking operator()(query const& q, ranking hits, search_options const& options) const {
            stage_trace trace;
            return (*this)(q, std::move(hits), options, trace);
        }
        ranking operator()(
            query const&, ranking hits, search_options const&, stage_trace& trace) const {
            trace.name = "boost";
            trace.notes.push_back("nothing to boost");
            return hits;
        }
    };
    auto const step = hybrid_search{good}.then(noting{}).report(question).trace.back();
    REQUIRE(step.name == "boost");
    REQUIRE(step.notes == std::vector<std::string>{"nothing to boost"});
}

TEST_CASE("an arm that throws fails the search with its own error", "[pipeline][failures]") {
    auto const search = hybrid_search{good, throwing_arm{}};
    REQUIRE_THROWS_AS(search(question), std::runtime_error);
    REQUIRE_THROWS_AS(search.report(question), std::runtime_error);
    thread_executor const threads(2);
    search_options options;
    options.executor = &threads;
    REQUIRE_THROWS_AS(search.search(question, options), std::runtime_error);
}

TEST_CASE(
    "by choice it is left out and reported, and the result is partial", "[pipeline][failures]") {
    auto const search =
        hybrid_search{throwing_arm{}, good, fixed_arm{{{1, 1.0f}, {2, 2.0f}}}}.on_arm_failure(
            failure_policy::leave_out);
    auto const report = search.report(question);
    REQUIRE(ids_of(report.ranking) == std::vector<doc_id>{1, 2, 3});
    REQUIRE(report.partial);
    REQUIRE(report.failures.size() == 2);
    REQUIRE(report.failures[0].arm == 0);
    REQUIRE(report.failures[0].message == "the server is down");
    REQUIRE(report.failures[1].arm == 2);
    REQUIRE(report.failures[1].message.find("rising scores") != std::string::npos);
    REQUIRE(search(question) == report.ranking);
}

TEST_CASE("if every arm fails, so does the search; so it does where memory runs out",
    "[pipeline][failures]") {
    auto const leave_out = failure_policy::leave_out;
    REQUIRE_THROWS_AS(
        (hybrid_search{throwing_arm{}, throwing_arm{}}.on_arm_failure(leave_out)(question)),
        std::runtime_error);
    REQUIRE_THROWS_AS((hybrid_search{throwing_arm{}, good}
                              .fuse(rrf{.weights = {1, 0}})
                              .on_arm_failure(leave_out)(question)),
        std::runtime_error);
    struct hungry {
        [[nodiscard]] ranking search(query const&, search_options const&) const {
            throw std::bad_alloc();
        }
    };
    REQUIRE_THROWS_AS(
        (hybrid_search{good, hungry{}}.on_arm_failure(leave_out)(question)), std::bad_alloc);
}

TEST_CASE("an arm whose completion fails keeps what it found", "[pipeline][failures][completion]") {
    struct half : table_arm {
        [[nodiscard]] std::vector<hit> score(
            query const&, std::span<doc_id const>, search_options const&) const {
            throw std::runtime_error("cannot score");
        }
    };
    half arm;
    arm.matches = {{7, 1.0f}};
    auto const report = hybrid_search{good, arm}
                            .fuse(weighted_sum{.norm = normaliser::none}, {.complete = true})
                            .on_arm_failure(failure_policy::leave_out)
                            .report(question);
    REQUIRE(ids_of(report.ranking) == std::vector<doc_id>{1, 2, 3, 7});
    REQUIRE(report.partial);
    REQUIRE(report.failures.at(0).message == "cannot score");
}

TEST_CASE(
    "an arm or stage that breaks its contract is named, and what it did", "[pipeline][failures]") {
    auto const nan = std::numeric_limits<float>::quiet_NaN();
    auto const inf = std::numeric_limits<float>::infinity();
    doc_set const allowed(5, {1, 2});
    struct wrong {
        ranking hits;
        std::string_view said;
    };
    for (auto const& bad : {wrong{{{1, 1.0f}, {2, 2.0f}}, "rising"}, wrong{{{1, nan}}, "nan"},
             wrong{{{1, inf}}, "inf"}, wrong{{{4, 1.0f}}, "document 4"},
             wrong{{{no_doc, 1.0f}}, "no_doc"}}) {
        auto const& hits = bad.hits; // clang 14 captures no structured binding
        auto const& said = bad.said;
        CAPTURE(said);
        auto const by_arm = error_of([&] {
            (void)hybrid_search{good, fixed_arm{hits}}(question, 10, allowed);
        });
        REQUIRE(by_arm.code == errc::model);
        REQUIRE(by_arm.names("arm 1"));
        REQUIRE(by_arm.names(said));

        auto const stage = [&](query const&, ranking, search_options const&) { return hits; };
        auto const by_stage =
            error_of([&] { (void)hybrid_search{good}.then(stage)(question, 10, allowed); });
        REQUIRE(by_stage.code == errc::model);
        REQUIRE(by_stage.names("stage 0"));
        REQUIRE(by_stage.names(said));

        struct wrong_rule {
            ranking hits;
            void validate(std::size_t) const {}
            ranking operator()(std::span<ranking const>) const { return hits; }
        };
        auto const by_rule = error_of(
            [&] { (void)hybrid_search{good}.fuse(wrong_rule{hits})(question, 10, allowed); });
        REQUIRE(by_rule.names("fusion"));
        REQUIRE(by_rule.names(said));
    }
    auto const many = error_of([&] {
        (void)hybrid_search{fixed_arm{{{1, 2.0f}, {2, 1.0f}}}}.window(1)(question);
    });
    REQUIRE(many.names("arm 0 returned 2 hits, asked for at most 1"));
}

TEST_CASE("equal scores in any order are no breach: a reranked pipeline keeps the order that it "
          "was given",
    "[pipeline]") {
    REQUIRE(hybrid_search{fixed_arm{{{9, 1.0f}, {2, 1.0f}}}}(question).front().id == 9);
}

TEST_CASE("only an arm's first hit of a document counts", "[pipeline]") {
    auto const hits = hybrid_search{fixed_arm{{{1, 3.0f}, {1, 2.0f}, {2, 1.0f}}}}(question);
    REQUIRE(hits == ranking{{1, static_cast<float>(1.0 / 61)}, {2, static_cast<float>(1.0 / 62)}});
}

TEST_CASE("a stopped search returns what it has, and says that it is partial", "[pipeline][stop]") {
    auto const search =
        hybrid_search{good, table_arm{{{4, 1.0f}}}}.rerank(by_id, empty_text, {.batch_size = 2});
    // Polls: each arm, the fusion, each batch (two).
    std::vector<std::vector<doc_id>> const expected{
        {}, {1, 2, 3}, {1, 4, 2, 3}, {1, 4, 2, 3}, {4, 1, 2, 3}, {4, 3, 2, 1}};
    for (int polls = 0; polls < 6; ++polls) {
        CAPTURE(polls);
        stop_after state{polls};
        auto const report = search.report(question, stopping(state));
        REQUIRE(report.partial == (polls < 5));
        REQUIRE(ids_of(report.ranking) == expected[static_cast<std::size_t>(polls)]);
    }
}

TEST_CASE("a search that runs to its end is not partial", "[pipeline][stop]") {
    stop_after state{1000};
    REQUIRE_FALSE(hybrid_search{good}.report(question, stopping(state)).partial);
}
