// SPDX-License-Identifier: MIT
#include <trawl/text/detail/word_break.hpp>

#include <array>

#include <trawl/detail/random.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>
#include <trawl/text/folding.hpp>
#include <trawl/text/utf8.hpp>

#include "support/catch.hpp"
#include "text/tokens.hpp"

namespace {

/// "÷ 0061 × 0308 ÷" as bytes and boundaries, and the boundaries that word_breaks finds.
struct break_case {
    std::string text;
    std::vector<std::size_t> wanted;
};

break_case parsed(std::string const& line) {
    break_case out;
    for (auto const& field : split_at(line, ' ')) {
        if (field == "\u00F7") {
            out.wanted.push_back(out.text.size());
        } else if (field != "\u00D7") {
            std::array<char, 4> bytes{};
            auto const* end = trawl::encode_utf8(
                static_cast<char32_t>(std::stoul(field, nullptr, 16)), bytes.data());
            out.text.append(static_cast<char const*>(bytes.data()), end);
        }
    }
    return out;
}

std::vector<std::size_t> boundaries(std::string_view text) {
    trawl::detail::word_breaks const breaks(text);
    std::vector<std::size_t> out{0};
    while (out.back() < text.size()) out.push_back(breaks.next(out.back()));
    return out;
}

void check(std::string const& line) {
    auto const wanted = parsed(line);
    CAPTURE(line);
    CHECK(boundaries(wanted.text) == wanted.wanted);
}

} // namespace

// Every tenth line of Unicode's own test file, without comments.
TEST_CASE("word boundaries are Unicode's: a sample of its test file", "[text][word_break]") {
    auto const rows = golden("word_break_sample.tsv");
    REQUIRE(rows.size() == 183);
    for (auto const& row : rows) check(row[0]);
}

TEST_CASE("word boundaries are Unicode's: its whole test file", "[text][word_break]") {
    std::ifstream file("/usr/share/unicode/auxiliary/WordBreakTest.txt");
    if (!file) {
        WARN("skipped: Debian's package unicode-data is not there");
        return;
    }
    std::size_t rows = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("\u00F7")) {
            check(line.substr(0, line.find('\t')));
            ++rows;
        }
    }
    CHECK(rows > 1800);
}

TEST_CASE("a broken byte stands alone, and any text ends", "[text][word_break]") {
    CHECK(boundaries("a\xFF\xC3z") == std::vector<std::size_t>{0, 1, 2, 3, 4});
    CHECK(boundaries("don't 1,000") == std::vector<std::size_t>{0, 5, 6, 11});
}

// Where no identifier, no pair and no folding is at work, the standard analyzer's words are UAX
// #29's.
TEST_CASE(
    "the standard analyzer's words are those of UAX #29", "[text][standard][word_break][law]") {
    static constexpr std::string_view pieces[] = {"a", "b", "ж", "я", "α", "한", "カ", "ア", "א",
        "ב", "1", "2", "٣", " ", "\n", "'", ",", ";", "·", "\"", "हि", "!", "(", "👍", "漢 ", "©"};
    auto const seed = GENERATE(1u, 2u, 3u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    trawl::standard_analyzer const standard;
    for (int round = 0; round < 2000; ++round) {
        std::string text;
        for (auto n = random.below(20); n > 0; --n) text += pieces[random.below(std::size(pieces))];
        std::string wanted;
        auto const at = boundaries(text);
        for (std::size_t i = 0; i + 1 < at.size(); ++i) {
            auto word = text.substr(at[i], at[i + 1] - at[i]);
            if (word.find_first_not_of(" \n") == word.npos
                || (word.find_first_of("ab12") == word.npos
                    && (word.size() < 2 || word == "·" || word == "👍" || word == "©")))
                continue; // nothing that counts in it
            // after a Hebrew letter it belongs to the word there
            while (word.back() == '\'') word.pop_back();
            wanted += (wanted.empty() ? "" : " | ") + trawl::folded(word);
        }
        CAPTURE(round, text);
        REQUIRE(terms(standard, text) == wanted);
    }
}
