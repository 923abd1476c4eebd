// SPDX-License-Identifier: MIT
#include <trawl/text/passages/chunker.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <trawl/detail/random.hpp>
#include <trawl/text/analyzers/any_analyzer.hpp>
#include <trawl/text/analyzers/technical_analyzer.hpp>

#include "support/catch.hpp"

using trawl::chunk_markdown;

namespace {

std::vector<std::string> texts(trawl::chunked_document const& document) {
    std::vector<std::string> out;
    for (auto const& c : document.chunks) out.push_back(c.text);
    return out;
}

using strings = std::vector<std::string>;

std::string words(int first, int last) {
    std::string out;
    for (int i = first; i <= last; ++i) out += (out.empty() ? "w" : " w") + std::to_string(i);
    return out;
}

template <class Counter>
std::size_t count(Counter const& counter, std::string_view text) {
    std::size_t n = 0;
    std::uint32_t last = 0;
    counter.analyze(text, [&](trawl::token const& t) {
        if (n == 0 || t.position != last) ++n;
        last = t.position;
    });
    return n;
}

/// What holds of any document: sizes, offsets, ids, order, and that every token is in some chunk.
template <class Counter>
void check_sound(
    std::string_view text, trawl::chunk_options const& options, Counter const& counter) {
    auto const document = chunk_markdown("D", text, options, counter);
    std::size_t covered = 0;
    std::size_t missed = 0;
    std::size_t number = 0;
    for (auto const& c : document.chunks) {
        CAPTURE(c.id, c.begin, c.end, c.text);
        CHECK(c.id == "D-chunk-" + std::to_string(++number));
        CHECK(c.tokens <= options.tokens);
        CHECK(c.text.size() <= (options.bytes > 0 ? options.bytes : 40 * options.tokens));
        REQUIRE(c.begin < c.end);
        REQUIRE(c.end <= text.size());
        CHECK(c.text.ends_with(text.substr(c.begin, c.end - c.begin))); // after a table's header
        CHECK(c.end > covered);
        if (c.begin > covered) missed += count(counter, text.substr(covered, c.begin - covered));
        covered = c.end;
    }
    missed += count(counter, text.substr(covered));
    auto const blocks = trawl::parse_markdown(text).blocks;
    auto const front = blocks.empty() ? text.size() : blocks.front().begin;
    CHECK(missed <= count(counter, text.substr(0, front)));
}

} // namespace

TEST_CASE("chunks carry ids, heading paths, offsets and the front matter", "[text][chunker]") {
    std::string const text =
        "---\ntitle: Guide\nversion: 3.0\n---\n# Guide\n\nIntro words.\n\n## Install\n\nRun it.\n\n"
        "### Linux\n\nUse apt.\n\n## Use\n\nJust do.\n";
    auto const document = chunk_markdown("D022", text);
    CHECK(document.metadata == trawl::front_matter{{"title", "Guide"}, {"version", "3.0"}});
    REQUIRE(document.chunks.size() == 4);
    CHECK(document.chunks[0].id == "D022-chunk-1");
    CHECK(document.chunks[1].id == "D022-chunk-2");
    CHECK(document.chunks[0].headings == strings{"Guide"});
    CHECK(document.chunks[1].headings == strings{"Guide", "Install"});
    CHECK(document.chunks[2].headings == strings{"Guide", "Install", "Linux"});
    CHECK(document.chunks[3].headings == strings{"Guide", "Use"});
    CHECK(document.chunks[1].text == "## Install\n\nRun it.");
    CHECK(document.chunks[1].begin == text.find("## Install"));
    CHECK(document.chunks[1].end == text.find("\n\n### Linux"));
    CHECK(document.chunks[1].tokens == 3);
}

TEST_CASE("a bare heading goes with the deeper one below it", "[text][chunker]") {
    auto const document = chunk_markdown("D", "# Guide\n## Install\ntext\n## Empty\n## Last");
    CHECK(texts(document) == strings{"# Guide\n## Install\ntext", "## Empty", "## Last"});
    CHECK(document.chunks[0].headings == strings{"Guide", "Install"});
    CHECK(document.chunks[1].headings == strings{"Guide", "Empty"});
    CHECK(document.chunks[2].headings == strings{"Guide", "Last"});
}

