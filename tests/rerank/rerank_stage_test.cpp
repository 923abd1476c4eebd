// SPDX-License-Identifier: MIT
#include <trawl/rerank/rerank_stage.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"
#include "support/tiny.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using support::error_of;
using support::ids_of;
using namespace trawl;

namespace {

ranking const four{{10, 4.0f}, {20, 3.0f}, {30, 2.0f}, {40, 1.0f}};

std::string number_text(doc_id id) { return std::to_string(id); }

// Scores a text by the number that it is, and counts what it reads.
struct counting_model {
    std::size_t* calls;
    std::size_t* read;
    float sign = 1;

    void operator()(query const&, std::span<candidate const> batch, std::span<float> out) const {
        ++*calls;
        *read += batch.size();
        for (std::size_t i = 0; i < batch.size(); ++i)
            out[i] = sign * std::stof(std::string(batch[i].text));
    }
};

auto constant_model(float value) {
    return [value](query const&, std::span<candidate const> batch, std::span<float> out) {
        for (std::size_t i = 0; i < batch.size(); ++i) out[i] = value;
    };
}

} // namespace

TEST_CASE(
    "the first candidates are sorted by the model, the others follow step by step", "[rerank]") {
    std::size_t calls = 0;
    std::size_t read = 0;
    rerank_stage const stage(counting_model{&calls, &read}, number_text, {.depth = 2});

    auto const hits = stage({}, four);

    // 20 and 10 are scored 20 and 10; then one float step down from 10 each: 10 - 2^-20, 10 -
    // 2^-19.
    REQUIRE(
        hits == ranking{{20, 20.0f}, {10, 10.0f}, {30, 10.0f - 0x1p-20f}, {40, 10.0f - 0x1p-19f}});
    REQUIRE(read == 2);
    REQUIRE(calls == 1);
}

TEST_CASE("a model reads exactly min(depth, candidates), in batches of any size, with one result",
    "[rerank]") {
    for (std::size_t depth = 0; depth <= 6; ++depth) {
        ranking first;
        for (std::size_t batch_size = 1; batch_size <= 6; ++batch_size) {
            CAPTURE(depth, batch_size);
            std::size_t calls = 0;
            std::size_t read = 0;
            rerank_stage const stage(counting_model{&calls, &read}, number_text,
                {.depth = depth, .batch_size = batch_size});
            stage_trace trace;
            auto const hits = stage({}, four, {}, trace);
            auto const wanted = (std::min)(depth, four.size());
            REQUIRE(read == wanted);
            REQUIRE(trace.scored == wanted);
            REQUIRE(calls == (wanted + batch_size - 1) / batch_size);
            if (batch_size == 1) first = hits;
            REQUIRE(hits == first);
        }
    }
}

TEST_CASE("a depth of 0 changes nothing, no candidates give none", "[rerank]") {
    std::size_t calls = 0;
    std::size_t read = 0;
    counting_model const model{&calls, &read};
    REQUIRE(rerank_stage(model, number_text, {.depth = 0})({}, four) == four);
    REQUIRE(rerank_stage(model, number_text)({}, {}).empty());
    REQUIRE(calls == 0);
}

TEST_CASE("equal scores keep the order given, not that of the ids", "[rerank]") {
    ranking const given{{9, 3.0f}, {2, 2.0f}, {5, 1.0f}};
    REQUIRE(ids_of(rerank_stage(constant_model(-7), number_text)({}, given))
            == std::vector<doc_id>{9, 2, 5});
    // +0 and -0 are one score.
    auto const zeros = [](query const&, std::span<candidate const> batch, std::span<float> out) {
        for (std::size_t i = 0; i < batch.size(); ++i) out[i] = batch[i].id == 9 ? -0.0f : 0.0f;
    };
    REQUIRE(ids_of(rerank_stage(zeros, number_text)({}, given)) == std::vector<doc_id>{9, 2, 5});
}

TEST_CASE("keep cuts what leaves the stage, scored or not", "[rerank]") {
    std::size_t calls = 0;
    std::size_t read = 0;
    counting_model const model{&calls, &read};
    auto const kept = [&](std::size_t keep) {
        return ids_of(rerank_stage(model, number_text, {.depth = 2, .keep = keep})({}, four));
    };
    REQUIRE(kept(0).empty());
    REQUIRE(kept(1) == std::vector<doc_id>{20});
    REQUIRE(kept(3) == std::vector<doc_id>{20, 10, 30});
    REQUIRE(kept(9) == std::vector<doc_id>{20, 10, 30, 40});
    REQUIRE(read == 8); // two each, whatever is kept
}

