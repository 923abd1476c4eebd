// SPDX-License-Identifier: MIT
#include <trawl/eval/query_profile.hpp>

#include <string>
#include <vector>

#include "support/catch.hpp"

namespace {

trawl::query_profile profile(std::vector<std::string_view> const& questions) {
    return trawl::profile_of(questions);
}

// n questions of which `exact` name a code.
std::vector<std::string_view> mixed(std::size_t exact, std::size_t n) {
    std::vector<std::string_view> out;
    for (std::size_t i = 0; i < n; ++i)
        out.push_back(i < exact ? "how to fix E4017" : "how do refunds work");
    return out;
}

} // namespace

TEST_CASE("a profile counts what is exact in questions", "[eval][profile]") {
    auto const p = profile(
        {"How do I reset PROD-4817?", "what is std::span", "where is HttpClient", "who runs NATO",
            "find \"exact words\" here", "In 1984 there were 12 of them.", "I like A plan"});
    CHECK(p.questions == 7);
    CHECK_THAT(p.codes, WithinRel(1.0 / 7, 1e-12));
    CHECK_THAT(p.identifiers, WithinRel(2.0 / 7, 1e-12));
    CHECK_THAT(p.names, WithinRel(1.0 / 7, 1e-12));
    CHECK_THAT(p.quoted, WithinRel(1.0 / 7, 1e-12));
    CHECK_THAT(p.exact, WithinRel(5.0 / 7, 1e-12));
    CHECK_THAT(p.words, WithinRel((5 + 3 + 3 + 3 + 4 + 7 + 4) / 7.0, 1e-12));
    std::vector<std::string_view> const one{"what is a quokka"};
    auto const rare =
        trawl::profile_of(one, [](std::string_view word) { return word == "quokka"; });
    CHECK((rare.rare == 1 && rare.exact == 1));
    CHECK(profile({}).words == 0);
}

TEST_CASE("a profile tells the language by its smallest words", "[eval][profile]") {
    CHECK(profile({"How do the refunds work?", "What is it for"}).language == "en");
    CHECK(profile({"Wie kann ich das nicht mit der Maus"}).language == "de");
    CHECK(profile({"Comment est une page dans les listes"}).language == "fr");
    CHECK(profile({"zzz"}).language.empty());
}

TEST_CASE("suggestions follow the shares, and stand beside what was measured", "[eval][profile]") {
    auto const said = [](std::size_t exact, std::size_t n, trawl::profile_evidence const& e = {}) {
        return trawl::suggestions(profile(mixed(exact, n)), e).back();
    };
    CHECK(said(4, 20).find("the dense arm alone") != std::string::npos); // 80 % plain
    CHECK(said(5, 20).find("only measuring decides") != std::string::npos);
    // 30 % exact
    CHECK(said(6, 20).find("BM25 beside the dense arm, fused by RRF") != std::string::npos);
    CHECK(said(6, 20).find("Not measured yet.") != std::string::npos);
    CHECK(said(6, 20, {.systems = {{"BM25", .5}, {"fused", .61}}})
              .find("Measured, nDCG@10: BM25 0.5000, fused 0.6100.")
          != std::string::npos);
    CHECK(trawl::suggestions(profile(mixed(1, 5))).front().find("There are 5 questions") == 0);
    CHECK(trawl::suggestions(profile({})).size() == 1);
    CHECK(trawl::to_table(profile(mixed(6, 20))).rows.size() == 10);
}

TEST_CASE("texts and results suggest their remedies", "[eval][profile]") {
    auto const says = [](trawl::profile_evidence const& e, std::string_view part,
                          std::size_t vague = 0) {
        auto questions = mixed(6, 20);
        for (std::size_t i = 0; i < vague; ++i) questions[i] = "refund please";
        for (auto const& s : trawl::suggestions(profile(questions), e)) {
            if (s.find(part) != s.npos) return true;
        }
        return false;
    };
    CHECK(says({.texts = trawl::text_kind::reference}, "more weight than the dense arm"));
    CHECK(says({.texts = trawl::text_kind::dialogue}, "as much weight as BM25, or more"));
    CHECK(!says({}, "weight"));
    CHECK(says({.found = .95, .first = .7},
        "95 % of the questions have an answer among the candidates, 70 %"));
    CHECK(!says({.found = .95, .first = .9}, "rerank"));
    CHECK(says({.repetition = .25}, "25 % of the first hits repeat"));
    CHECK(!says({.repetition = .1}, "MMR"));
    CHECK(says({}, "20 % of the questions are vague", 4));
    CHECK(!says({}, "vague", 3));
}