TEST_CASE("chunks break at paragraphs, then sentences, then words", "[text][chunker]") {
    // Paragraphs of 6, 3 and 4 words; 8 fit: the second would make 9.
    auto const paragraphs = words(1, 6) + "\n\n" + words(7, 9) + "\n\n" + words(10, 13);
    CHECK(texts(chunk_markdown("D", paragraphs, {.tokens = 8, .overlap = 0}))
          == strings{words(1, 6), words(7, 9) + "\n\n" + words(10, 13)});

    CHECK(texts(chunk_markdown(
              "D", "One two three. Four five. Six seven eight nine.", {.tokens = 5, .overlap = 0}))
          == strings{"One two three. Four five.", "Six seven eight nine."});

    CHECK(texts(chunk_markdown("D", words(1, 10), {.tokens = 4, .overlap = 0}))
          == strings{words(1, 4), words(5, 8), words(9, 10)});
}

TEST_CASE("the overlap is the last tokens of the chunk before", "[text][chunker]") {
    CHECK(texts(chunk_markdown("D", words(1, 10), {.tokens = 4, .overlap = 2}))
          == strings{words(1, 4), words(3, 6), words(5, 8), words(7, 10)});
    CHECK(texts(chunk_markdown(
              "D", "(One) two, (three). Four \"five\".", {.tokens = 3, .overlap = 1}))
          == strings{"(One) two, (three).", "(three). Four \"five\"."});
    // Never from another section.
    CHECK(texts(chunk_markdown(
              "D", "# A\n" + words(1, 3) + "\n# B\n" + words(4, 5), {.tokens = 4, .overlap = 2}))
          == strings{"# A\n" + words(1, 3), "# B\n" + words(4, 5)});
}

TEST_CASE("sentences end at marks and capitals, not at abbreviations", "[text][chunker]") {
    CHECK(texts(chunk_markdown("D", "Start here. Use e.g. this v3.5.", {.tokens = 5, .overlap = 0}))
          == strings{"Start here.", "Use e.g. this v3.5."});
    CHECK(texts(chunk_markdown("D", "Then \"Stop!\" (Really?) Go on", {.tokens = 3, .overlap = 0}))
          == strings{"Then \"Stop!\" (Really?)", "Go on"});
    CHECK(texts(chunk_markdown("D", "これは。それは！", {.tokens = 5, .overlap = 0}))
          == strings{"これは。", "それは！"});
    CHECK(texts(chunk_markdown("D", "「これは。」それは！", {.tokens = 5, .overlap = 0}))
          == strings{"「これは。」", "それは！"});
    CHECK(texts(chunk_markdown("D", "राम गया। सीता आई।", {.tokens = 3, .overlap = 0}))
          == strings{"राम गया।", "सीता आई।"});
    CHECK(texts(chunk_markdown("D", "وہ آیا۔ وہ گیا۔", {.tokens = 3, .overlap = 0}))
          == strings{"وہ آیا۔", "وہ گیا۔"});
    CHECK(texts(chunk_markdown(
              "D", "He said \u201CGo.\u201D Then left.", {.tokens = 4, .overlap = 0}))
          == strings{"He said \u201CGo.\u201D", "Then left."});
}