TEST_CASE(
    "candidates with the same text as one before are dropped before depth counts", "[rerank]") {
    std::size_t calls = 0;
    std::size_t read = 0;
    std::vector<std::string> const texts{"7", "7", "8", "7", "9"};
    ranking const given{{0, 5.0f}, {1, 4.0f}, {2, 3.0f}, {3, 2.0f}, {4, 1.0f}};
    auto const source = [&](doc_id id) -> std::string const& { return texts[id]; };
    counting_model const model{&calls, &read};
    stage_trace trace;

    auto const hits =
        rerank_stage(model, source, {.depth = 2, .deduplicate = true})({}, given, {}, trace);
    REQUIRE(ids_of(hits) == std::vector<doc_id>{2, 0, 4});
    REQUIRE(read == 2);
    REQUIRE(
        trace.notes == std::vector<std::string>{"2 candidates dropped, their text came before"});

    REQUIRE(ids_of(rerank_stage(model, source, {.depth = 2})({}, given))
            == std::vector<doc_id>{0, 1, 2, 3, 4});
}

TEST_CASE(
    "texts come as views, as strings by value, by reference, from a member or a shared source",
    "[rerank]") {
    std::size_t calls = 0;
    std::size_t read = 0;
    counting_model const model{&calls, &read, -1};
    struct with_member {
        std::string held = "5";
        [[nodiscard]] std::string_view text(doc_id) const { return held; }
    };
    std::vector<std::string> const table(41, "5");
    ranking const expected{{10, -5.0f}, {20, -5.0f}, {30, -5.0f}, {40, -5.0f}};

    REQUIRE(rerank_stage(model, with_member{})({}, four) == expected);
    REQUIRE(rerank_stage(model, std::make_shared<with_member const>())({}, four) == expected);
    REQUIRE(
        rerank_stage(model, [&](doc_id id) -> std::string const& { return table[id]; })({}, four)
        == expected);
    REQUIRE(rerank_stage(model, [](doc_id) { return "5"; })({}, four) == expected);
    // Short strings live in the object itself: the views of a batch must survive the reading of the
    // next text.
    REQUIRE(
        ids_of(rerank_stage(model, number_text)({}, four)) == std::vector<doc_id>{10, 20, 30, 40});
}

TEST_CASE("the model sees the score of the stage before and the query", "[rerank]") {
    auto const model = [](query const& q, std::span<candidate const> batch, std::span<float> out) {
        for (std::size_t i = 0; i < batch.size(); ++i)
            out[i] = -batch[i].score + static_cast<float>(q.text.size());
    };
    REQUIRE(rerank_stage(model, number_text)({.text = "abc"}, four)
            == ranking{{40, 2.0f}, {30, 1.0f}, {20, 0.0f}, {10, -1.0f}});
}

TEST_CASE("a score that is NaN, infinite or was never written is an error that names the document",
    "[rerank]") {
    for (float const bad : {std::numeric_limits<float>::quiet_NaN(),
             std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()}) {
        auto const run = [&] { (void)rerank_stage(constant_model(bad), number_text)({}, four); };
        REQUIRE(error_of(run).code == errc::model);
        REQUIRE(error_of(run).names("document 10"));
    }
    auto const lazy = [](query const&, std::span<candidate const>, std::span<float> out) {
        out[0] = 1;
    };
    auto const run = [&] { (void)rerank_stage(lazy, number_text, {.batch_size = 3})({}, four); };
    REQUIRE(error_of(run).names("document 20"));
}

TEST_CASE("a batch size of 0 and null pointers are refused when the stage is made", "[rerank]") {
    auto const model = constant_model(1);
    REQUIRE(error_of([&] { (void)rerank_stage(model, number_text, {.batch_size = 0}); }).code
            == errc::invalid_argument);
    std::shared_ptr<counting_model> const none;
    REQUIRE(
        error_of([&] { (void)rerank_stage(none, number_text); }).code == errc::invalid_argument);
}

