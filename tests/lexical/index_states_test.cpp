// SPDX-License-Identifier: MIT
// What must hold in every state that an index can reach: it saves and opens, a change that fails
// changes nothing, and words of erased documents do not survive compaction.
#include <trawl/lexical/bm25f_storage.hpp>

#include <trawl/detail/random.hpp>
#include <trawl/lexical/lexical_query.hpp>
#include <trawl/lexical/storage.hpp>
#include <trawl/storage/file.hpp>
#include <trawl/text/analyzers/whitespace_analyzer.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"
#include "support/failing_new.hpp"

#include <cstddef>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using index_type = trawl::basic_bm25_index<trawl::whitespace_analyzer>;
using fields_type = trawl::basic_bm25f_index<trawl::whitespace_analyzer>;
using trawl::doc_id;

namespace {

std::string const path = (std::filesystem::temp_directory_path()
                          / ("trawl_index_states_test"
                              + std::to_string(std::random_device()()))) // tests run side by side
                             .string();

struct removed {
    removed() = default;
    removed(removed const&) = delete;
    ~removed() { std::filesystem::remove(path); }
};

std::string random_text(trawl::detail::random& random, std::size_t words) {
    std::string made;
    for (; words > 0; --words) made += "w" + std::to_string(random.below(9)) + " ";
    return made;
}

template <class Index>
void check_saves_and_opens(Index const& index) {
    trawl::save(index, path);
    auto const opened = trawl::open<Index>(path, {.verify = trawl::verification::all});
    REQUIRE(opened.size() == index.size());
    REQUIRE(opened.next_id() == index.next_id());
    for (auto const* const text : {"w0 w3", "w1", "none"})
        REQUIRE(opened.search(text, 100) == index.search(text, 100));
    auto const phrase = trawl::ask::phrase("w1 w2", 2);
    REQUIRE(opened.search(phrase, 100) == index.search(phrase, 100));
    // As written, so opened: a second save gives the same file.
    auto const first = trawl::read_file(path);
    trawl::save(opened, path);
    REQUIRE(trawl::read_file(path) == first);
}

/// Applies changes at random, empty texts and erasing everything among them.
/// @param add, update  change the index by a text of so many words.
template <class Index, class Add, class Update>
void check_histories(Index const& fresh, Add add, Update update, bool gaps) {
    removed const file;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        trawl::detail::random random(seed);
        Index index(fresh);
        check_saves_and_opens(index);
        for (int step = 0; step < 40; ++step) {
            CAPTURE(seed, step);
            auto const words = random.below(3) == 0 ? 0 : random.below(6);
            auto const id = static_cast<doc_id>(random.below(std::uint64_t{index.next_id()} + 1));
            switch (random.below(8)) {
            case 0:
                index.erase(id);
                break;
            case 1:
                update(index, id, random_text(random, words));
                break;
            case 2:
                index.compact();
                break;
            case 3:
                if (random.below(4) > 0) break;
                for (doc_id all = 0; all < index.next_id(); ++all) index.erase(all);
                break;
            case 4:
                index = trawl::open<Index>((trawl::save(index, path), path));
                break;
            case 5:
                for (int i = 0; i < 70; ++i) add(index, index.next_id(), random_text(random, 2));
                break;
            default:
                add(index, index.next_id() + static_cast<doc_id>(gaps ? random.below(3) : 0),
                    random_text(random, words));
            }
            if (step % 4 == 0) check_saves_and_opens(index);
        }
        check_saves_and_opens(index);
    }
}

/// The file of an index, which shows all that it holds.
template <class Index>
std::string bytes_of(Index const& index) {
    trawl::save(index, path);
    return trawl::read_file(path);
}

} // namespace

TEST_CASE("an index saves and opens whatever was done to it", "[lexical][states]") {
    auto const gaps = GENERATE(false, true);
    check_histories(
        index_type({}, {.positions = true}),
        [](index_type& index, doc_id id, std::string const& text) { index.add(id, text); },
        [](index_type& index, doc_id id, std::string const& text) { index.update(id, text); },
        gaps);
}

TEST_CASE("an index of fields saves and opens whatever was done to it", "[lexical][states]") {
    auto const gaps = GENERATE(false, true);
    check_histories(
        fields_type({{"a"}, {"always empty"}, {"b"}}, {}, {.positions = true}),
        [](fields_type& index, doc_id id, std::string const& text) {
            index.add(id, {text, "", id % 3 == 0 ? text : ""});
        },
        [](fields_type& index, doc_id id, std::string const& text) {
            index.update(id, {"", "", text});
        },
        gaps);
}

TEST_CASE("an index without a term saves and opens with positions", "[lexical][states]") {
    removed const file;
    index_type index({}, {.positions = true});
    check_saves_and_opens(index); // nothing was added
    index.add("");
    check_saves_and_opens(index); // only empty texts
    index.add("w1 w2");
    index.erase(1);
    check_saves_and_opens(index); // no word is left
    auto opened = trawl::open<index_type>(path);
    opened.add("w1 x w2");
    CHECK(opened.search(trawl::ask::phrase("w1 w2", 1), 10).size() == 1);
}

