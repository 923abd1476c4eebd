// SPDX-License-Identifier: MIT
#if __has_include(<nlohmann/json.hpp>)

#include <trawl/pipeline/json.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"
#include "support/tiny.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/rerank/autocut.hpp>
#include <trawl/rerank/score_floor.hpp>

using support::error_of;
using support::plain_arm;
using support::point_source;
using support::table_arm;
using namespace trawl;
using json = nlohmann::ordered_json;

namespace {

std::vector<float> const right{1, 0};
query const question{.text = "question", .vector = right};
table_arm const first{{{1, 9.0f}, {2, 8.0f}, {3, 7.0f}}, {4}};
table_arm const second{{{4, 5.0f}, {2, 4.0f}, {5, 3.0f}}, {1}};
point_source const points{{{}, {1, 0}, {1, 0}, {0, 1}, {0.6f, 0.8f}, {-1, 0}}};

void by_id(query const&, std::span<candidate const> batch, std::span<float> out) {
    for (std::size_t i = 0; i < batch.size(); ++i) out[i] = static_cast<float>(batch[i].id % 3);
}
std::string_view one_text(doc_id) { return "text"; }
std::optional<double> tens(doc_id id) { return 10.0 * id; }
ranking reversed(query const&, ranking hits, search_options const&) {
    float score = 0;
    std::reverse(hits.begin(), hits.end());
    for (auto& h : hits) h.score = score -= 1;
    return hits;
}

pipeline_registry made() {
    pipeline_registry known;
    known.arm("lexical", first).arm("dense", second).arm("plain", plain_arm{second});
    known.rerank("model", by_id, one_text).diversify("mmr", mmr{}, points);
    known.boost("recent", decay{.origin = 50, .scale = 10}, tens).stage("reverse", reversed);
    return known;
}

auto const known = made();

std::string reason(std::string_view text) {
    auto const thrown = error_of([&] { (void)known.parse(text); });
    CAPTURE(text);
    REQUIRE((thrown.code == errc::parse || thrown.code == errc::invalid_argument));
    return thrown.text;
}

} // namespace

TEST_CASE("a pipeline from JSON is the one written in code, to the bit", "[pipeline][json]") {
    struct pair {
        std::string_view text;
        any_pipeline code;
    };
    for (auto const& p :
        {
            pair{R"({"arms": ["lexical", "dense"]})", hybrid_search{first, second}},
            pair{R"({"arms": ["lexical", {"arm": "dense", "window": 2}], "window": 1})",
                hybrid_search{first, second}.window({1, 2})},
            pair{
                R"({"arms": ["lexical", "dense"], "fuse": {"rule": "rrf", "k": 3, "weights": [0.5, 2]},
                      "stages": [{"stage": "model", "depth": 3, "keep": 4}, {"stage": "mmr", "lambda": 0.3}]})",
                hybrid_search{first, second}
                    .fuse(rrf{.k = 3, .weights = {0.5, 2}})
                    .rerank(by_id, one_text, {.depth = 3, .keep = 4})
                    .diversify(mmr{.lambda = 0.3}, points)},
            pair{
                R"({"arms": ["lexical", "dense"], "fuse": {"rule": "weighted_sum", "norm": "z-score",
                      "complete": true}, "stages": ["reverse"]})",
                hybrid_search{first, second}
                    .fuse(weighted_sum{.norm = normaliser::z_score}, {.complete = true})
                    .then(reversed)},
            pair{
                R"({"arms": ["lexical", "plain"], "fuse": {"rule": "weighted_sum", "complete": true},
                      "stages": [{"stage": "recent", "shape": "linear", "mode": "add", "weight": 0.5}]})",
                hybrid_search{first, plain_arm{second}}
                    .fuse(weighted_sum{}, {.complete = true})
                    .then(
                        boost_stage(decay{.origin = 50, .scale = 10, .shape = decay_shape::linear},
                            tens, {.mode = boost_mode::add, .weight = 0.5}))},
        }) {
        CAPTURE(p.text);
        auto const read = known.parse(p.text);
        auto const expected = p.code(question, 100);
        REQUIRE(expected.size() >= 3);
        REQUIRE(read(question, 100) == expected);
        for (auto const& h : expected)
            REQUIRE(
                to_text(read.explain(question, h.id)) == to_text(p.code.explain(question, h.id)));
        auto const trace = read.report(question).trace;
        auto const in_code = p.code.report(question).trace;
        REQUIRE(trace.size() == in_code.size());
        for (std::size_t i = 0; i < trace.size(); ++i) {
            REQUIRE(trace[i].name == in_code[i].name);
            REQUIRE(trace[i].scored == in_code[i].scored);
            REQUIRE(trace[i].notes == in_code[i].notes);
        }
    }
}

