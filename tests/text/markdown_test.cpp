// SPDX-License-Identifier: MIT
#include <trawl/text/passages/markdown.hpp>

#include "support/catch.hpp"

using trawl::block_kind;
using trawl::parse_markdown;

namespace {

/// One letter a block and its text: "h2:Title", "p:text"; line ends as a bar.
std::vector<std::string> blocks(std::string_view text) {
    std::vector<std::string> out;
    for (auto const& block : parse_markdown(text).blocks) {
        std::string line = std::string(1, "hpltc"[static_cast<std::size_t>(block.kind)]);
        if (block.kind == block_kind::heading) {
            line += std::to_string(block.level) + ":" + std::string(block.title);
        } else {
            line += ":" + std::string(text.substr(block.begin, block.end - block.begin));
        }
        std::replace(line.begin(), line.end(), '\n', '|');
        out.push_back(line);
    }
    return out;
}

using lines = std::vector<std::string>;

} // namespace

TEST_CASE("front matter becomes metadata", "[text][markdown]") {
    auto const text =
        "---\ntitle: Guide: install\nversion: \"3.0\"\nstatus: current # of May\nquote: 'a # b'\n"
        "cascade:\n  inner: 1\n- item: x\n# comment: y\nno colon\nstatus: old\n---\n# A\n";
    auto const document = parse_markdown(text);
    CHECK(document.metadata
          == trawl::front_matter{{"title", "Guide: install"}, {"version", "3.0"}, {"status", "old"},
              {"quote", "a # b"}, {"cascade", ""}});
    REQUIRE(document.blocks.size() == 1);
    CHECK(document.blocks[0].title == "A");
}

TEST_CASE("front matter stands at the very beginning and is closed", "[text][markdown]") {
    CHECK(parse_markdown("---\nkey: value\n").metadata.empty()); // never closed
    CHECK(blocks("---\nkey: value\n") == lines{"p:---", "p:key: value"});
    CHECK(parse_markdown("\n---\nkey: value\n---\n").metadata.empty());
    CHECK(parse_markdown(" ---\nkey: value\n---\n").metadata.empty());
    CHECK(parse_markdown("----\nkey: value\n---\n").metadata.empty());
    CHECK(parse_markdown("---\n---").metadata.empty());
    CHECK(parse_markdown("---\nkey: value\n...\ntext").metadata.size() == 1);
    CHECK(parse_markdown("\xEF\xBB\xBF---\r\nkey: value\r\n---\r\n").metadata.at("key") == "value");
}

TEST_CASE("prose between two rules is text", "[text][markdown]") {
    CHECK(blocks("---\nAn important note.\n---\n\nMore.")
          == lines{"p:---", "h2:An important note.", "p:More."});
    CHECK(blocks("---\nNote: read this.\nIt matters.\n\n---\nMore.")
          == lines{"p:---", "p:Note: read this.|It matters.", "p:---", "p:More."});
    CHECK(blocks("---\nhttp://x.io is down\n\n---\n")
          == lines{"p:---", "p:http://x.io is down", "p:---"});
    // Pandoc, too: a rule has a blank line below it, front matter has none.
    CHECK(blocks("---\n\nWarning: read this.\n\n---\nMore.")
          == lines{"p:---", "p:Warning: read this.", "p:---", "p:More."});
    CHECK(blocks("---\n\n---\ntext") == lines{"p:---", "p:---", "p:text"});
    CHECK(parse_markdown("---\n# c\n\nkey:\n  - a\nb: 1\n---\n").metadata
          == trawl::front_matter{{"key", ""}, {"b", "1"}});
}

TEST_CASE("a front matter is looked up by key, the last entry counts", "[text][markdown]") {
    trawl::front_matter const entries{{"b", "1"}, {"a", "2"}, {"b", "3"}};
    CHECK(entries.size() == 2);
    CHECK(entries.begin()->first == "a");
    CHECK(entries.at("b") == "3");
    CHECK(entries.find("c") == entries.end());
    CHECK_THROWS_WITH(entries.at("c"), "front_matter::at: no key 'c' among 2 entries");
}