TEST_CASE("a hundred fields save and open, more are refused at once", "[lexical][states]") {
    removed const file;
    for (std::size_t const count : {1u, 10u, 11u, 12u, 99u, 100u}) {
        CAPTURE(count);
        std::vector<trawl::bm25_field> fields;
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < count; ++i) {
            fields.push_back({"field " + std::to_string(i)});
            texts.push_back("w" + std::to_string(i) + " w1 w2");
        }
        fields_type index(fields, {}, {.positions = true});
        index.add(std::vector<std::string_view>(texts.begin(), texts.end()));
        trawl::save(index, path);
        auto const opened = trawl::open<fields_type>(path);
        auto const last = "w" + std::to_string(count - 1);
        CHECK(opened.search(last, 3) == index.search(last, 3));
        CHECK(opened.search(trawl::ask::phrase("w1 w2").in(fields.back().name), 3).size() == 1);
    }
    std::vector<trawl::bm25_field> many(101);
    for (std::size_t i = 0; i < many.size(); ++i) many[i].name = std::to_string(i);
    auto const refused = support::error_of([&] { static_cast<void>(fields_type(many)); });
    CHECK(refused.code == trawl::errc::invalid_argument);
    CHECK(refused.names("100"));
    CHECK(refused.names("101"));
}

TEST_CASE("a change that runs out of memory changes nothing", "[lexical][states]") {
    removed const file;
    auto const fresh = [] {
        index_type index({}, {.positions = true});
        for (int i = 0; i < 150; ++i) index.add("w" + std::to_string(i % 7) + " w1 w2");
        index.erase(3);
        return index;
    };
    auto const before = bytes_of(fresh());
    auto const check = [&](index_type const& index, bool changed) {
        if (changed) return;
        REQUIRE(index.search("w1 new", 1000) == fresh().search("w1 new", 1000));
        REQUIRE(bytes_of(index) == before);
    };
    using support::fail_each_allocation;
    std::vector<std::string_view> const many(80, "new words one two three");
    std::vector<std::string_view> const terms{"new", "w1"};
    CHECK(fail_each_allocation(
              fresh, [](index_type& i) { i.add("new words w1"); }, check)
          > 3);
    CHECK(fail_each_allocation(
              fresh, [](index_type& i) { i.update(5, "new words"); }, check)
          > 3);
    CHECK(fail_each_allocation(
              fresh, [](index_type& i) { i.erase(5); }, check)
          > 0);
    CHECK(fail_each_allocation(
              fresh, [&](index_type& i) { i.add_all(many); }, check)
          > 3);
    CHECK(fail_each_allocation(
              fresh, [&](index_type& i) { i.add_terms(terms); }, check)
          > 3);
    CHECK(fail_each_allocation(
              fresh, [](index_type& i) { i.compact(); }, check)
          > 3);
    CHECK(fail_each_allocation(
              fresh, [](index_type& i) { i.freeze(); }, check)
          > 3);
    // Among many documents, those that fill the tail and make a segment.
    auto const full = [&] {
        auto index = fresh();
        while (index.next_id() % 64 != 0) index.add("w1");
        return index;
    };
    auto const full_before = bytes_of(full());
    fail_each_allocation(
        full, [](index_type& i) { i.add("new"); },
        [&](index_type const& index, bool changed) {
            if (!changed) REQUIRE(bytes_of(index) == full_before);
        });
}

TEST_CASE("a change to fields that runs out of memory changes nothing", "[lexical][states]") {
    removed const file;
    auto const fresh = [] {
        fields_type index({{"a"}, {"b"}}, {}, {.positions = true});
        for (int i = 0; i < 70; ++i) index.add({"w" + std::to_string(i % 7), "w1 w2"});
        return index;
    };
    auto const before = bytes_of(fresh());
    auto const check = [&](fields_type const& index, bool changed) {
        if (!changed) REQUIRE(bytes_of(index) == before);
    };
    using support::fail_each_allocation;
    CHECK(fail_each_allocation(
              fresh,
              [](fields_type& i) {
                  i.add({"new", "x"});
              },
              check)
          > 3);
    CHECK(fail_each_allocation(
              fresh,
              [](fields_type& i) {
                  i.update(5, {"", "x"});
              },
              check)
          > 3);
    CHECK(fail_each_allocation(
              fresh, [](fields_type& i) { i.erase(5); }, check)
          > 0);
    CHECK(fail_each_allocation(
              fresh, [](fields_type& i) { i.compact(); }, check)
          > 3);
}

TEST_CASE(
    "words of erased documents leave an index by compaction and saving", "[lexical][states]") {
    removed const file;
    index_type index;
    index.add("public alpha");
    index.add("secretword alpha");
    for (int i = 0; i < 100; ++i) index.add("public beta");
    index.add("secretword");
    index.update(102, "public");
    index.erase(1);
    auto const holds = [&] { return bytes_of(index).find("secretword") != std::string::npos; };
    CHECK_FALSE(holds()); // saving leaves them out
    auto const ranking = index.search("public alpha", 200);
    index.compact();
    CHECK_FALSE(holds());
    CHECK(index.search("public alpha", 200) == ranking);
    CHECK(index.search("secretword", 10).empty());
    CHECK(index.search(trawl::ask::prefix("secret"), 10).empty());
    index.add("secretword again");
    CHECK(index.search("secretword", 10).size() == 1);
    CHECK(holds());
    index.freeze();
    index.erase(103);
    index.freeze();
    CHECK_FALSE(holds());
    CHECK(index.search("public alpha", 200) == ranking);
    index.add("other"); // in the tail only
    index.erase(104);
    index.compact();
    CHECK(index.search("public alpha", 200) == ranking);
    auto const opened = trawl::open<index_type>((trawl::save(index, path), path));
    CHECK(opened.search("public alpha", 200) == ranking);
}
