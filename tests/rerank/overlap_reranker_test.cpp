// SPDX-License-Identifier: MIT
#include <trawl/rerank/overlap_reranker.hpp>

#include <string>

#include "support/catch.hpp"

namespace {

// Words between spaces, without a few stop words, whose positions stay empty; "a|b" are words at
// one position.
struct plain_analyzer {
    void analyze(std::string_view text, trawl::token_sink sink) const {
        std::uint32_t position = 0;
        std::size_t begin = 0;
        for (std::size_t i = 0; i <= text.size(); ++i) {
            bool const together = i < text.size() && text[i] == '|';
            if (i < text.size() && text[i] != ' ' && !together) continue;
            auto const word = text.substr(begin, i - begin);
            if (!word.empty() && word != "an" && word != "by")
                sink({.term = word, .position = position});
            if (!word.empty() && !together) ++position;
            begin = i + 1;
        }
    }
};

using overlap = trawl::basic_overlap_reranker<plain_analyzer>;
static_assert(trawl::reranker<overlap>);

float score(trawl::query const& q, std::string_view text) {
    trawl::candidate const batch[] = {{1, 0, text}};
    float out[] = {-1};
    overlap{}(q, batch, out);
    return out[0];
}

} // namespace

TEST_CASE("Overlap counts common words and twice common neighbours", "[rerank][overlap]") {
    // worked_examples, section 8
    CHECK(score({.text = "cancel invoice after payment"}, "cancel an open invoice before payment")
          == 3.0f);
    CHECK(score({.text = "cancel invoice after payment"}, "after payment cancel by credit note")
          == 5.0f);
    CHECK(score({.text = "alpha beta gamma delta"}, "alpha beta") == 4.0f);
    CHECK(score({.text = "alpha beta gamma delta"}, "delta beta alpha gamma") == 4.0f);
}

TEST_CASE(
    "Overlap counts each word and pair once, in order, past stop words", "[rerank][overlap]") {
    CHECK(score({.text = "a b"}, "a b a b a b") == 4.0f);
    CHECK(score({.text = "a b a b"}, "a b") == 4.0f);
    CHECK(score({.text = "a b"}, "b a") == 2.0f);
    CHECK(score({.text = "a an b"}, "a by b") == 4.0f);
    CHECK(score({.text = "a b"}, "a other b") == 2.0f);
    CHECK(score({.text = "x y"}, "a b") == 0.0f);
}

TEST_CASE("Words at one position are alternatives, not neighbours", "[rerank][overlap]") {
    CHECK(score({.text = "ab|a c"}, "a c") == 4.0f);
    CHECK(score({.text = "ab|a c"}, "ab|a c") == 3 + 2 * 2.0f);
    CHECK(score({.text = "ab|a"}, "ab a") == 2.0f);
}

TEST_CASE("Weighted terms replace the question's text", "[rerank][overlap]") {
    trawl::weighted_term const terms[] = {{"a", 1}, {"b", 3}};
    CHECK(score({.text = "x y z", .terms = terms}, "x y z a b") == 4.0f);
}

TEST_CASE(
    "A text's score does not depend on its batch; nothing to ask scores 0", "[rerank][overlap]") {
    trawl::candidate const batch[] = {{1, 0, "a b"}, {2, 0, ""}, {3, 0, "b c"}};
    float out[3] = {};
    overlap{}({.text = "a b c"}, batch, out);
    CHECK(out[0] == 4.0f);
    CHECK(out[1] == 0.0f);
    CHECK(out[2] == 4.0f);
    CHECK(score({}, "a b") == 0.0f);
    overlap{}({.text = "a"}, {}, {});
    CHECK_THROWS_WITH(overlap{}({.text = "a"}, batch, std::span(out).first(2)),
        "overlap_reranker: 3 candidates, room for 2 scores");
}

TEST_CASE("The overlap reranker for English leaves out stop words and compares stems",
    "[rerank][overlap]") {
    trawl::candidate const batch[] = {{1, 0, "cancel an open invoice before payment"},
        {2, 0, "after payments cancelled by the note"}};
    float out[2] = {};
    trawl::overlap_reranker{}({.text = "Cancel the invoice after payment"}, batch, out);
    CHECK(out[0] == 3.0f);
    CHECK(out[1] == 5.0f);
}