TEST_CASE("HTML hides what looks like structure", "[text][markdown]") {
    CHECK(blocks("<pre>\n# no heading\n\n- no list\n</pre>\n# H")
          == lines{"c:<pre>|# no heading||- no list|</pre>", "h1:H"});
    CHECK(blocks("a\n<!-- one\n\n# two -->\n# H") == lines{"p:a", "c:<!-- one||# two -->", "h1:H"});
    CHECK(blocks("<!-- one line -->\n# H") == lines{"c:<!-- one line -->", "h1:H"});
    CHECK(blocks("<SCRIPT type='x'>\n# x\n</script> y\n# H")
          == lines{"c:<SCRIPT type='x'>|# x|</script> y", "h1:H"});
    CHECK(blocks("<div class='a'>\n# x\n</div>\n\n# H")
          == lines{"p:<div class='a'>|# x|</div>", "h1:H"});
    CHECK(blocks("<details>\n\n# H") == lines{"p:<details>", "h1:H"});
    CHECK(blocks("<prefix>\n# H\n<b>x</b>\n# I\n<http://x.io>")
          == lines{"p:<prefix>", "h1:H", "p:<b>x</b>", "h1:I", "p:<http://x.io>"});
    CHECK(blocks("<!-- never closed\n# x") == lines{"c:<!-- never closed|# x"});
}

TEST_CASE("ATX headings", "[text][markdown]") {
    CHECK(blocks("# One\n## Two ##\n###### Six\n#\n  # Near")
          == lines{"h1:One", "h2:Two", "h6:Six", "h1:", "h1:Near"});
    CHECK(blocks("# C#\n## a # b") == lines{"h1:C#", "h2:a # b"});
    CHECK(blocks("#hashtag") == lines{"p:#hashtag"});
    CHECK(blocks("####### seven") == lines{"p:####### seven"});
    CHECK(blocks("text\n# Title\nmore") == lines{"p:text", "h1:Title", "p:more"});
}

TEST_CASE("setext headings", "[text][markdown]") {
    CHECK(blocks("Title\n=====\ntext\n\nSub\n-\n") == lines{"h1:Title", "p:text", "h2:Sub"});
    CHECK(blocks("two\nlines\n---\n") == lines{"h2:two|lines"});
    CHECK(blocks("\n---\n===\n") == lines{"p:---", "p:==="});
}

TEST_CASE("fenced code hides what looks like structure", "[text][markdown]") {
    CHECK(blocks("a\n```sh\n# not a heading\n\n- no list\n```\nb")
          == lines{"p:a", "c:```sh|# not a heading||- no list|```", "p:b"});
    CHECK(blocks("~~~~\n```\n~~~\n~~~~~\nb") == lines{"c:~~~~|```|~~~|~~~~~", "p:b"});
    CHECK(blocks("```\nnever\n\n# closed") == lines{"c:```|never||# closed"});
    CHECK(blocks("```inline` code\n# H") == lines{"p:```inline` code", "h1:H"});
    CHECK(blocks("a\n\n    # indented\n\n    code\nb")
          == lines{"p:a", "c:    # indented||    code", "p:b"});
}

TEST_CASE("lists go on over blank and indented lines", "[text][markdown]") {
    CHECK(blocks("- a\n- b\n\n  more of b\n\nend") == lines{"l:- a|- b||  more of b", "p:end"});
    CHECK(blocks("1. a\n   ```\n   # code\n   ```\n2) b\n# H")
          == lines{"l:1. a|   ```|   # code|   ```|2) b", "h1:H"});
    CHECK(blocks("- a\nlazy\n\ntext") == lines{"l:- a|lazy", "p:text"});
    CHECK(blocks("- a\n```\nx\n```") == lines{"l:- a", "c:```|x|```"});
    CHECK(blocks("2024 was good\n-5 degrees\n1.5 m") == lines{"p:2024 was good|-5 degrees|1.5 m"});
    CHECK(blocks("* * *\n- - -\n") == lines{"p:* * *", "p:- - -"});
}

TEST_CASE("tables need a row of dashes", "[text][markdown]") {
    CHECK(blocks("| a | b |\n|---|:-:|\n| 1 | 2 |\n\nend")
          == lines{"t:| a | b |||---|:-:||| 1 | 2 |", "p:end"});
    CHECK(blocks("text\na | b\n--|--\n1 | 2") == lines{"p:text", "t:a | b|--|--|1 | 2"});
    CHECK(blocks("a | b\nc | d") == lines{"p:a | b|c | d"});
}

TEST_CASE("any line ends, and none", "[text][markdown]") {
    CHECK(blocks("# A\r\n\r\ntext\r\n") == lines{"h1:A", "p:text"});
    CHECK(blocks("# A\r\rtext") == lines{"h1:A", "p:text"});
    CHECK(blocks("") == lines{});
    CHECK(blocks("\n\r\n \t\n") == lines{});
    CHECK(blocks("x") == lines{"p:x"});
}
