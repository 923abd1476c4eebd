// SPDX-License-Identifier: MIT
// What many patterns in one query cost, counted and not timed. Issue 15: 800 prefixes on 100,000
// documents took 10.5 s and 404 MB, for each candidate counted the terms of every prefix.
#include <trawl/lexical/detail/search/boolean_query.hpp>

#include <trawl/lexical/bm25_index.hpp>
#include <trawl/lexical/bm25f_index.hpp>
#include <trawl/lexical/detail/scoring/bm25_scorer.hpp>
#include <trawl/lexical/detail/segments/inverted_index.hpp>
#include <trawl/lexical/lexical_query.hpp>
#include <trawl/text/analyzers/whitespace_analyzer.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using namespace trawl;

namespace {

/// Counts how often a search asks the scorer for anything of the index or of a document.
class counting_scorer : public detail::bm25_scorer {
public:
    counting_scorer(detail::counted_ptr<detail::index_snapshot const> index, bm25 const& parameters,
        search_options const& options, std::size_t& calls)
        : bm25_scorer(std::move(index), parameters, {}, options), calls_(&calls) {}

    [[nodiscard]] detail::index_snapshot const& index(std::size_t field) const noexcept {
        ++*calls_;
        return bm25_scorer::index(field);
    }
    [[nodiscard]] std::int32_t contribution(detail::scored_term const& term,
        std::span<float const> tf, location at, detail::score_quantizer const& quantizer) const {
        ++*calls_;
        return bm25_scorer::contribution(term, tf, at, quantizer);
    }

private:
    std::size_t* calls_;
};

std::string prefix_of(std::size_t i) { return "p" + std::to_string(1000 + i) + "x"; }

/// Document i holds a word of prefix i % prefixes, of which there are eight, and a common one.
std::vector<std::string> texts_of(std::size_t documents, std::size_t prefixes) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < documents; ++i)
        texts.push_back("common " + prefix_of(i % prefixes) + std::to_string(i / prefixes % 8));
    return texts;
}

lexical_query any_of(std::size_t prefixes) {
    lexical_query asked{.what = lexical_query::kind::combination};
    for (std::size_t i = 0; i < prefixes; ++i) asked.should.push_back(ask::prefix(prefix_of(i)));
    return asked;
}

std::size_t work_of(std::size_t documents, std::size_t prefixes) {
    auto const texts = texts_of(documents, prefixes);
    whitespace_analyzer const analyzer;
    detail::analyzer_ref const analyze(analyzer);
    detail::lexical_engine engine({}, {}, {});
    auto const text = [&](std::size_t document, std::size_t) {
        return std::string_view(texts[document]);
    };
    engine.add_all(analyze, documents, text, nullptr);
    engine.compact(nullptr);
    std::size_t calls = 0;
    search_options const options{.k = 10};
    bm25 const parameters;
    auto const asked = any_of(prefixes);
    detail::boolean_query<counting_scorer> const search(
        counting_scorer(engine.read()->front(), parameters, options, calls),
        {{}, false, true, analyze}, asked, options, true);
    REQUIRE(search.search().size() == 10);
    return calls;
}

} // namespace

TEST_CASE("Twice the prefixes over twice the documents cost about twice the work",
    "[lexical][query][prefix][complexity]") {
    // Each prefix has eight words in 32 documents, whatever the size: candidates times prefixes
    // would be four times the work.
    auto const once = work_of(2048, 64);
    auto const twice = work_of(4096, 128);
    CAPTURE(once, twice);
    CHECK(twice <= 5 * once / 2);
    CHECK(once <= 2048 * 64 / 4); // nor does each document ask for each prefix
}

TEST_CASE("Optional patterns that are added up together score as each alone, to the bit",
    "[lexical][query][prefix][laws]") {
    constexpr std::size_t documents = 300;
    constexpr std::size_t prefixes = 24;
    auto const texts = texts_of(documents, prefixes);
    basic_bm25_index<whitespace_analyzer> index;
    basic_bm25f_index<whitespace_analyzer> fields({{"title", 2}, {"text"}});
    for (std::size_t i = 0; i < documents; ++i) {
        auto const& other = texts[(i * 7) % documents];
        index.add(texts[i] + " " + other);
        fields.add({texts[i], other});
    }
    index.erase(5);
    fields.erase(5);
    auto const asked = any_of(prefixes);
    auto const check = [&](auto const& searched) {
        std::vector<doc_id> ids;
        for (auto const& h : searched.search(asked, documents)) ids.push_back(h.id);
        REQUIRE(ids.size() == documents - 1);
        // score() and explain() look each document up, without the tables of a window.
        CHECK(searched.score(asked, ids) == searched.search(asked, documents));
        for (auto const& h : searched.search(asked, 10)) {
            auto const why = searched.explain(asked, h.id);
            CHECK(why.value == static_cast<double>(h.score));
            REQUIRE(why.children.size() == 1);
            CHECK(
                why.children[0].children.size() <= 2); // each document holds words of two prefixes
        }
    };
    check(index);
    check(fields);
    index.compact();
    fields.compact();
    check(index);
    check(fields);

    // Required and forbidden children beside the many optional ones.
    auto mixed = asked;
    mixed.must.push_back(ask::words("common"));
    mixed.must_not.push_back(ask::prefix(prefix_of(3)));
    mixed.should.push_back(ask::words("common"));
    auto const found = index.search(mixed, documents);
    std::vector<doc_id> ids;
    for (auto const& h : found) ids.push_back(h.id);
    CHECK(index.score(mixed, ids) == found);
}
