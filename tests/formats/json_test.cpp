// SPDX-License-Identifier: MIT
#include <trawl/formats/json.hpp>

#include "support/catch.hpp"

using json = nlohmann::ordered_json;

TEST_CASE("an explanation is a tree in JSON too", "[io][json]") {
    trawl::explanation const tree{trawl::operation::sum, "rrf", 0.75,
        {{.label = "arm \"0\"", .value = 0.5}, {.label = "arm 1", .value = 0.25}}};
    CHECK(json(tree).dump()
          == R"({"operation":"sum","label":"rrf","value":0.75,"parts":[)"
             R"({"operation":"leaf","label":"arm \"0\"","value":0.5},)"
             R"({"operation":"leaf","label":"arm 1","value":0.25}]})");
}

TEST_CASE("rankings, judgements and evaluations become JSON", "[io][json]") {
    CHECK(json(trawl::ranking{{3, 0.5f}}).dump() == R"([{"id":3,"score":0.5}])");
    trawl::qrels const judged{{"q", "b", 2}, {"q", "a", 0}, {"p", "a", 1}};
    CHECK(json(judged).dump() == R"({"p":{"a":1},"q":{"a":0,"b":2}})");
    trawl::run const run{{"q", "a", 1}, {"q", "b", .5}};
    CHECK(
        json(trawl::evaluate(run, judged, trawl::measures_named("mrr,num_rel"))).dump()
        == R"({"convention":"trec_eval","rules":{"equal scores":"key_descending","missing questions":"zero",)"
           R"("questions without an answer":"count","negative grades":"unjudged","own document":"count",)"
           R"("repeated documents":"fail"},"questions":2,"missing":["p"],"unjudged":[],)"
           R"("all":{"recip_rank":0.25,"num_rel":2.0},)"
           R"("queries":{"p":{"recip_rank":0.0,"num_rel":1.0},"q":{"recip_rank":0.5,"num_rel":1.0}}})");
}
