// SPDX-License-Identifier: MIT
#include <trawl/text/analyzers/any_analyzer.hpp>

#include <trawl/detail/random.hpp>
#include <trawl/text/folding.hpp>
#include <trawl/text/token_filter.hpp>

#include "support/catch.hpp"
#include "text/tokens.hpp"

namespace {

// Bytes that are likely to meet: ASCII, joiners, accents, other scripts, broken UTF-8.
std::string random_text(trawl::detail::random& random) {
    static constexpr std::string_view pieces[] = {"a", "Z", "9", "0", " ", "\n", ".", "_", "/", "-",
        ":", "#", "'", ",", ";", "ing", "'s", "é", "e\u0301", "ß", "ﬁ", "ж", "漢", "カ", "हि", "👍",
        "+", "々", "ヶ", "ー", "٣", "ـ", "َ", "״", "ｶ", "ﾞ", "か", "な", "\u3099", "ก", "ำ", "ั",
        "각", "\u1112", "\u1161", "\u11AB", "и", "\u0306", "\u0301", "™", "½", "ﷺ", "א", "\"",
        "\u20DD", "\u00AD", "\u2019", "·", "\xFF", "\xC3", "\xE2\x82", "\xF0\x9F", "\x80"};
    std::string out;
    for (auto n = random.below(60); n > 0; --n) {
        if (random.below(4) == 0) {
            out += static_cast<char>(static_cast<unsigned char>(random.below(256)));
        } else {
            out += pieces[random.below(std::size(pieces))];
        }
    }
    return out;
}

} // namespace

TEST_CASE("any bytes give tokens inside the text, in order, the same each time",
    "[text][analyzer][law]") {
    auto const name = GENERATE(as<std::string>{}, "standard", "technical", "english", "german",
        "french", "lucene_english", "tantivy_default", "bm25s", "whitespace");
    auto const analyzer = trawl::any_analyzer::named(name);
    auto const seed = GENERATE(1u, 2u, 3u);
    CAPTURE(name, seed);
    trawl::detail::random random(seed);
    for (int round = 0; round < 2000; ++round) {
        auto const text = random_text(random);
        std::uint32_t position = 0;
        std::uint32_t begin = 0; // the first of this position
        std::uint32_t first = 0; // the first of the position before
        bool sound = true;
        analyzer.analyze(text, [&](trawl::token const& t) {
            if (t.position != position) first = begin;
            sound = sound && t.position >= position && t.begin < t.end && t.end <= text.size()
                    && t.begin >= first && !t.term.empty()
                    && t.term.size() <= (name == "lucene_english" ? 765 : 255);
            if (t.position != position || t.begin < begin) begin = t.begin;
            position = t.position;
        });
        CAPTURE(round, text);
        REQUIRE(sound);
        REQUIRE(terms(analyzer, text) == terms(analyzer, text));
    }
}

TEST_CASE("analysing a folded text gives the same terms", "[text][analyzer][law]") {
    auto const name = GENERATE(as<std::string>{}, "standard", "technical");
    auto const analyzer = trawl::any_analyzer::named(name);
    auto const seed = GENERATE(11u, 12u);
    CAPTURE(name, seed);
    trawl::detail::random random(seed);
    for (int round = 0; round < 2000; ++round) {
        auto text = random_text(random);
        trawl::lower_case{}(text); // capitals tell words apart, which folding hides
        CAPTURE(round, text);
        REQUIRE(terms(analyzer, trawl::folded(text)) == terms(analyzer, text));
    }
}
