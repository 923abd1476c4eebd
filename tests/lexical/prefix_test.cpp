// SPDX-License-Identifier: MIT
// Prefixes match words as they were written; phrases see the words in identifiers; required and
// forbidden patterns are never cut. Issue 15, D1, D2 and D5.
#include <trawl/lexical/lexical_query.hpp>

#include "lexical/whitespace.hpp"

#include <trawl/core/doc_set.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/lexical/bm25f_index.hpp>
#include <trawl/lexical/highlight.hpp>
#include <trawl/lexical/query_syntax.hpp>
#include <trawl/lexical/storage.hpp>
#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/text/analyzers/any_analyzer.hpp>
#include <trawl/text/analyzers/bm25s_analyzer.hpp>
#include <trawl/text/analyzers/english_analyzer.hpp>

#include "support/catch.hpp"

#include <cstdio>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace trawl;
using namespace trawl::ask;

namespace {

using ids = std::set<doc_id>;
using english_index = basic_bm25_index<english_analyzer>;

/// A file that is gone afterwards.
class temporary {
public:
    explicit temporary(std::string name) : path_(std::move(name)) {}
    temporary(temporary const&) = delete;
    temporary& operator=(temporary const&) = delete;
    ~temporary() { static_cast<void>(std::remove(path_.c_str())); }
    [[nodiscard]] std::string const& path() const { return path_; }

private:
    std::string path_;
};

template <class Index>
ids found(Index const& index, lexical_query const& asked) {
    ids all;
    for (auto const& h : index.search(asked, 1000)) all.insert(h.id);
    return all;
}

template <class Index>
ids typed(Index const& index, std::string_view text) {
    return found(index, parse_query(text));
}

template <class Index = english_index>
Index of(std::vector<std::string_view> const& texts, index_options options = {}) {
    Index index(bm25{}, options);
    for (auto const text : texts) index.add(text);
    return index;
}

} // namespace

TEST_CASE("A prefix matches what stood in the text", "[lexical][prefix]") {
    for (bool const positions : {false, true}) {
        CAPTURE(positions);
        auto const index = of({"Anything goes", "a guide for you", "running late", "he runs", "run",
                                  "happy people", "Happiness"},
            {.positions = positions});
        CHECK(typed(index, "any*") == ids{0}); // stemmed: ani
        CHECK(typed(index, "for*") == ids{1}); // a stop word
        CHECK(typed(index, "+guide -for*").empty());
        CHECK(typed(index, "running*") == ids{2}); // not what has its stem
        CHECK(typed(index, "run*") == ids{2, 3, 4});
        CHECK(typed(index, "runs*") == ids{3});
        CHECK(typed(index, "happi*") == ids{6}); // happy has the stem happi
        CHECK(typed(index, "happy*") == ids{5});
        CHECK(typed(index, "happ*") == ids{5, 6});
        CHECK(typed(index, "zz*").empty());
        // Each occurrence counts once: as a search for a word that is there as often.
        CHECK(index.score(prefix("running"), std::vector<doc_id>{2})[0].score
              == index.score(prefix("late"), std::vector<doc_id>{2})[0].score);
        CHECK(index.search(prefix("happi"), 9) == index.search(prefix("happiness"), 9));
    }
}

TEST_CASE("Of a prefix of several words all but the last match exactly", "[lexical][prefix]") {
    bm25_index plain;
    bm25_index placed({}, {.positions = true});
    for (auto const* const text : {"stdio.h", "std::vector", "std::map and a vector", "vector std",
             "東京都庁", "東京タワー", "東京と京都の都市"}) {
        plain.add(text);
        placed.add(text);
    }
    CHECK(typed(plain, "+std::vec*") == ids{1, 2, 3});
    CHECK(typed(placed, "+std::vec*") == ids{1});
    CHECK(typed(plain, "東京都*") == ids{4, 6});
    CHECK(typed(placed, "東京都*") == ids{4});
    CHECK(typed(placed, "東京*") == ids{4, 5, 6});
    // Their occurrences are added up: std vector, std vec.
    auto const twice = of<bm25_index>({"std vector std vec", "std x", "y z"}, {.positions = true});
    auto const why = to_text(twice.explain(prefix("std vec"), 0));
    CAPTURE(why);
    CHECK(why.find("2 tf") != std::string::npos);
}

