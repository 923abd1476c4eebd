// SPDX-License-Identifier: MIT
// Whatever an analyzer says (positions that fall or overflow, offsets past the text, empty and odd
// terms), everything that takes one ends, stays inside the text and keeps its laws.
#include <trawl/lexical/bm25f_storage.hpp>
#include <trawl/lexical/highlight.hpp>
#include <trawl/lexical/storage.hpp>
#include <trawl/text/passages/context.hpp>
#include <trawl/text/passages/extractive_answerer.hpp>
#include <trawl/text/passages/highlight.hpp>

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <trawl/detail/random.hpp>
#include <trawl/lexical/lexical_query.hpp>
#include <trawl/text/analyzers/any_analyzer.hpp>
#include <trawl/text/analyzers/composed_analyzer.hpp>
#include <trawl/text/folding.hpp>
#include <trawl/text/stemmers/porter2_stemmer.hpp>
#include <trawl/text/synonyms.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace {

struct hostile_analyzer {
    std::uint64_t seed = 1;
    int mode = 0; // how positions come

    void analyze(std::string_view text, trawl::token_sink sink) const {
        trawl::detail::random random(seed * 31 + text.size());
        auto const offset = [&]() -> std::uint32_t {
            switch (random.below(4)) {
            case 0:
                return static_cast<std::uint32_t>(random.below(text.size() + 3));
            case 1:
                return 0xFFFFFFFFu - static_cast<std::uint32_t>(random.below(3));
            case 2:
                return 0;
            default:
                return static_cast<std::uint32_t>(text.size());
            }
        };
        auto const position = [&](std::uint32_t i) -> std::uint32_t {
            switch (mode) {
            case 0:
                return static_cast<std::uint32_t>(random.next());
            case 1:
                return 0xFFFFFFFFu;
            case 2:
                return 0x80000000u + i;
            case 3:
                return 0xFFFFFFF0u + i; // overflows
            default:
                return i;
            }
        };
        static constexpr std::string_view terms[] = {
            "t", "", "u", "a-long-term", std::string_view("\xFF\0z", 3), "t t"};
        auto const n = static_cast<std::uint32_t>(random.below(30));
        for (std::uint32_t i = 0; i < n; ++i) {
            auto const term = terms[random.below(std::size(terms))];
            sink({term, position(i), offset(), offset()});
        }
    }
};

constexpr std::string_view text = "some words of a text. More [x] of it, \u6771\u4EAC etc.";

std::string const path = (std::filesystem::temp_directory_path()
                          / ("trawl_hostile_analyzer_test_" + std::to_string(getpid())))
                             .string();

void check(trawl::highlighted_passage const& found, std::size_t length) {
    bool const inside = found.begin <= found.end && found.end <= text.size()
                        && (text.size() <= length || found.end - found.begin <= length);
    if (!inside) FAIL("a passage lies outside");
    std::string plain = found.text;
    for (auto const* const mark : {"<b>", "</b>"}) {
        for (auto at = plain.find(mark); at != plain.npos; at = plain.find(mark))
            plain.erase(at, std::string_view(mark).size());
    }
    if (plain != text.substr(found.begin, found.end - found.begin)) FAIL("a passage is another");
}

template <class Index>
void check_index(Index index, hostile_analyzer const& a, bool positions) {
    using namespace trawl::ask;
    trawl::query const q{.text = text};
    auto const use = [&](Index const& asked) {
        for (auto const& h : asked.search(q, {.k = 100}))
            if (!trawl::adds_up(asked.explain(q, h.id))) FAIL("an explanation does not add up");
        auto const tree =
            positions
                ? any_of({phrase("a b", 3), phrase("a", 0xFFFFFFFFu), prefix("t"), every("t u")})
                : any_of({prefix("t"), fuzzy("t", 2), every("t u")});
        static_cast<void>(asked.search(tree, 100));
        if (asked.size() > 2) static_cast<void>(asked.explain(tree, 2));
    };
    use(index);
    trawl::save(index, path);
    auto const opened = trawl::open<Index>(path, a);
    if (opened.search(q) != index.search(q)) FAIL("an opened index answers otherwise");
    index.erase(2);
    index.compact();
    use(index);
}

} // namespace

TEST_CASE("passages lie in the text whatever an analyzer says", "[text][laws]") {
    for (int mode = 0; mode < 5; ++mode) {
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            CAPTURE(mode, seed);
            hostile_analyzer const a{seed, mode};
            using namespace trawl::ask;
            for (std::size_t const length : {0u, 1u, 5u, 17u, 1000u}) {
                trawl::highlight_options const options{.length = length};
                check(trawl::highlight(text, trawl::query{.text = "q of"}, a, options), length);
                for (auto const& q : {phrase("a b", 2), prefix("t"), fuzzy("t", 2), words("a b c"),
                         all_of({phrase("a b"), every("x y")})})
                    check(trawl::highlight(text, q, a, options), length);
            }
            trawl::hit const hits[] = {{1, 1.0f}, {2, 0.5f}};
            auto const context = trawl::make_context(
                hits, [](trawl::doc_id id) { return "k" + std::to_string(id); },
                [](trawl::doc_id) { return text; }, {.tokens = 40}, a);
            static_cast<void>(trawl::basic_extractive_answerer<hostile_analyzer>(a)(text, context));
            trawl::composed_analyzer const composed{
                a, trawl::porter2_stemmer{}, trawl::folding{}, trawl::lower_case{}};
            composed.analyze(text, [](trawl::token const&) {});
            trawl::any_analyzer(a).analyze(text, [](trawl::token const&) {});
            try {
                trawl::synonym_analyzer const synonyms{a, {{"a", "b c"}, {"words", "text of"}}};
                synonyms.analyze(text, [](trawl::token const&) {});
            } catch (trawl::error const& e) { // it leaves nothing of a word
                CHECK(e.code() == trawl::errc::invalid_argument);
            }
        }
    }
}

TEST_CASE("lexical indexes work whatever an analyzer says", "[lexical][laws]") {
    for (bool const positions : {true, false}) {
        for (int mode = 0; mode < 5; ++mode) {
            for (std::uint64_t seed = 0; seed < 15; ++seed) {
                CAPTURE(positions, mode, seed);
                hostile_analyzer const a{seed, mode};
                trawl::basic_bm25_index<hostile_analyzer> index(a, {}, {.positions = positions});
                trawl::basic_bm25f_index<hostile_analyzer> fields(
                    {{"a"}, {"b"}}, a, {}, {.positions = positions});
                for (std::size_t i = 0; i < 20; ++i) {
                    index.add(text.substr(0, 2 * i));
                    fields.add({text.substr(0, 2 * i), text});
                }
                index.update(3, text);
                check_index(std::move(index), a, positions);
                check_index(std::move(fields), a, positions);
            }
        }
    }
    std::filesystem::remove(path);
}