TEST_CASE("stopping between two batches keeps what was scored, the rest follows", "[rerank]") {
    std::size_t calls = 0;
    std::size_t read = 0;
    rerank_stage const stage(counting_model{&calls, &read}, number_text, {.batch_size = 2});
    search_options options;
    options.stop = [](void* seen) { return *static_cast<std::size_t*>(seen) == 1; };
    options.stop_context = &calls;
    stage_trace trace;

    auto const hits = stage({}, four, options, trace);
    REQUIRE(ids_of(hits) == std::vector<doc_id>{20, 10, 30, 40});
    REQUIRE(trace.partial);
    REQUIRE(trace.scored == 2);
}

TEST_CASE("an explanation says whether the model or the place decided", "[rerank][explain]") {
    std::size_t calls = 0;
    std::size_t read = 0;
    rerank_stage const stage(counting_model{&calls, &read}, number_text, {.depth = 2});
    stage_trace trace;
    auto const hits = stage({}, four, {}, trace);
    explanation const given{.label = "before", .value = 3};

    auto const scored = stage.explain({}, {four, hits, trace}, 0, given);
    REQUIRE(scored.op == operation::opaque);
    REQUIRE(scored.value == 20);
    REQUIRE(scored.children.at(0).label == "before");

    auto const followed = stage.explain({}, {four, hits, trace}, 3, given);
    REQUIRE(followed.op == operation::placed);
    REQUIRE(followed.value == static_cast<double>(hits[3].score));
    REQUIRE(adds_up(followed));

    rerank_stage const idle(counting_model{&calls, &read}, number_text, {.depth = 0});
    stage_trace idle_trace;
    auto const unchanged = idle({}, four, {}, idle_trace);
    REQUIRE(idle.explain({}, {four, unchanged, idle_trace}, 1, given).label == "before");
}

TEST_CASE(
    "models and sources that lack something are refused by the compiler", "[rerank][concepts]") {
    auto const stateful = [n = 0](query const&, std::span<candidate const>,
                              std::span<float>) mutable { ++n; };
    auto const wrong_span = [](query const&, std::span<candidate const>, std::span<double>) {};
    auto const wrong_text = [](doc_id) { return 5; };
    STATIC_REQUIRE_FALSE(reranker<decltype(stateful)>);
    STATIC_REQUIRE_FALSE(reranker<decltype(wrong_span)>);
    STATIC_REQUIRE_FALSE(text_source<decltype(wrong_text)>);
    STATIC_REQUIRE(pipeline_stage<decltype(rerank_stage(constant_model(1), number_text))>);
    STATIC_REQUIRE(traced_stage<decltype(rerank_stage(constant_model(1), number_text))>);
}

TEST_CASE("batches by length hold texts of like length and give the same result", "[rerank]") {
    std::vector<std::string> const texts{"44444", "1", "333", "22", "55555"};
    auto const source = [&](doc_id id) -> std::string const& { return texts[id]; };
    ranking const given{{0, 5.0f}, {1, 4.0f}, {2, 3.0f}, {3, 2.0f}, {4, 1.0f}};
    std::vector<std::vector<doc_id>> batches;
    auto const model = [&](query const&, std::span<candidate const> batch, std::span<float> out) {
        batches.emplace_back();
        for (std::size_t i = 0; i < batch.size(); ++i) {
            batches.back().push_back(batch[i].id);
            out[i] = static_cast<float>(batch[i].text.size() % 3);
        }
    };
    auto const plain = rerank_stage(model, source, {.depth = 4, .batch_size = 2})({}, given);
    batches.clear();
    auto const sorted =
        rerank_stage(model, source, {.depth = 4, .batch_size = 2, .by_length = true})({}, given);
    REQUIRE(sorted == plain);
    REQUIRE(batches == std::vector<std::vector<doc_id>>{{1, 3}, {2, 0}}); // 1 2 | 3 5 bytes
}