TEST_CASE("code, tables and lists stay whole where they fit", "[text][chunker]") {
    auto const code = "```sh\n" + words(1, 5) + "\n```"; // sh counts: 6 tokens
    // With its overlap of 3 the new chunk would have 9 tokens; the overlap gives way.
    CHECK(texts(chunk_markdown("D", "a b c d e\n\n" + code, {.tokens = 8, .overlap = 3}))
          == strings{"a b c d e", "d e\n\n" + code});
    CHECK(texts(chunk_markdown("D", "a b c d e\n\n" + code, {.tokens = 6, .overlap = 3}))
          == strings{"a b c d e", code});

    // 7 tokens into 4: at lines.
    CHECK(texts(chunk_markdown("D", "```\na b\nc d\ne f\n```", {.tokens = 4, .overlap = 0}))
          == strings{"```\na b\nc d", "e f\n```"});
    CHECK(texts(chunk_markdown("D", "- a b\n- c\n  d\n- e f", {.tokens = 4, .overlap = 0}))
          == strings{"- a b\n- c\n  d", "- e f"});
    CHECK(texts(chunk_markdown("D", "x | y\n--|--\na | b\nc | d", {.tokens = 4, .overlap = 0}))
          == strings{"x | y\n--|--\na | b", "x | y\n--|--\nc | d"});
}

TEST_CASE("a table that is cut continues with its header", "[text][chunker]") {
    auto const text =
        std::string("| id | price |\n|----|------|\n| a | 1 |\n| b | 2 |\n| c | 3 |\n\nend");
    auto const document = chunk_markdown("D", text, {.tokens = 6, .overlap = 2});
    CHECK(texts(document)
          == strings{"| id | price |\n|----|------|\n| a | 1 |\n| b | 2 |",
              "| id | price |\n|----|------|\n| c | 3 |\n\nend"});
    CHECK(document.chunks[1].tokens == 5);
    CHECK(document.chunks[1].begin == text.find("| c"));
    CHECK(document.chunks[1].end == text.size());
    // a header of more than half a chunk is not repeated
    CHECK(texts(chunk_markdown("D", "a b c | d\n--|--\n1 | 2\n3 | 4", {.tokens = 6, .overlap = 0}))
          == strings{"a b c | d\n--|--\n1 | 2", "3 | 4"});
}

TEST_CASE("code that is cut keeps its indentation", "[text][chunker]") {
    CHECK(
        texts(chunk_markdown("D", "```\nif a:\n    b c\n    d e\n```", {.tokens = 4, .overlap = 0}))
        == strings{"```\nif a:\n    b c", "    d e\n```"});
    CHECK(texts(chunk_markdown("D", "    a b\n      c d\n    e f", {.tokens = 2, .overlap = 0}))
          == strings{"    a b", "      c d", "    e f"});
}

TEST_CASE("the bytes of a chunk are bounded where few tokens count", "[text][chunker]") {
    std::string boxes = "word ";
    for (int i = 0; i < 10000; ++i) boxes += "\u2588 ";
    check_sound(boxes, {}, trawl::standard_analyzer{});
    auto const chunks = chunk_markdown("D", boxes).chunks;
    REQUIRE(chunks.size() > 4); // 40,005 bytes, 8000 each
    CHECK(chunks.back().end >= boxes.size() - 1);

    std::string emoji;
    for (int i = 0; i < 100; ++i) emoji += "\U0001F600";
    auto const faces = chunk_markdown("D", emoji, {.bytes = 50}).chunks;
    REQUIRE(faces.size() == 9); // 12 of 4 bytes each
    CHECK(faces[0].text.size() == 48);
    CHECK(faces[0].tokens == 0);
    CHECK(texts(chunk_markdown("D", "\U0001F600")) == strings{"\U0001F600"});

    CHECK(texts(chunk_markdown("D", "aaaa bbbb cccc", {.bytes = 10}))
          == strings{"aaaa bbbb", "cccc"});
    CHECK(texts(chunk_markdown("D", "aaaaaaaaaa", {.bytes = 4})) == strings{"aaaa", "aaaa", "aa"});
}

TEST_CASE("a long heading is copied to each chunk up to 255 bytes", "[text][chunker]") {
    std::string const title(1000, 'x');
    std::string const wide = std::string(254, 'x') + "\u00E9\u00E9";
    auto const document = chunk_markdown("D", "# " + wide + "\n\n" + words(1, 9), {.tokens = 4});
    for (auto const& c : document.chunks) CHECK(c.headings == strings{std::string(254, 'x')});
    CHECK(chunk_markdown("D", "# " + title).chunks[0].headings[0].size() == 255);
}