TEST_CASE("every rule and preset of the library is known by its name", "[pipeline][json]") {
    std::size_t rules = 0;
    detail::for_each_rule([&](std::string const& name, auto const& rule) {
        CAPTURE(name);
        ++rules;
        auto const search =
            known.parse(R"({"arms": ["lexical", "dense"], "fuse": {"rule": ")" + name + R"("}})");
        auto const expected = hybrid_search{first, second}.fuse(rule)(question, 10);
        CHECK(search(question, 10) == expected);
        json const written = search;
        CHECK(known.parse(written.dump())(question, 10) == expected);
    });
    CHECK(rules == 27);
}

TEST_CASE("the fields of a rule are read", "[pipeline][json]") {
    struct pair {
        std::string_view fuse;
        any_pipeline code;
    };
    auto const fused_by = [](auto rule) {
        return hybrid_search{first, second}.fuse(std::move(rule));
    };
    for (auto const& p :
        {
            pair{
                R"({"rule": "tm2c2", "weights": [0.3, 0.7], "bounds": [{"lowest": 0}, {"lowest": -1, "highest": 9}]})",
                fused_by(tm2c2{.weights = {0.3, 0.7}, .bounds = {{0, {}}, {-1, 9}}})},
            pair{R"({"rule": "dbsf", "sigma": "sample", "clamp": false, "constant": 0.2})",
                fused_by(dbsf{.sigma = deviation::sample, .clamp = false, .constant = 0.2})},
            pair{
                R"({"rule": "weighted_sum", "norm": "z-score", "missing": "lowest", "least": 0.1, "constant": 0.4})",
                fused_by(weighted_sum{.norm = normaliser::z_score,
                .constant = 0.4,
                .least = 0.1,
                .missing = missing_score::lowest})},
            pair{R"({"rule": "comb_gmnz", "gamma": 0.5, "norm": "max"})",
                fused_by(comb_gmnz{.gamma = 0.5, .norm = normaliser::max})},
            pair{R"({"rule": "logn_isr", "sigma": 0.5, "ties": "shared"})",
                fused_by(logn_isr{.sigma = 0.5, .ties = tied_ranks::shared})},
            pair{R"({"rule": "rbc", "phi": 0.5})", fused_by(rbc{.phi = 0.5})},
            pair{R"({"rule": "qdrant_rrf", "ks": [3, 4]})", fused_by(rrf{.k = 1, .ks = {3, 4}})},
        }) {
        CAPTURE(p.fuse);
        auto const search =
            known.parse(R"({"arms": ["lexical", "dense"], "fuse": )" + std::string(p.fuse) + "}");
        auto const expected = p.code(question, 10);
        REQUIRE(expected.size() == 5);
        CHECK(search(question, 10) == expected);
        json const written = search;
        CHECK(known.parse(written.dump())(question, 10) == expected);
    }
    CHECK(
        reason(
            R"({"arms": ["lexical", "dense"], "fuse": {"rule": "tm2c2", "bounds": [{"low": 1}]}})")
        == "pipeline.fuse.bounds[0]: unknown field 'low'");
    CHECK(reason(R"({"arms": ["lexical", "dense"], "fuse": {"rule": "dbsf", "sigma": 3}})")
          == "pipeline.fuse.sigma must be one of population, sample, is 3");
}

