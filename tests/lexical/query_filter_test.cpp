// SPDX-License-Identifier: MIT
#include <trawl/lexical/query_filter.hpp>

#include <trawl/detail/random.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/lexical/bm25f_index.hpp>
#include <trawl/lexical/query_syntax.hpp>
#include <trawl/text/analyzers/english_analyzer.hpp>

#include "support/catch.hpp"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace trawl;
using namespace trawl::ask;

namespace {

using ids = std::set<doc_id>;

std::optional<ids> admitted(std::optional<doc_set> const& set) {
    if (!set) return std::nullopt;
    ids all;
    set->for_each([&](doc_id id) { all.insert(id); });
    return all;
}

bm25_index sample() {
    bm25_index index({}, {.positions = true});
    for (auto const* const text :
        {"refund", "refund printer", "dead lock", "lock dead", "refund dead lock", "x"})
        index.add(text);
    return index;
}

} // namespace

TEST_CASE("A query's conditions are a filter for every arm", "[lexical][query_filter]") {
    auto const index = sample();
    auto const of = [&](std::string_view text) {
        return admitted(condition_filter(index, parse_query(text)));
    };
    CHECK(of("refund") == std::nullopt);
    CHECK(of("") == std::nullopt);
    CHECK(of("+refund") == ids{0, 1, 4});
    CHECK(of("+refund -printer") == ids{0, 4});
    CHECK(of("refund -printer") == ids{0, 2, 3, 4, 5});
    CHECK(of("-printer") == ids{0, 2, 3, 4, 5}); // a search finds nothing, a filter excludes
    CHECK(of("\"dead lock\"") == ids{2, 4});
    CHECK(of("\"dead lock\" x") == std::nullopt);
    CHECK(of("\"dead lock\" ref*") == ids{0, 1, 2, 4});
    CHECK(of("+\"dead lock\" x") == ids{2, 4});
    CHECK(of("ref* -dead") == ids{0, 1});
    CHECK(of("+unknown") == ids{});
    CHECK(of("-unknown") == ids{0, 1, 2, 3, 4, 5});
    CHECK(admitted(condition_filter(index, any_of({words("x").without(words("y"))}))) == ids{5});
    CHECK(admitted(condition_filter(index, words("refund").times(0))) == std::nullopt);
    CHECK(admitted(condition_filter(index, all_of({words("refund x")}))) == ids{0, 1, 4, 5});
    // Ids beyond the index: excluded by no exclusion, admitted by no requirement.
    CHECK(admitted(condition_filter(index, parse_query("-refund"), 8)) == ids{2, 3, 5, 6, 7});
    CHECK(admitted(condition_filter(index, parse_query("+refund"), 8)) == ids{0, 1, 4});
    // What the analyzer drops demands nothing.
    basic_bm25_index<english_analyzer> english;
    english.add("a dog");
    CHECK(condition_filter(english, parse_query("+the")) == std::nullopt);
    CHECK(condition_filter(english, parse_query("-the")) == std::nullopt);
    CHECK(admitted(condition_filter(english, parse_query("+the -dogs"))) == ids{});
    // Fields.
    bm25f_index fields({{"title", 2}, {"text"}});
    fields.add({"a", "b"});
    fields.add({"b", "a"});
    CHECK(admitted(condition_filter(fields, parse_query("-title:a", fields.fields()))) == ids{1});
}

TEST_CASE("matching is what a search for all documents finds", "[lexical][query_filter][laws]") {
    detail::random random(41);
    bm25_index index({}, {.positions = true});
    for (int i = 0; i < 500; ++i) {
        std::string text;
        for (auto n = random.below(8); n > 0; --n)
            text += "w" + std::to_string(random.below(20)) + ' ';
        index.add(text);
    }
    for (doc_id id = 0; id < 500; id += 9) index.erase(id);
    for (auto const& asked : {words("w1 w2"), every("w1 w2"), phrase("w3 w4", 2), prefix("w1"),
             words("w1").without(words("w2")), all_of({words("w1")}).also(phrase("w2 w2"))}) {
        ids expected;
        for (auto const& h : index.search(asked, 500)) expected.insert(h.id);
        CHECK(admitted(index.matching(asked)) == expected);
    }
    CHECK(index.matching(lexical_query{}) == std::nullopt);
}