TEST_CASE("tokens that begin at the same byte are never parted", "[text][chunker]") {
    for (std::string const text : {"\uFDFA", "\u337F", "a \uFDFA b \u337F\uFDFA"}) {
        CAPTURE(text);
        check_sound(text, {.tokens = 1, .overlap = 0}, trawl::standard_analyzer{});
        check_sound(text, {.tokens = 2, .overlap = 1}, trawl::standard_analyzer{});
    }
    CHECK(texts(chunk_markdown("D", "\uFDFA", {.tokens = 1})) == strings{"\uFDFA"});
}

namespace {

/// Any positions and offsets, in any order, beyond the text, inside characters, empty.
struct hostile_analyzer {
    std::uint64_t seed;
    void analyze(std::string_view text, trawl::token_sink sink) const {
        trawl::detail::random random(seed);
        auto const offset = [&] {
            return static_cast<std::uint32_t>(random.below(text.size() + 3));
        };
        auto const calm = random.below(3); // 0: any, 1: ascending starts, 2: starts that stay
        std::uint32_t begin = 0;
        for (auto n = random.below(40); n > 0; --n) {
            begin = calm == 0 ? offset()
                              : begin
                                    + static_cast<std::uint32_t>(random.below(4))
                                          * (calm == 1 || n % 8 == 0);
            sink({"t", static_cast<std::uint32_t>(random.below(9)), begin, offset()});
        }
    }
};

} // namespace

TEST_CASE("whatever an analyzer says, chunks end and lie in the text", "[text][chunker][law]") {
    trawl::detail::random random(7);
    static constexpr std::string_view pieces[] = {"word ", "\u6F22", "\n\n", "# H\n", "- a\n",
        "```\nx\n```\n", "| a | b |\n|--|--|\n| 1 | 2 |\n", "\xFF", "A b. C d! ", "\U0001F600",
        "    "};
    for (int round = 0; round < 3000; ++round) {
        std::string text;
        for (auto n = random.below(20); n > 0; --n) text += pieces[random.below(std::size(pieces))];
        auto const tokens = 1 + random.below(6);
        trawl::chunk_options const options{.tokens = tokens,
            .overlap = random.below(tokens),
            .bytes = random.below(2) * (4 + random.below(30))};
        CAPTURE(round, text, options.tokens, options.bytes);
        hostile_analyzer const hostile{static_cast<std::uint64_t>(round)};
        std::size_t covered = 0;
        for (auto const& c : chunk_markdown("D", text, options, hostile).chunks) {
            REQUIRE(c.begin < c.end);
            REQUIRE(c.end <= text.size());
            REQUIRE(c.end > covered);
            REQUIRE(c.tokens <= options.tokens);
            REQUIRE(c.text.size() <= (options.bytes > 0 ? options.bytes : 40 * tokens));
            covered = c.end;
        }
    }
}

TEST_CASE("the overlap is a fifth of the tokens by default", "[text][chunker]") {
    CHECK_NOTHROW(chunk_markdown("D", "text", {.tokens = 40}));
    CHECK(texts(chunk_markdown("D", words(1, 9), {.tokens = 5}))
          == strings{words(1, 5), words(5, 9)});
    CHECK(texts(chunk_markdown("D", words(1, 3), {.tokens = 1})) == strings{"w1", "w2", "w3"});
}

TEST_CASE("a heading is never left alone before prose", "[text][chunker]") {
    CHECK(texts(chunk_markdown("D", "# T\n\n" + words(1, 4), {.tokens = 4, .overlap = 0}))
          == strings{"# T\n\n" + words(1, 3), "w4"});
}