TEST_CASE(
    "a batch that fails is left out by choice: its hits follow in their old order", "[rerank]") {
    auto const model = [](query const&, std::span<candidate const> batch, std::span<float> out) {
        for (std::size_t i = 0; i < batch.size(); ++i) {
            if (batch[i].id == 20) throw std::runtime_error("too long");
            out[i] = batch[i].id == 30 ? std::numeric_limits<float>::quiet_NaN() : 7.0f;
        }
    };
    rerank_stage const stage(
        model, number_text, {.batch_size = 1, .on_failure = failure_policy::leave_out});
    stage_trace trace;
    auto const hits = stage({}, four, {}, trace);
    REQUIRE(ids_of(hits) == std::vector<doc_id>{10, 40, 20, 30});
    REQUIRE(hits[1].score == 7.0f);
    REQUIRE(hits[2].score == 7.0f - 0x1p-21f); // one float step below 7
    REQUIRE(trace.scored == 2);
    REQUIRE(trace.partial);
    REQUIRE(trace.notes.size() == 2);
    REQUIRE(trace.notes[0] == "a batch of 1 was not reranked: too long");
    REQUIRE(trace.notes[1].find("document 30 is nan") != std::string::npos);
    for (std::size_t i = 0; i < hits.size(); ++i)
        REQUIRE(adds_up(stage.explain({}, {four, hits, trace}, i, {.label = "before"})));

    REQUIRE_THROWS_AS(
        rerank_stage(model, number_text, {.batch_size = 1})({}, four), std::runtime_error);
    auto const hungry = [](query const&, std::span<candidate const>, std::span<float>) {
        throw std::bad_alloc();
    };
    REQUIRE_THROWS_AS(
        rerank_stage(hungry, number_text, {.on_failure = failure_policy::leave_out})({}, four),
        std::bad_alloc);
}

TEST_CASE("if every batch fails, or there is no time, the order and the scores stay", "[rerank]") {
    auto const failing = [](query const&, std::span<candidate const>, std::span<float>) {
        throw 5;
    };
    stage_trace trace;
    rerank_stage const left(failing, number_text, {.on_failure = failure_policy::leave_out});
    REQUIRE(left({}, four, {}, trace) == four);
    REQUIRE(trace.partial);
    REQUIRE(
        trace.notes
        == std::vector<std::string>{"a batch of 4 was not reranked: an exception of unknown type"});

    std::size_t calls = 0;
    std::size_t read = 0;
    stage_trace late;
    rerank_stage const hurried(counting_model{&calls, &read}, number_text, {.time_limit = 0});
    REQUIRE(hurried({}, four, {}, late) == four);
    REQUIRE(calls == 0);
    REQUIRE(late.partial);
}

TEST_CASE("the time limit lets no batch begin after it", "[rerank]") {
    auto const slow = [](query const&, std::span<candidate const> batch, std::span<float> out) {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        out[0] = static_cast<float>(batch[0].id);
    };
    stage_trace trace;
    rerank_stage const stage(slow, number_text, {.batch_size = 1, .time_limit = 0.02});
    REQUIRE(ids_of(stage({}, four, {}, trace)) == std::vector<doc_id>{10, 20, 30, 40});
    REQUIRE(trace.scored <= 1); // 0 where the machine slept before the first
    REQUIRE(trace.partial);
    stage_trace patient;
    REQUIRE(ids_of(rerank_stage(slow, number_text, {.batch_size = 1, .time_limit = 60})(
                {}, four, {}, patient))
            == std::vector<doc_id>{40, 30, 20, 10});
    REQUIRE_FALSE(patient.partial);
}

TEST_CASE("a model that tells its limit has its cut texts counted", "[rerank]") {
    struct limited {
        [[nodiscard]] static bool truncates(query const& q, std::string_view text) {
            return q.text.size() + text.size() > 3;
        }
        void operator()(query const&, std::span<candidate const>, std::span<float> out) const {
            for (auto& x : out) x = 0;
        }
    };
    auto const source = [](doc_id id) { return std::string(id / 10, 'x'); };
    stage_trace trace;
    (void)rerank_stage(limited{}, source, {.depth = 3})({.text = "q"}, four, {}, trace);
    REQUIRE(
        trace.notes == std::vector<std::string>{"1 of 3 texts are longer than the model reads"});
    stage_trace fine;
    (void)rerank_stage(limited{}, source, {.depth = 2})({.text = "q"}, four, {}, fine);
    REQUIRE(fine.notes.empty());
}

