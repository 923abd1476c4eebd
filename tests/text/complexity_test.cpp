// SPDX-License-Identifier: MIT
// Work is counted (TRAWL_COUNT), not timed: twice the input may take little more than twice the work.
#include <trawl/text/passages/chunker.hpp>
#include <trawl/text/passages/citations.hpp>
#include <trawl/text/passages/extractive_answerer.hpp>
#include <trawl/text/synonyms.hpp>

#include <functional>
#include <string>
#include <vector>

#include <trawl/text/analyzers/whitespace_analyzer.hpp>

#include "support/catch.hpp"

namespace {

std::string repeated(std::string_view piece, std::size_t bytes) {
    std::string out;
    while (out.size() < bytes) out += piece;
    return out;
}

// The work of f on an input of so many bytes.
template <class F>
unsigned long long work_of(F const& f, std::size_t bytes) {
    auto const input = f.make(bytes);
    support::work = 0;
    f.run(input);
    return support::work;
}

struct function {
    char const* name;
    std::function<std::string(std::size_t)> make;
    std::function<void(std::string const&)> run;
};

// Texts that have been, or may be, hard for one of the functions.
constexpr char const* pieces[] = {"[", "[a] ", "[a", "]", "[ ", "[,", ". ", "a. ", ".", " ", "\n",
    "a\n", "- a\n", "# a\n", "<!--\n", "<pre>", "</", "`", "```\n", "|\n", "|-|\n", "> ", "    a\n",
    "--\n", "\u3002", "\u2588 ", "\U0001F600", "\xFF", "\u0301", "a", "a/", "A.", "\uFDFA", "---\n",
    "k: v\n", "<div>\n"};

void check(function const& f) {
    constexpr std::size_t n = 20000;
    auto const once = work_of(f, n);
    auto const twice = work_of(f, 2 * n);
    CAPTURE(f.name, once, twice);
    CHECK(twice <= 2 * once + once / 4 + 100);
    CHECK(twice <= 200 * n);
}

trawl::context with_keys(std::string const& text) {
    trawl::context out;
    for (std::size_t i = 0; i * 10 < text.size(); ++i)
        out.passages.push_back({static_cast<trawl::doc_id>(i), std::to_string(i), "a"});
    return out;
}

} // namespace

TEST_CASE("functions of text take work that grows as the text does", "[text][complexity]") {
    for (auto const* const piece : pieces) {
        auto const text = [piece](std::size_t bytes) { return repeated(piece, bytes); };
        auto const after = [piece](std::size_t bytes) {
            return "---\nkey: v\n---\nA b. [" + repeated(piece, bytes);
        };
        for (auto const& make : {std::function<std::string(std::size_t)>(text),
                 std::function<std::string(std::size_t)>(after)}) {
            CAPTURE(piece);
            check({"parse_markdown", make,
                [](std::string const& t) { static_cast<void>(trawl::parse_markdown(t)); }});
            check({"chunk_markdown", make,
                [](std::string const& t) { static_cast<void>(trawl::chunk_markdown("D", t)); }});
            check({"chunk_markdown of few tokens", make, [](std::string const& t) {
                       static_cast<void>(trawl::chunk_markdown(
                           "D", t, {.tokens = 5}, trawl::whitespace_analyzer{}));
                   }});
            check({"check_citations", make, [](std::string const& t) {
                       static_cast<void>(trawl::check_citations(t, with_keys(t)));
                   }});
        }
    }
}

TEST_CASE("an answer that cites many keys, each of them anew, is read in linear work",
    "[text][complexity]") {
    check({"check_citations",
        [](std::size_t bytes) {
            std::string out;
            for (std::size_t i = 0; out.size() < bytes; ++i) out += "[" + std::to_string(i) + "] ";
            return out;
        },
        [](std::string const& t) { static_cast<void>(trawl::check_citations(t, with_keys(t))); }});
}

TEST_CASE("a long heading costs each chunk below it 255 bytes", "[text][complexity]") {
    auto const bytes_of = [](std::size_t n) {
        auto const document =
            trawl::chunk_markdown("D", "# " + repeated("x", n) + "\n\n" + repeated("word ", n));
        std::size_t bytes = 0;
        for (auto const& c : document.chunks)
            for (auto const& heading : c.headings) bytes += heading.size();
        return bytes;
    };
    CHECK(bytes_of(1 << 18) <= bytes_of(1 << 17) * 2 + 600);
    CHECK(bytes_of(1 << 18) < 1 << 18);
}

TEST_CASE("a group of synonyms is held in linear work", "[text][complexity]") {
    auto const work = [](std::size_t words) {
        std::vector<std::string> group;
        for (std::size_t i = 0; i < words; ++i) group.push_back("w" + std::to_string(i));
        support::work = 0;
        trawl::synonym_analyzer const analyzer{trawl::standard_analyzer{}, {group, group}};
        analyzer.analyze("w1 x w2", [](trawl::token const&) {});
        return support::work;
    };
    CHECK(work(4000) <= work(2000) * 2 + 100);
    CHECK(work(4000) < 40000);
}
