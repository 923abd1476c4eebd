// SPDX-License-Identifier: MIT
// One contract for all indexes: names, order of arguments, defaults, return values and errors.
#include <trawl/dense/inverted_file_index.hpp>
#include <trawl/dense/maxsim_index.hpp>
#include <trawl/dense/quantised_index.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/lexical/bm25f_index.hpp>

#include <array>
#include <atomic>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/thread_executor.hpp>
#include <trawl/detail/random.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace {

using trawl::doc_id;

constexpr std::size_t documents = 320; // more than a code's sample
constexpr std::size_t dim = 16;

// For each index: make() one that is empty, document(i), all(first, count) for add_all, and asked(i),
// a query that all documents match. settle() does what an index does besides.

struct texts {
    static std::vector<std::string> const& words() {
        static auto const made = [] {
            std::vector<std::string> all;
            for (std::size_t i = 0; i < documents; ++i) {
                all.push_back("common w" + std::to_string(i % 7) + " w" + std::to_string(i % 11)
                              + (i % 3 == 0 ? " w1 longer" : ""));
            }
            return all;
        }();
        return made;
    }
    static std::vector<std::string_view> const& views() {
        static std::vector<std::string_view> const made(words().begin(), words().end());
        return made;
    }
    static trawl::query asked(std::size_t i) { return {.text = views()[i]}; }
    static trawl::query nothing() { return {.vector = {}}; }
    static auto plain(std::size_t i) { return views()[i]; }
    template <class Index>
    static void settle(Index&) {}
};

struct bm25 : texts {
    using index = trawl::bm25_index;
    static index make() { return index(); }
    static std::string_view document(std::size_t i) { return views()[i]; }
    static std::span<std::string_view const> all(std::size_t first, std::size_t count) {
        return std::span(views()).subspan(first, count);
    }
};

struct bm25f : texts {
    using index = trawl::bm25f_index;
    using document_view = std::span<std::string_view const>;
    static index make() { return index({{"title", 2}, {"text"}}); }
    static document_view document(std::size_t i) {
        static auto const made = [] {
            std::vector<std::array<std::string_view, 2>> pairs;
            for (std::size_t d = 0; d < documents; ++d)
                pairs.push_back({views()[(d * 5) % documents], views()[d]});
            return pairs;
        }();
        return made[i];
    }
    static std::vector<document_view> all(std::size_t first, std::size_t count) {
        std::vector<document_view> made;
        for (std::size_t i = first; i < first + count; ++i) made.push_back(document(i));
        return made;
    }
};

struct vectors {
    static std::vector<float> const& values() {
        static auto const made = [] {
            trawl::detail::random random(6);
            std::vector<float> all(documents * dim);
            for (auto& v : all) v = static_cast<float>(random.normal());
            return all;
        }();
        return made;
    }
    static std::span<float const> row(std::size_t i) {
        return std::span(values()).subspan(i * dim, dim);
    }
    static trawl::query nothing() { return {.text = "words"}; }
    template <class Index>
    static void settle(Index&) {}
};

template <class Index>
struct one_vector : vectors {
    using index = Index;
    static index make() { return index(dim); }
    static std::span<float const> document(std::size_t i) { return row(i); }
    static trawl::matrix_view<float const> all(std::size_t first, std::size_t count) {
        return {row(first).data(), count, dim};
    }
    static trawl::query asked(std::size_t i) { return {.vector = row(i)}; }
    static auto plain(std::size_t i) { return row(i); }
};

struct lists : one_vector<trawl::inverted_file_index> {
    static void settle(index& i) { i.train(8); }
};

struct late : vectors {
    using index = trawl::maxsim_index;
    static index make() { return index(dim); }
    static trawl::matrix_view<float const> document(std::size_t i) {
        return {row(i - i % 2).data(), 1 + i % 2, dim};
    }
    static std::vector<trawl::matrix_view<float const>> all(std::size_t first, std::size_t count) {
        std::vector<trawl::matrix_view<float const>> made;
        for (std::size_t i = first; i < first + count; ++i) made.push_back(document(i));
        return made;
    }
    static trawl::query asked(std::size_t i) { return {.token_vectors = document(i)}; }
    static auto plain(std::size_t i) { return document(i); }
};

template <class Of>
typename Of::index filled(std::size_t count = documents) {
    auto index = Of::make();
    index.add_all(Of::all(0, count));
    Of::settle(index);
    return index;
}

} // namespace