TEST_CASE("the score before may be mixed in, normalised", "[rerank][mix]") {
    // Before 4 3 2 1, min-max 1 2/3 1/3 0. The model 10 20 30 40, min-max 0 1/3 2/3 1. A quarter of
    // the first: 1/4, 1/6 + 1/4 = 5/12, 1/12 + 1/2 = 7/12, 3/4.
    std::size_t calls = 0;
    std::size_t read = 0;
    counting_model const model{&calls, &read};
    rerank_stage const stage(model, number_text, {.mix = {.before = 0.25}});
    stage_trace trace;
    auto const hits = stage({}, four, {}, trace);
    REQUIRE(ids_of(hits) == std::vector<doc_id>{40, 30, 20, 10});
    REQUIRE(hits[0].score == 0.75f);
    REQUIRE_THAT(hits[1].score, WithinAbs(7.0 / 12, 1e-7));
    REQUIRE_THAT(hits[2].score, WithinAbs(5.0 / 12, 1e-7));
    REQUIRE(hits[3].score == 0.25f);
    for (std::size_t i = 0; i < hits.size(); ++i) {
        auto const tree = stage.explain({}, {four, hits, trace}, i, {.label = "before"});
        REQUIRE(tree.op == operation::round);
        REQUIRE(tree.value == static_cast<double>(hits[i].score));
        REQUIRE(adds_up(tree));
        REQUIRE(to_text(tree).find("0 before\n") != std::string::npos);
    }
    REQUIRE(calls == 1);

    auto const order = [&](score_mixture mix) {
        return ids_of(rerank_stage(model, number_text, {.mix = mix})({}, four));
    };
    REQUIRE(order({.before = 1}) == std::vector<doc_id>{10, 20, 30, 40});
    // all 1/2: the order given
    REQUIRE(order({.before = 0.5}) == std::vector<doc_id>{10, 20, 30, 40});
    // Unnormalised: 13/2 < ... as the model's scores are larger.
    REQUIRE(rerank_stage(model, number_text, {.mix = {.before = 0.5, .norm = normaliser::none}})(
                {}, four)
            == ranking{{40, 20.5f}, {30, 16.0f}, {20, 11.5f}, {10, 7.0f}});
    // By rank 1 3/4 1/2 1/4 and 1/4 1/2 3/4 1.
    REQUIRE(rerank_stage(model, number_text, {.mix = {.before = 0.25, .norm = normaliser::rank}})(
                {}, four)
            == ranking{{40, 0.8125f}, {30, 0.6875f}, {20, 0.5625f}, {10, 0.4375f}});
    // Only what was scored takes part; the rest follows.
    auto const partly =
        rerank_stage(model, number_text, {.depth = 2, .mix = {.before = 0.25}})({}, four);
    REQUIRE(ids_of(partly) == std::vector<doc_id>{20, 10, 30, 40});
    REQUIRE(partly[1].score == 0.25f);
}

TEST_CASE(
    "a model's own explanation is believed where it has the score's bits", "[rerank][explain]") {
    struct telling {
        double told;
        void operator()(
            query const&, std::span<candidate const> batch, std::span<float> out) const {
            for (std::size_t i = 0; i < batch.size(); ++i) out[i] = 5 + batch[i].score;
        }
        [[nodiscard]] explanation explain(query const&, candidate const& c) const {
            return {.label = "told of " + std::string(c.text),
                .value = told + static_cast<double>(c.score)};
        }
    };
    auto const tree_of = [](double told, score_mixture mix) {
        rerank_stage const stage(telling{told}, number_text, {.mix = mix});
        stage_trace trace;
        auto const hits = stage({}, four, {}, trace);
        auto const tree = stage.explain({}, {four, hits, trace}, 1, {.label = "before"});
        REQUIRE(adds_up(tree));
        return to_text(tree);
    };
    REQUIRE(tree_of(5, {}).find("8 told of 20") != std::string::npos);
    REQUIRE(tree_of(5, {.before = 0.5}).find("8 told of 20") != std::string::npos);
    REQUIRE(tree_of(4, {}).find("told") == std::string::npos);
}

TEST_CASE("options outside their range are refused when the stage is made", "[rerank]") {
    auto const nan = std::numeric_limits<double>::quiet_NaN();
    auto const refused = [](rerank_options options) {
        auto const thrown =
            error_of([&] { (void)rerank_stage(constant_model(1), number_text, options); });
        REQUIRE(thrown.code == errc::invalid_argument);
        return thrown.text;
    };
    REQUIRE(refused({.time_limit = -1}) == "rerank: time_limit is -1, must be >= 0");
    (void)refused({.time_limit = nan});
    REQUIRE(refused({.mix = {.before = 1.5}}) == "rerank: mix.before is 1.5, must be in [0, 1]");
    (void)refused({.mix = {.before = -0.1}});
    (void)refused({.mix = {.before = nan}});
    REQUIRE(error_of([] {
        (void)rerank_stage(constant_model(1), no_text{}, {.deduplicate = true});
    }).code == errc::invalid_argument);
}
