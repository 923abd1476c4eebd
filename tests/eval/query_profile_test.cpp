// SPDX-License-Identifier: MIT
#include <trawl/eval/query_profile.hpp>

#include <string>
#include <vector>

#include "support/catch.hpp"

namespace {

trawl::query_profile profile(std::vector<std::string_view> const& queries) {
    return trawl::profile_of(queries);
}

// n queries of which `exact` name a code.
std::vector<std::string_view> mixed(std::size_t exact, std::size_t n) {
    std::vector<std::string_view> out;
    for (std::size_t i = 0; i < n; ++i)
        out.push_back(i < exact ? "how to fix E4017" : "how do refunds work");
    return out;
}

} // namespace

TEST_CASE("a profile counts what is exact in queries", "[eval][profile]") {
    auto const p = profile(
        {"How do I reset PROD-4817?", "what is std::span", "where is HttpClient", "who runs NATO",
            "find \"exact words\" here", "In 1984 there were 12 of them.", "I like A plan"});
    CHECK(p.queries == 7);
    CHECK_THAT(p.codes, WithinRel(1.0 / 7, 1e-12));
    CHECK_THAT(p.identifiers, WithinRel(2.0 / 7, 1e-12));
    CHECK_THAT(p.names, WithinRel(1.0 / 7, 1e-12));
    CHECK_THAT(p.quoted, WithinRel(1.0 / 7, 1e-12));
    CHECK_THAT(p.exact, WithinRel(5.0 / 7, 1e-12));
    CHECK_THAT(p.words, WithinRel((5 + 3 + 3 + 3 + 4 + 7 + 4) / 7.0, 1e-12));
    std::vector<std::string_view> const one{"what is a quokka"};
    auto const rare =
        trawl::profile_of(one, [](std::string_view word) { return word == "quokka"; });
    CHECK((rare.rare == 1 && rare.exact == 0 && rare.vague == 0));
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
    CHECK(said(6, 20).find("try BM25 beside the dense arm, and measure their fusion")
          != std::string::npos);
    CHECK(said(6, 20).find("Not measured yet.") != std::string::npos);
    CHECK(said(6, 20, {.lexical = .5, .systems = {{"mine", .61}}})
              .find("Measured, nDCG@10: BM25 0.5000, mine 0.6100.")
          != std::string::npos);
    CHECK(trawl::suggestions(profile(mixed(1, 5))).front().find("There are 5 queries") == 0);
    CHECK(trawl::suggestions(profile({})).size() == 1);
    CHECK(trawl::to_table(profile(mixed(6, 20))).rows.size() == 10);
}

TEST_CASE("a query that names something is exact, whatever it looks like", "[eval][profile]") {
    for (std::string_view const text : {"refund for order #8821", "refund for order 8821",
             "who is Maria Schulze", "email of Jos\xC3\xA9 to \xC3\x89milie", "invoice 48213",
             "ticket #7", "contract with Siemens", "reset PROD-4817", "the file src/io/file.hpp"}) {
        CAPTURE(text);
        CHECK(profile({text}).exact == 1);
    }
    for (std::string_view const text : {"how do I get my money back", "what happened in 1984",
             "a list of 500 items", "I'm late, what now", "what if I'm late",
             "How To Reset My Password", "do it now. Then what?", "this and/or that",
             "e.g. a refund", "more than 12 days", "5000 rows at once"}) {
        CAPTURE(text);
        CHECK(profile({text}).exact == 0);
    }
    // German capitalises nouns.
    auto const german = [](std::string_view text) {
        return profile({text, "wie ist das", "was kann ich mit der"}).names > 0;
    };
    CHECK(!german("wie ist die Adresse von dem Kunden"));
    CHECK(german("wer ist Maria Schulze"));
}

TEST_CASE("a rare word does not make a paraphrase exact", "[eval][profile]") {
    std::vector<std::string_view> const queries(20, "how can I return a broken kettle");
    auto const p =
        trawl::profile_of(queries, [](std::string_view word) { return word == "kettle"; });
    CHECK((p.rare == 1 && p.exact == 0));
    CHECK(trawl::suggestions(p).back().find("100 % of the queries are plain language") == 0);
}

TEST_CASE("a suggestion never contradicts what was measured", "[eval][profile]") {
    auto const all = [](trawl::profile_evidence const& e) {
        std::string out;
        for (auto const& s : trawl::suggestions(profile(mixed(18, 20)), e)) out += s + "\n";
        return out;
    };
    auto const worse = all({.lexical = .60, .dense = .72, .fused = .69});
    CHECK(
        worse.find("the dense arm alone is no worse than both fused by RRF: use it alone, or tune "
                   "the fusion. Measured, nDCG@10: BM25 0.6000, dense 0.7200, fused by RRF 0.6900.")
        != std::string::npos);
    CHECK(worse.find("keep both") == std::string::npos);
    CHECK(all({.lexical = .72, .dense = .60, .fused = .72}).find("BM25 alone is no worse")
          != std::string::npos);
    CHECK(all({.lexical = .66, .dense = .72, .fused = .776, .fusion = "weighted sum"})
              .find("fused by weighted sum, are better than either alone: keep both.")
          != std::string::npos);
    // Reference works or not: BM25 was measured worse.
    CHECK(all({.lexical = .60, .dense = .72, .texts = trawl::text_kind::reference})
              .find("more weight than the dense arm")
          == std::string::npos);
}

TEST_CASE("texts and results suggest their remedies", "[eval][profile]") {
    auto const says = [](trawl::profile_evidence const& e, std::string_view part,
                          std::size_t vague = 0) {
        auto queries = mixed(6, 20);
        for (std::size_t i = 0; i < vague; ++i) queries[i] = "refund please";
        for (auto const& s : trawl::suggestions(profile(queries), e)) {
            if (s.find(part) != s.npos) return true;
        }
        return false;
    };
    CHECK(says({.texts = trawl::text_kind::reference}, "more weight than the dense arm"));
    CHECK(says({.texts = trawl::text_kind::dialogue}, "as much weight as BM25, or more"));
    CHECK(!says({}, "weight"));
    CHECK(says({.found = .95, .first = .7},
        "95 % of the queries have an answer among the candidates, 70 %"));
    CHECK(!says({.found = .95, .first = .9}, "rerank"));
    CHECK(says({.repetition = .25}, "25 % of the first hits repeat"));
    CHECK(!says({.repetition = .1}, "MMR"));
    CHECK(says({}, "20 % of the queries are vague", 4));
    CHECK(!says({}, "vague", 3));
}