TEST_CASE("what is written has all defaults, and is read as the same", "[pipeline][json]") {
    auto const search = known.parse(
        R"({"arms": ["lexical", "dense"], "stages": ["reverse", {"stage": "model", "depth": 7}]})");
    json const written = search;
    REQUIRE(
        written.dump()
        == R"({"window":50,"arms":[{"arm":"lexical","window":50},{"arm":"dense","window":50}],)"
           R"("fuse":{"rule":"rrf","k":60.0,"weights":[],"ks":[],"ties":"by_place","complete":false},"on_arm_failure":"fail",)"
           R"("stages":[{"stage":"reverse"},{"stage":"model","depth":7,"batch_size":32,"deduplicate":false,)"
           R"("by_length":false,"on_failure":"fail","mix":0.0,"mix_norm":"min-max"}]})");
    auto const again = known.parse(written.dump());
    REQUIRE(json(again) == written);
    REQUIRE(again(question) == search(question));
    auto const copy = again; // NOLINT(performance-unnecessary-copy-initialization)
    REQUIRE(copy.description() == written.dump());
    any_pipeline const in_code = hybrid_search{first};
    REQUIRE(error_of([&] { (void)json(in_code); }).code == errc::invalid_argument);
}

TEST_CASE("unknown names and fields are named, with where they stand", "[pipeline][json]") {
    REQUIRE(reason(R"({"arms": ["lexikal"]})")
            == "pipeline.arms[0]: unknown arm 'lexikal', known are: dense, lexical, plain");
    REQUIRE(reason(R"({"arms": ["dense", {"arm": "lexical", "windw": 3}]})")
            == "pipeline.arms[1]: unknown field 'windw'");
    REQUIRE(reason(R"({"arms": ["dense"], "fuse": {"rule": "rff"}})")
                .find("pipeline.fuse: unknown rule 'rff', known are: borda, comb_anz, comb_gmnz, ")
            == 0);
    REQUIRE(reason(R"({"arms": ["dense"], "fuse": {"rule": "rrf", "norm": "none"}})")
            == "pipeline.fuse: unknown field 'norm'");
    REQUIRE(reason(R"({"arms": ["dense"], "stages": [{"stage": "reverse", "depth": 3}]})")
            == "pipeline.stages[0]: unknown field 'depth'");
    REQUIRE(reason(R"({"arms": ["dense"], "stages": ["model", "modl"]})")
            == "pipeline.stages[1]: unknown stage 'modl', known are: mmr, model, recent, reverse");
    REQUIRE(reason(R"({"arms": ["dense"], "embed": "minilm"})")
            == "pipeline.embed: unknown embedder 'minilm', known are: none");
    REQUIRE(reason(R"({"arms": ["dense"], "limit": 3})") == "pipeline: unknown field 'limit'");
}

TEST_CASE("wrong types and values are named", "[pipeline][json]") {
    REQUIRE(reason("{") == "pipeline: the text is not JSON");
    REQUIRE(reason("[]") == "pipeline must be an object, is []");
    REQUIRE(reason("{}") == "pipeline.arms must be a list with at least one arm, is null");
    REQUIRE(
        reason(R"({"arms": []})") == "pipeline.arms must be a list with at least one arm, is []");
    REQUIRE(reason(R"({"arms": [3]})") == "pipeline.arms[0] must be an object, is 3");
    REQUIRE(reason(R"({"arms": ["dense"], "window": -5})")
            == "pipeline.window must be a whole number >= 0, is -5");
    REQUIRE(reason(R"({"arms": ["dense"], "window": 0})") == "pipeline.window is 0, must be >= 1");
    REQUIRE(reason(R"({"arms": ["dense"], "fuse": {"rule": "rrf", "weights": [1, "2"]}})")
            == "pipeline.fuse.weights must be a number, is \"2\"");
    REQUIRE(reason(R"({"arms": ["dense"], "on_arm_failure": "retry"})")
            == "pipeline.on_arm_failure must be one of fail, leave_out, is \"retry\"");
    REQUIRE(reason(R"({"arms": ["dense"], "stages": [{"stage": "model", "deduplicate": 1}]})")
            == "pipeline.stages[0].deduplicate must be true or false, is 1");
    REQUIRE(reason(R"({"arms": ["dense"], "stages": [{"stage": "mmr", "relevance": "score"}]})")
            == "pipeline.stages[0].relevance must be one of cosine, stage_score, is \"score\"");
    REQUIRE(reason(R"({"arms": ["dense"], "fuse": {"rule": "rrf", "complete": true}})")
            == "pipeline.fuse.complete is true, but the fusion rule reads ranks, not scores");
    REQUIRE(reason(R"({"arms": ["dense"], "fuse": {"rule": "rrf", "k": -1}})").find("rrf: k") == 0);
    REQUIRE(error_of([] {
        (void)known.parse(R"({"arms": ["dense"], "fuse": {"weights": [1, 2]}})");
    }).code == errc::weight_count);
    REQUIRE(reason(R"({"arms": ["dense"], "stages": [{"stage": "model", "batch_size": 0}]})")
            == "rerank: batch_size is 0, must be >= 1");
}

