// SPDX-License-Identifier: MIT
// Readers on threads of their own and a writer that excludes them: const members share nothing that
// changes. ThreadSanitizer watches.
#include <mutex>
#include <shared_mutex>
#include <thread>

#include <trawl/dense/inverted_file_index.hpp>
#include <trawl/dense/maxsim_index.hpp>
#include <trawl/dense/quantised_index.hpp>

#include "dense/support.hpp"
#include "support/catch.hpp"

namespace {

constexpr std::size_t dim = 24;

// What belongs to a document: a vector, or of maxsim four.
template <class Index>
struct one_vector {
    static std::span<float const> part(matrix const& data, std::size_t i) { return data.row(i); }
    static trawl::query asked(matrix const& data, std::size_t i) { return {.vector = data.row(i)}; }
    static void settle(Index&) {}
};

template <>
void one_vector<trawl::inverted_file_index>::settle(trawl::inverted_file_index& index) {
    index.train(20);
    index.set_margin(0.5);
}

struct four_vectors {
    static trawl::matrix_view<float const> part(matrix const& data, std::size_t i) {
        return {data.row(4 * (i % 100)).data(), 4, dim};
    }
    static trawl::query asked(matrix const& data, std::size_t i) {
        return {.token_vectors = part(data, i)};
    }
    static void settle(trawl::maxsim_index&) {}
};

template <class Index, class Data>
void share(std::uint64_t seed) {
    CAPTURE(seed);
    trawl::detail::random random(seed);
    auto const data = random_matrix(random, 500, dim);
    Index index(dim);
    for (std::size_t i = 0; i < 400; ++i) index.add(Data::part(data, i));
    Data::settle(index);
    std::shared_mutex turns;
    std::vector<std::size_t> wrong(3, 0);
    std::vector<std::thread> readers;
    for (auto& mine : wrong) {
        readers.emplace_back([&, number = static_cast<std::size_t>(&mine - wrong.data())] {
            for (std::size_t i = 0; i < 30; ++i) {
                std::shared_lock const reading(turns);
                auto const question = Data::asked(data, number * 30 + i);
                auto const found = index.search(question, {.k = 5});
                if (found.size() != 5 || found != index.search(question, {.k = 5})) ++mine;
                for (auto const& h : found) {
                    if (!index.contains(h.id)
                        || index.score(question, {&h.id, 1}) != trawl::ranking{h})
                        ++mine;
                    if (index.explain(question, h.id).label.empty()) ++mine;
                }
            }
        });
    }
    for (std::size_t i = 0; i < 60; ++i) {
        std::unique_lock const writing(turns);
        index.add(Data::part(data, 400 + i));
        index.erase(static_cast<trawl::doc_id>(5 * i));
        index.update(static_cast<trawl::doc_id>(5 * i + 1), Data::part(data, i));
        if (i % 20 == 19) index.compact();
    }
    for (auto& reader : readers) reader.join();
    CHECK(wrong == std::vector<std::size_t>(3, 0));
    CHECK(index.size() == 400);
}

} // namespace

TEST_CASE("readers share an index whose writer excludes them", "[dense][threads]") {
    share<trawl::int8_index, one_vector<trawl::int8_index>>(1);
    share<trawl::one_bit_index, one_vector<trawl::one_bit_index>>(2);
    share<trawl::inverted_file_index, one_vector<trawl::inverted_file_index>>(3);
    share<trawl::maxsim_index, four_vectors>(4);
}