#define EVERY_INDEX                                                                                \
    bm25, bm25f, one_vector<trawl::flat_index>, one_vector<trawl::bfloat16_index>,                 \
        one_vector<trawl::float16_index>, one_vector<trawl::int8_index>,                           \
        one_vector<trawl::one_bit_index>, one_vector<trawl::inverted_file_index>, lists, late

TEMPLATE_TEST_CASE(
    "add returns the id that it gave; ids are refused alike", "[laws][contract]", EVERY_INDEX) {
    using of = TestType;
    STATIC_REQUIRE(trawl::scoring_retriever<typename of::index>);
    auto index = of::make();
    CHECK((index.size() == 0 && index.next_id() == 0 && !index.contains(0)));
    CHECK(index.search(of::asked(0)).empty());
    CHECK((index.add(of::document(0)) == 0 && index.add(of::document(1)) == 1));
    CHECK(index.add(doc_id{7}, of::document(2)) == 7);
    CHECK((index.size() == 3 && index.next_id() == 8));
    CHECK((index.contains(7) && !index.contains(6) && !index.contains(trawl::no_doc)));

    auto const before = index.search(of::asked(0));
    for (doc_id const id : {0u, 6u, 7u}) {
        auto const error = support::error_of([&] { index.add(id, of::document(3)); });
        CHECK(error.code == trawl::errc::id_order);
        CHECK((error.names(std::to_string(id)) && error.names("8")));
    }
    CHECK(support::error_of([&] { index.add(trawl::no_doc, of::document(3)); }).code
          == trawl::errc::invalid_argument);
    CHECK((index.size() == 3 && index.next_id() == 8 && index.search(of::asked(0)) == before));

    CHECK(index.add(trawl::no_doc - 1, of::document(3)) == trawl::no_doc - 1);
    CHECK(support::error_of([&] { index.add(of::document(4)); }).code
          == trawl::errc::invalid_argument);
    CHECK(index.size() == 4);
}

TEMPLATE_TEST_CASE(
    "add_all returns the first id and is add, one by one", "[laws][contract]", EVERY_INDEX) {
    using of = TestType;
    auto together = of::make(), one_by_one = of::make(), with_threads = of::make();
    trawl::thread_executor const pool(3);
    CHECK((together.add_all(of::all(0, 0)) == 0 && together.size() == 0));
    CHECK(together.add_all(of::all(0, 300)) == 0);
    CHECK(together.add_all(of::all(300, 20)) == 300);
    CHECK(with_threads.add_all(of::all(0, documents), &pool) == 0);
    for (std::size_t i = 0; i < documents; ++i) one_by_one.add(of::document(i));
    for (auto* const index : {&together, &one_by_one, &with_threads}) {
        of::settle(*index);
        CHECK((index->size() == documents && index->next_id() == documents));
        CHECK(index->search(of::asked(5), {.k = 50}) == one_by_one.search(of::asked(5), {.k = 50}));
    }
}

TEMPLATE_TEST_CASE(
    "update and erase say whether there was such a document", "[laws][contract]", EVERY_INDEX) {
    using of = TestType;
    auto index = filled<of>();
    for (auto const id : {doc_id{documents}, doc_id{5000}, trawl::no_doc}) {
        CHECK_FALSE(index.update(id, of::document(0)));
        CHECK_FALSE(index.erase(id));
    }
    CHECK((index.update(4, of::document(9)) && index.size() == documents));
    doc_id const both[] = {4, 9};
    auto const scores = index.score(of::asked(3), both);
    CHECK((scores.size() == 2 && scores[0].score == scores[1].score));
    CHECK((index.erase(4) && !index.erase(4) && !index.update(4, of::document(0))));
    CHECK((index.size() == documents - 1 && !index.contains(4)));
    CHECK(support::error_of([&] { index.add(doc_id{4}, of::document(0)); }).code
          == trawl::errc::id_order);

    // Compaction changes neither ids nor scores.
    trawl::thread_executor const pool(2);
    doc_id const some[] = {0, 3, 4, 5, 200};
    auto const before = index.score(of::asked(2), some);
    for (auto const* const on : {static_cast<trawl::executor const*>(nullptr),
             static_cast<trawl::executor const*>(&pool)}) {
        index.compact(on);
        CHECK(index.score(of::asked(2), some) == before);
        CHECK((index.size() == documents - 1 && index.next_id() == documents));
    }
    for (doc_id id = 0; id < documents; ++id) index.erase(id);
    index.compact();
    CHECK((index.size() == 0 && index.next_id() == documents));
    CHECK(index.search(of::asked(1)).empty());
    CHECK(index.add(of::document(1)) == documents);
    CHECK(index.search(of::asked(1)).size() == 1);
}