TEST_CASE("A prefix of several words of an identifier begins at any of them", "[lexical][prefix]") {
    // As one word does: count* finds max_retry_count, for count is a term.
    for (bool const positions : {false, true}) {
        CAPTURE(positions);
        auto const index = of({"max_retry_count is 3", "state-of-the-art", "see /api/v3/cursors",
                                  "retrying counts", "retry the count", "a-b-a-b1"},
            {.positions = positions});
        CHECK(typed(index, "retry_c*") == ids{0});
        CHECK(typed(index, "etry_c*").empty()); // not inside a word
        CHECK(typed(index, "of-the*") == ids{1});
        CHECK(typed(index, "v3/cur*") == ids{2});
        CHECK(typed(index, "max_retry*") == ids{0});
        CHECK(typed(index, "is -retry_c*") == ids{});
        // Twice in a word counts once.
        CHECK(index.search(prefix("a-b"), 9) == index.search(prefix("a-b-a"), 9));
    }
}

TEST_CASE("A prefix that the analyzer would drop is kept", "[lexical][prefix]") {
    // An analyzer with stop words and a least length, and no surfaces: bm25s'.
    basic_bm25_index<bm25s_analyzer> index({}, {.positions = true});
    for (auto const* const text : {"format the disk", "for you", "std::forward", "Cats", "Std xx"})
        index.add(text);
    CHECK(typed(index, "for*") == ids{0, 2}); // "for" itself is not in the index
    CHECK(typed(index, "+disk -for*").empty());
    CHECK(typed(index, "c*") == ids{3});
    CHECK(typed(index, "C*") == ids{3});
    CHECK(typed(index, "+std::for*") == ids{2});
    CHECK(typed(index, "+std::f*") == ids{2});
    CHECK(typed(index, "zz*").empty());
    CHECK(typed(index, "-*").empty());
    CHECK(
        highlight("Format it", prefix("for"), bm25s_analyzer{}, {.before = "[", .after = "]"}).text
        == "[Format] it");
}

TEST_CASE("Only an optional pattern is cut, and says so", "[lexical][prefix]") {
    test::index index;
    for (int i = 0; i < 100; ++i) index.add("err" + std::to_string(i) + " x");
    index.add("x");
    CHECK(typed(index, "x -err*") == ids{100});
    CHECK(typed(index, "+x +err*").size() == 100);
    CHECK(found(index, all_of({any_of({prefix("err"), words("y")})})).size() == 100);
    CHECK(found(index, words("x").without(fuzzy("err10", 2))).size() == 1);
    CHECK(typed(index, "err*").size() == 64);
    CHECK(found(index, words("x").also(prefix("err"))).size() == 101);
    CHECK(to_text(index.explain(prefix("err"), 0)).find("'err*', 64 of 100 terms")
          != std::string::npos);
    CHECK(to_text(index.explain(all_of({prefix("err")}), 0)).find("'err*', 100 terms")
          != std::string::npos);
    CHECK(index.warnings(words("x").also(prefix("err")))
          == std::vector<std::string>{"'err*' stands for 64 of 100 terms"});
    CHECK(index.warnings(all_of({prefix("err")}).without(prefix("err9"))).empty());
    // The trace of a hybrid search says so.
    auto const report = hybrid_search{syntax_search(index)}.report({.text = "err* x"});
    CHECK(
        report.trace.at(0).notes == std::vector<std::string>{"'err*' stands for 64 of 100 terms"});
}

TEST_CASE("A phrase sees the words of identifiers, and the reverse", "[lexical][phrase]") {
    auto const index =
        of<bm25_index>({"an open-source tool", "an open source tool", "the max_retry_count is 3",
                           "retry the count", "a/b_c/d e"},
            {.positions = true});
    CHECK(typed(index, "\"open source\"") == ids{0, 1});
    CHECK(typed(index, "\"open-source\"") == ids{0, 1});
    CHECK(typed(index, "\"retry count\"") == ids{2});
    CHECK(typed(index, "\"the max retry count is\"") == ids{2});
    CHECK(typed(index, "\"source open\"").empty());
    CHECK(typed(index, "\"c d e\"") == ids{4});
    CHECK(typed(index, "\"a b c d e\"") == ids{4});
    CHECK(typed(index, "\"b_c/d\"") == ids{4});
    CHECK(index.search(phrase("open source"), 9) == index.search(phrase("open-source"), 9));
    auto const english =
        of({"state-of-the-art", "the state of the art", "state art"}, {.positions = true});
    CHECK(typed(english, "\"state of the art\"") == ids{0, 1});
    CHECK(typed(english, "\"state-of-the-art\"") == ids{0, 1});
    // Length and score of plain words do not know of it.
    auto const without = of<bm25_index>({"an open-source tool"}, {.surfaces = false});
    CHECK(without.search("open", 1) == of<bm25_index>({"an open-source tool"}).search("open", 1));
}