TEST_CASE("documents without words have no chunks", "[text][chunker]") {
    for (std::string const text :
        {"", "\n\n", "---\n", "---\ntitle: x\n---\n", "***", "\xFF\xFE", "\xEF\xBB\xBF"}) {
        CAPTURE(text);
        CHECK(chunk_markdown("D", text).chunks.empty());
    }
    CHECK(texts(chunk_markdown("", "x\n\n***\n")) == strings{"x\n\n***"});
    CHECK(chunk_markdown("", "x").chunks[0].id == "-chunk-1");
}

TEST_CASE("line ends, unclosed fences and missing ends of text change nothing", "[text][chunker]") {
    CHECK(texts(chunk_markdown("D", "# A\r\n\r\none two\r\n\r\nthree", {.tokens = 3, .overlap = 0}))
          == strings{"# A\r\n\r\none two", "three"});
    CHECK(texts(chunk_markdown("D", "a\n\n```\n# b")) == strings{"a\n\n```\n# b"});
}

TEST_CASE("tokens are counted by the analyzer given", "[text][chunker]") {
    // The standard analyzer sees 4 tokens, english only 2.
    auto const text = "the cat\n\nthe dog";
    CHECK(chunk_markdown("D", text, {.tokens = 2, .overlap = 0}).chunks.size() == 2);
    CHECK(chunk_markdown(
              "D", text, {.tokens = 2, .overlap = 0}, trawl::any_analyzer::named("english"))
              .chunks.size()
          == 1);
}

TEST_CASE("sizes that cannot work are errors", "[text][chunker]") {
    auto const message = [](trawl::chunk_options options) -> std::string {
        try {
            static_cast<void>(chunk_markdown("D", "text", options));
        } catch (trawl::error const& e) {
            CHECK(e.code() == trawl::errc::invalid_argument);
            return e.what();
        }
        return "no error";
    };
    CHECK(message({.tokens = 0, .overlap = 0}) == "chunk_markdown: tokens must be > 0, is 0");
    CHECK(message({.tokens = 5, .overlap = 5})
          == "chunk_markdown: overlap must be below tokens, 5, is 5");
    CHECK(message({.tokens = 5, .overlap = 9})
          == "chunk_markdown: overlap must be below tokens, 5, is 9");
    CHECK(message({.tokens = 1, .overlap = 0}) == "no error");
    CHECK(message({.bytes = 3}) == "chunk_markdown: bytes must be 0 or at least 4, is 3");
}

TEST_CASE("any text gives sound chunks", "[text][chunker][law]") {
    auto const seed = GENERATE(1u, 2u, 3u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    static constexpr std::string_view pieces[] = {"word ", "Two words. ", "\n", "\n\n", "\r\n",
        "# ", "## H\n", "- ", "1. ", "```\n", "~~~", "| a | b |\n|--|--|\n", "    ", "---\n",
        "===\n", "key: value\n", "/api/v3 ", "漢字。", "\xFF", "é", "\u3000", "\t", "> ", "don't ",
        "x.y "};
    for (int round = 0; round < 700; ++round) {
        std::string text;
        for (auto n = random.below(80); n > 0; --n) text += pieces[random.below(std::size(pieces))];
        auto const tokens = 1 + random.below(12);
        trawl::chunk_options const options{.tokens = tokens, .overlap = random.below(tokens)};
        CAPTURE(round, text, options.tokens, options.overlap);
        check_sound(text, options, trawl::standard_analyzer{});
    }
}

TEST_CASE("real documentation gives sound chunks", "[text][chunker]") {
    std::filesystem::path const folder = "../shared/data/etcd/v3.5";
    if (!std::filesystem::exists(folder)) {
        WARN("skipped: ../shared/data/etcd is not there");
        return;
    }
    for (auto const& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".md") continue;
        std::ifstream file(entry.path(), std::ios::binary);
        std::string const text{std::istreambuf_iterator<char>(file), {}};
        CAPTURE(entry.path().string());
        check_sound(text, {}, trawl::standard_analyzer{});
        check_sound(text, {.tokens = 30, .overlap = 10}, trawl::technical_analyzer{});
        CHECK(chunk_markdown("D", text).metadata.contains("title"));
    }
}