TEMPLATE_TEST_CASE("search takes a query, a text or vector, or several queries; k is 10 by default",
    "[laws][contract]", EVERY_INDEX) {
    using of = TestType;
    auto const index = filled<of>();
    auto const q = of::asked(6);
    auto const ten = index.search(q);
    CHECK(ten.size() == 10);
    CHECK(ten == index.search(q, {}));
    CHECK(ten == index.search(of::plain(6), 10));
    CHECK(index.search(q, {.k = 0}).empty());
    CHECK(index.search(q, {.k = 5000}).size() == documents);
    CHECK(index.search(of::nothing()).empty());

    trawl::doc_set const some(documents, {3, 9, 27, 81});
    auto const filtered = index.search(of::plain(6), 10, some);
    CHECK(filtered.size() == 4);
    CHECK(filtered == index.search(q, {.where = some}));
    CHECK(index.search(of::plain(6), 10, trawl::doc_set(documents)).empty());

    std::vector<trawl::query> const queries{q, of::nothing(), of::asked(100), of::asked(6)};
    auto const found = index.search(std::span<trawl::query const>(queries));
    REQUIRE(found.size() == 4);
    for (std::size_t i = 0; i < queries.size(); ++i) CHECK(found[i] == index.search(queries[i]));
    CHECK(index.search(std::span<trawl::query const>(queries), {.k = 3})[2]
          == index.search(queries[2], {.k = 3}));
    CHECK(index.search(std::span<trawl::query const>()).empty());
}

TEMPLATE_TEST_CASE("score and explain give the bits of search, with default options",
    "[laws][contract]", EVERY_INDEX) {
    using of = TestType;
    auto index = filled<of>();
    index.erase(11);
    auto const q = of::asked(8);
    std::vector<doc_id> ids;
    auto const best = index.search(q);
    for (auto const& h : best) ids.push_back(h.id);
    CHECK(index.score(q, ids) == best);
    for (auto const& h : best) {
        auto const why = index.explain(q, h.id);
        CHECK((trawl::adds_up(why) && static_cast<float>(why.value) == h.score));
    }
    // What is not there is left out, and no match.
    doc_id const absent[] = {11, 5000, trawl::no_doc};
    CHECK(index.score(q, absent).empty());
    for (auto const id : absent) {
        auto const why = index.explain(q, id);
        CHECK((why.role == trawl::node_role::no_match && why.value == 0));
    }
    trawl::doc_set const some(documents, {1});
    CHECK(index.score(q, ids, {.where = some}).size() <= 1);
    CHECK(index.explain(q, best[0].id == 1 ? best[1].id : best[0].id, {.where = some}).role
          == trawl::node_role::no_match);
    CHECK(index.score(of::nothing(), ids).empty());
}

TEMPLATE_TEST_CASE("const members may run from several threads at once, with the same results",
    "[laws][contract][threads]", EVERY_INDEX) {
    using of = TestType;
    auto const index = filled<of>();
    auto const q = of::asked(8);
    auto const best = index.search(q);
    std::vector<doc_id> ids;
    for (auto const& h : best) ids.push_back(h.id);
    std::atomic<int> wrong = 0;
    auto const read = [&] {
        for (int round = 0; round < 3; ++round) {
            std::vector<trawl::query> const queries{q, of::asked(1)};
            if (index.search(q) != best || index.search(queries)[0] != best) ++wrong;
            if (index.score(q, ids) != best) ++wrong;
            if (static_cast<float>(index.explain(q, ids[0]).value) != best[0].score) ++wrong;
            if (index.size() != documents || index.next_id() != documents) ++wrong;
            if (!index.contains(ids[0]) || index.contains(doc_id{documents})) ++wrong;
        }
    };
    std::vector<std::thread> readers;
    for (int i = 0; i < 4; ++i) readers.emplace_back(read);
    for (auto& reader : readers) reader.join();
    CHECK(wrong == 0);
}