TEST_CASE("Surfaces change no score of any other query", "[lexical][prefix][laws]") {
    auto const variant =
        GENERATE(bm25_variant::lucene, bm25_variant::okapi, bm25_variant::bm25plus);
    bm25 const parameters{.variant = variant};
    english_index with(parameters, {.positions = true});
    english_index without(parameters, {.positions = true, .surfaces = false});
    static constexpr std::string_view pool[] = {"the", "running", "runs", "happy", "for", "dogs",
        "cat", "relational", "any", "and", "horses", "late"};
    detail::random random(17);
    for (int i = 0; i < 300; ++i) {
        std::string text;
        for (auto n = random.below(9); n > 0; --n)
            text += std::string(pool[random.below(random.below(12) + 1)]) + ' ';
        with.add(text);
        without.add(text);
    }
    for (doc_id id = 0; id < 300; id += 7) CHECK(with.erase(id) == without.erase(id));
    doc_set const some(300, {1, 2, 3, 50, 60, 100, 101, 102, 290});
    for (auto const whose : {statistics::whole, statistics::eligible}) {
        search_options const options{.k = 300, .where = some, .statistics = whose};
        for (auto const& asked : {words("the running dogs"), phrase("happy dogs", 2),
                 every("late horses"), fuzzy("runs", 1), words("cat").without(words("dog"))}) {
            CHECK(with.search(asked, options) == without.search(asked, options));
            CHECK(with.search(asked, 300) == without.search(asked, 300));
        }
        CHECK(with.search({.text = "running dogs any"}, options)
              == without.search({.text = "running dogs any"}, options));
    }
}

TEST_CASE("A prefix finds what trying every word finds, however the index came about",
    "[lexical][prefix][laws]") {
    static constexpr std::string_view pool[] = {"the", "run", "running", "runs", "runner", "happy",
        "happi", "happiness", "for", "form", "forms", "any", "anything", "open-source", "opens"};
    detail::random random(23);
    std::vector<std::string> texts(200);
    english_index grown;
    for (auto& text : texts) {
        for (auto n = random.below(6); n > 0; --n)
            text += std::string(pool[random.below(std::size(pool))]) + ' ';
        grown.add(text);
    }
    std::vector<std::string_view> const views(texts.begin(), texts.end());
    english_index together;
    together.add_all(views);
    together.compact();
    temporary const file("prefix_test_a.tmp");
    save(together, file.path());
    auto const reloaded = open<english_index>(file.path());
    standard_analyzer const surface;
    for (std::string_view const asked :
        {"r", "run", "runn", "running", "runs", "h", "happ", "happi", "happy", "for", "form", "a",
            "any", "anyt", "open", "open-s", "opens", "source", "t"}) {
        ids expected;
        for (doc_id id = 0; id < texts.size(); ++id) {
            surface.analyze(texts[id], [&](token const& t) {
                if (t.term.starts_with(asked)) expected.insert(id);
            });
        }
        CAPTURE(asked);
        auto const q = prefix(std::string(asked));
        CHECK(found(grown, q) == expected);
        CHECK(grown.search(q, 300) == together.search(q, 300));
        CHECK(grown.search(q, 300) == reloaded.search(q, 300));
        std::vector<doc_id> all(texts.size());
        for (doc_id id = 0; id < all.size(); ++id) all[id] = id;
        for (auto const& h : grown.score(q, all)) CHECK((h.score > 0) == expected.contains(h.id));
    }
}

TEST_CASE("An index without surfaces opens, and its prefixes match terms", "[lexical][prefix]") {
    auto const index =
        of({"Anything for open-source", "running"}, {.positions = true, .surfaces = false});
    temporary const file("prefix_test_b.tmp");
    save(index, file.path());
    auto opened = open<english_index>(file.path());
    CHECK(typed(opened, "runn*") == ids{}); // terms only: run
    CHECK(typed(opened, "running*") == ids{1});
    CHECK(typed(opened, "for*").empty());
    opened.add("runs for open source"); // as the file is
    CHECK(typed(opened, "for*").empty());
    CHECK(typed(opened, "\"open-source\"") == ids{0});
}
