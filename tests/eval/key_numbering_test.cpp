// SPDX-License-Identifier: MIT
#include <trawl/eval/detail/key_numbering.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <trawl/detail/random.hpp>

#include "support/catch.hpp"

TEST_CASE("texts are numbered in byte order, whatever bytes they have", "[eval][property]") {
    auto const seed = GENERATE(range(1u, 60u));
    CAPTURE(seed);
    trawl::detail::random random(seed);
    // Few letters make texts alike for long; zeros look like the end of a text.
    std::string const alphabets[] = {
        std::string("ab\0", 3), std::string("\0\xFF", 2), "0123456789", "x"};
    auto const& alphabet = alphabets[random.below(4)];
    std::string const prefix(random.below(2) * random.below(40), 'p');
    std::size_t const longest = random.below(2) == 0 ? 6 : 30;
    std::vector<std::string> texts(1 + random.below(random.below(2) == 0 ? 40 : 3000));
    for (auto& text : texts) {
        text = prefix;
        for (auto n = random.below(longest + 1); n > 0; --n)
            text += alphabet[random.below(alphabet.size())];
    }
    if (random.below(3) == 0) texts[random.below(texts.size())].clear();

    auto expected = texts;
    std::sort(expected.begin(), expected.end());
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    std::vector<std::string_view> const views(texts.begin(), texts.end());
    trawl::detail::text_numbering const numbering(
        trawl::detail::row_texts(views.data(), sizeof(std::string_view), views.size()));
    REQUIRE(std::equal(
        numbering.sorted().begin(), numbering.sorted().end(), expected.begin(), expected.end()));
    for (std::size_t i = 0; i < texts.size(); ++i)
        REQUIRE(numbering.sorted()[numbering[i]] == texts[i]);
}

TEST_CASE("heads of every byte at every place are numbered in order", "[eval][property]") {
    trawl::detail::random random(3);
    std::vector<std::string> texts(4000, std::string(8, ' '));
    for (auto& text : texts) {
        for (auto& c : text) c = static_cast<char>(random.below(256));
    }
    std::vector<std::string_view> const views(texts.begin(), texts.end());
    trawl::detail::text_numbering const numbering(
        trawl::detail::row_texts(views.data(), sizeof(std::string_view), views.size()));
    CHECK(std::is_sorted(numbering.sorted().begin(), numbering.sorted().end()));
    for (std::size_t i = 0; i < texts.size(); ++i)
        REQUIRE(numbering.sorted()[numbering[i]] == texts[i]);
}

TEST_CASE("a key of one set is found in another, whatever bytes they have", "[eval][property]") {
    auto const seed = GENERATE(range(1u, 60u));
    CAPTURE(seed);
    trawl::detail::random random(seed);
    auto const keys = [&] {
        std::vector<std::string> made(random.below(200));
        for (auto& key : made) {
            key.assign(random.below(2) * 8, 'k');
            for (auto n = random.below(5); n > 0; --n)
                key += std::string("\0a\xFF", 3)[random.below(3)];
        }
        std::sort(made.begin(), made.end());
        made.erase(std::unique(made.begin(), made.end()), made.end());
        return made;
    };
    auto const from = keys();
    auto const to = keys();
    auto const ordered = [](std::vector<std::string> const& texts) {
        std::vector<std::string_view> const views(texts.begin(), texts.end());
        return trawl::ordered_keys::from_ascending(views);
    };
    auto const numbers = trawl::ordered_keys::translation(ordered(from), ordered(to));
    REQUIRE(numbers.size() == from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
        auto const at = std::find(to.begin(), to.end(), from[i]);
        auto const expected =
            at == to.end() ? trawl::no_doc : static_cast<trawl::doc_id>(at - to.begin());
        REQUIRE(numbers[i] == expected);
    }
}
