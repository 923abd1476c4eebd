// SPDX-License-Identifier: MIT
#include <trawl/pipeline/rewriting.hpp>

#include "support/catch.hpp"
#include "support/tiny.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <trawl/pipeline/hybrid_search.hpp>

using namespace trawl;

namespace {

using words = std::vector<std::string_view>;

// A retriever that finds nothing and remembers the text it was asked.
struct listener {
    std::string* heard;
    [[nodiscard]] ranking search(query const& q, search_options const&) const {
        *heard = q.text;
        return {};
    }
};

auto to(std::string text) {
    return [text](query const&) { return text; };
}

} // namespace

TEST_CASE(
    "identifiers, words with a digit and quoted words are to be kept", "[pipeline][rewriting]") {
    REQUIRE(words_to_keep("why does PROD-4817 fail with HTTP 404 in /api/v3/cursors?")
            == words{"PROD-4817", "404", "api/v3/cursors"});
    REQUIRE(words_to_keep("say \"not found\" or \xE2\x80\x9Cgone\xE2\x80\x9D, snake_case, x64")
            == words{"not found", "gone", "snake_case", "x64"});
    REQUIRE(words_to_keep("an \"unfinished quotation of E-17") == words{"E-17"});
    REQUIRE(words_to_keep("\"the E-17 error\" of E-17") == words{"the E-17 error", "E-17"});
    REQUIRE(words_to_keep("plain words, don't, C++ \"\"").empty());
    REQUIRE(words_to_keep("").empty());
}

TEST_CASE("what a rewriting loses is put back, or reported only", "[pipeline][rewriting]") {
    std::string heard;
    query const q{.text = "PROD-4817 \"refund policy\" pls"};
    auto const kept =
        hybrid_search{listener{&heard}}.rewrite(to("Refund Policy of the product")).report(q);
    REQUIRE(heard == "Refund Policy of the product PROD-4817");
    REQUIRE(kept.trace.at(0).name == "rewrite");
    REQUIRE(kept.trace.at(0).notes
            == std::vector<std::string>{"the rewriting lost 'PROD-4817', put back"});

    auto const reported = hybrid_search{listener{&heard}}
                              .rewrite(to("policy on refunds for prod-48171"), {.protect = false})
                              .report(q);
    REQUIRE(heard == "policy on refunds for prod-48171");
    REQUIRE(reported.trace.at(0).notes
            == std::vector<std::string>{
                "the rewriting lost 'PROD-4817'", "the rewriting lost 'refund policy'"});

    auto const fine =
        hybrid_search{listener{&heard}}.rewrite(to("refund policy prod-4817")).report(q);
    REQUIRE(fine.trace.at(0).notes.empty());
}

TEST_CASE("embedder, variants and stages read the new text", "[pipeline][rewriting]") {
    struct length_model {
        [[nodiscard]] static std::size_t dim() { return 1; }
        static void embed(
            std::span<std::string_view const> texts, text_role, matrix_view<float> out) {
            out.row(0)[0] = static_cast<float>(texts[0].size());
        }
    };
    std::string heard;
    std::string by_expander;
    std::string by_stage;
    float vector = 0;
    auto const expand = [&](query const& q) {
        by_expander = q.text;
        vector = q.vector[0];
        return std::vector<query_variant>{};
    };
    auto const look = [&](query const& q, ranking hits, search_options const&) {
        by_stage = q.text;
        return hits;
    };
    auto const search = hybrid_search{listener{&heard}}
                            .variants(expand)
                            .embed(length_model{})
                            .rewrite(to("new"))
                            .then(look);
    auto const report = search.report({.text = "older"});
    REQUIRE(heard == "new");
    REQUIRE(by_expander == "new");
    REQUIRE(by_stage == "new");
    REQUIRE(vector == 3);
    std::vector<std::string> names;
    for (auto const& step : report.trace) names.push_back(step.name);
    REQUIRE(
        names
        == std::vector<std::string>{"rewrite", "embed", "variants", "arm 0", "fusion", "stage 0"});
}

TEST_CASE("a rewriter that returns nothing changes nothing, without text none is asked",
    "[pipeline][rewriting]") {
    std::string heard;
    auto const report =
        hybrid_search{listener{&heard}}.rewrite(to("")).report({.text = "as it is"});
    REQUIRE(heard == "as it is");
    REQUIRE(report.trace.at(0).notes
            == std::vector<std::string>{"returned nothing: the query is kept"});
    std::vector<float> const vector{1};
    auto const none =
        hybrid_search{listener{&heard}}.rewrite(to("made up")).report({.vector = vector});
    REQUIRE(heard.empty());
    REQUIRE(none.trace.at(0).name == "arm 0");
}