TEST_CASE("an embedder, rules and stages of the program's own", "[pipeline][json]") {
    struct unit_model {
        [[nodiscard]] static std::size_t dim() { return 2; }
        static void embed(std::span<std::string_view const>, text_role, matrix_view<float> out) {
            out.row(0)[0] = 1;
            out.row(0)[1] = 0;
        }
    };
    auto mine = made();
    mine.embed("unit", unit_model{})
        .rule("rrf10", rrf{.k = 10})
        .arm("shared", std::make_shared<table_arm const>(first));
    auto const search = mine.parse(
        R"({"arms": ["shared", "dense"], "embed": "unit", "fuse": {"rule": "rrf10"}, "stages": ["mmr"]})");
    auto const expected = hybrid_search{first, second}
                              .embed(unit_model{})
                              .fuse(rrf{.k = 10})
                              .diversify(mmr{}, points);
    REQUIRE(search({.text = "question"}) == expected({.text = "question"}));
    REQUIRE(error_of([&] { mine.arm("dense", first); }).code == errc::duplicate_key);
    REQUIRE(error_of([&] { mine.arm("null", std::shared_ptr<table_arm const>()); }).code
            == errc::invalid_argument);
}

TEST_CASE("a stage that needs scores is refused after ranks, as in code", "[pipeline][json]") {
    pipeline_registry known;
    known.arm("first", first).arm("second", second).rerank("model", by_id, one_text);
    known.stage("autocut", autocut{}).stage("floor", score_floor{0});
    auto const of = [&](char const* rule, std::vector<std::string> const& stages) {
        return json{{"arms", {"first", "second"}}, {"fuse", {{"rule", rule}}}, {"stages", stages}};
    };
    CHECK(error_of([&] {
        std::ignore = known.make(of("rrf", {"floor", "autocut"}));
    }).text
          == "pipeline.stages[1]: stage 'autocut' needs scores, but the fusion rule makes them of "
             "ranks; fuse by scores, or rerank first");
    CHECK(known.make(of("weighted_sum", {"floor", "autocut"})).search(question, {.k = 1}).size()
          == 1);
    CHECK(known.make(of("rrf", {"model", "autocut"})).search(question, {.k = 1}).size() == 1);
}

TEST_CASE("explanations and reports as JSON", "[pipeline][json]") {
    auto const search = hybrid_search{first, second};
    json const tree = search.explain(question, 2);
    REQUIRE(tree["operation"] == "round");
    REQUIRE(tree["value"].get<double>() == static_cast<double>(search(question).at(0).score));
    REQUIRE(tree["parts"][0]["operation"] == "sum");
    json const report = search.report(question, {.k = 1});
    REQUIRE(report["ranking"][0]["id"] == 2);
    REQUIRE(report["trace"].size() == 3);
    REQUIRE(report["trace"][2]["name"] == "fusion");
    REQUIRE(report["trace"][2]["in"] == 6);
    REQUIRE(report["failures"].empty());
    REQUIRE(report["partial"] == false);
}

#endif

TEST_CASE("JSON that is nested too deep is refused", "[pipeline][json]") {
    pipeline_registry const known;
    for (std::size_t const depth : {65u, 80'000u, 1'000'000u}) {
        CAPTURE(depth);
        for (auto const* const key : {"arms", "fuse", "stages", "window"}) {
            auto const text = "{\"" + std::string(key) + "\":" + std::string(depth, '[')
                              + std::string(depth, ']') + "}";
            CHECK_THROWS_WITH(known.parse(text), "pipeline: the JSON is nested more than 64 deep");
        }
        CHECK_THROWS_AS(known.parse("{\"arms\":" + std::string(depth, '[')), error);
    }
    auto deep = nlohmann::ordered_json::array();
    for (int i = 0; i < 200; ++i) {
        auto outer = nlohmann::ordered_json::array();
        outer.push_back(std::move(deep));
        deep = std::move(outer);
    }
    nlohmann::ordered_json description;
    description["arms"] = std::move(deep);
    CHECK_THROWS_WITH(known.make(description), "pipeline: the JSON is nested more than 64 deep");
}
