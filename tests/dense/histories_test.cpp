// SPDX-License-Identifier: MIT
// Random histories of every dense index: it saves and opens in every state that it can reach, what
// was opened is what was in memory, and no file holds a vector that was erased or replaced.
#include <trawl/dense/inverted_file_storage.hpp>
#include <trawl/dense/maxsim_index.hpp>
#include <trawl/dense/storage.hpp>

#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <trawl/dense/detail/element_conversion.hpp>
#include <trawl/storage/file.hpp>

#include "support/file_sections.hpp"

#include "dense/support.hpp"
#include "support/catch.hpp"

namespace {

using trawl::doc_id;

std::string const path = (std::filesystem::temp_directory_path()
                          / ("trawl_dense_histories_test_" + std::to_string(getpid())))
                             .string();

constexpr std::size_t dim = 6;

// Values that all element types hold exactly, and that no other vector has.
std::vector<float> random_vector(trawl::detail::random& random) {
    std::vector<float> made(dim);
    for (auto& v : made) v = static_cast<float>(static_cast<int>(random.below(255)) - 127) / 64.0f;
    return made;
}

template <class Element>
std::string bytes_of(std::vector<float> const& vector) {
    std::string bytes;
    for (auto const v : vector) {
        Element stored;
        if constexpr (std::is_same_v<Element, float>)
            stored = v;
        else
            stored = trawl::detail::stored_as<Element>(v);
        bytes.append(reinterpret_cast<char const*>(&stored), sizeof stored);
    }
    return bytes;
}

template <class Index>
void train(Index& index, trawl::detail::random& random) {
    if constexpr (requires { index.lists(); }) {
        index.train(random.below(12));
    } else if constexpr (requires { index.train(); }) {
        if (index.options().keep_full) index.train();
    }
}

template <class Element, class Index>
void check_history(Index const& fresh, std::uint64_t seed) {
    trawl::detail::random random(seed);
    Index index = fresh;
    std::map<doc_id, std::vector<float>> living;
    std::vector<std::vector<float>> gone;
    auto const query = random_vector(random);

    auto const check_saved = [&] {
        trawl::save(index, path);
        auto const first = trawl::read_file(path);
        auto const opened = trawl::open<Index>(path, {.verify = trawl::verification::all});
        REQUIRE(opened.size() == living.size());
        REQUIRE(opened.next_id() == index.next_id());
        for (std::size_t const k : {1u, 9u, 1000u})
            REQUIRE(opened.search(query, k) == index.search(query, k));
        REQUIRE(opened.search(query, 1000).size() == living.size());
        for (auto const& [id, vector] : living) REQUIRE(opened.contains(id));
        trawl::save(opened, path);
        if (trawl::read_file(path) != first) FAIL("a second save gives another file");
        for (auto const& [name, bytes] : support::file_sections::of(path).sections) {
            // What was learnt stays until train(): a list's mean may be that of one vector.
            if (name == "means" || name == "centre") continue;
            std::string_view const all(reinterpret_cast<char const*>(bytes.data()), bytes.size());
            for (auto const& vector : gone) {
                if (all.find(bytes_of<Element>(vector)) != all.npos)
                    FAIL("an erased vector is saved in " << name);
            }
        }
    };

    auto const any = [&] {
        if (living.empty() || random.below(8) == 0)
            return static_cast<doc_id>(random.below(std::uint64_t{index.next_id()} + 2));
        auto at = living.begin();
        std::advance(at, static_cast<std::ptrdiff_t>(random.below(living.size())));
        return at->first;
    };
    auto const forget = [&](doc_id id) {
        auto const at = living.find(id);
        if (at == living.end()) return false;
        gone.push_back(at->second);
        living.erase(at);
        return true;
    };

    check_saved();
    for (int step = 0; step < 40; ++step) {
        CAPTURE(seed, step);
        switch (random.below(10)) {
        case 0: {
            auto const id = any();
            REQUIRE(index.erase(id) == forget(id));
            break;
        }
        case 1: {
            auto const id = any();
            auto const vector = random_vector(random);
            bool const there = forget(id);
            if (there) living[id] = vector;
            REQUIRE(index.update(id, vector) == there);
            break;
        }
        case 2:
            index.compact();
            break;
        case 3:
            if (random.below(3) > 0) break;
            for (doc_id id = 0; id < index.next_id(); ++id) REQUIRE(index.erase(id) == forget(id));
            break;
        case 4:
            index = trawl::open<Index>(
                (trawl::save(index, path), path), {.copy = random.below(2) == 0});
            break;
        case 5: {
            std::vector<float> many;
            auto const count = random.below(120);
            for (std::size_t i = 0; i < count; ++i) {
                auto const vector = random_vector(random);
                living[index.next_id() + static_cast<doc_id>(i)] = vector;
                many.insert(many.end(), vector.begin(), vector.end());
            }
            index.add_all({many.data(), count, dim});
            break;
        }
        case 6:
            train(index, random);
            break;
        default: {
            auto const vector = random_vector(random);
            auto const id = index.next_id() + static_cast<doc_id>(random.below(3));
            living[id] = vector;
            REQUIRE(index.add(id, vector) == id);
        }
        }
        REQUIRE(index.size() == living.size());
        if (step % 3 == 0) check_saved();
    }
    check_saved();
    // What an exact search of the same vectors finds.
    trawl::flat_index exact(dim, index.metric());
    for (auto const& [id, vector] : living) exact.add(id, vector);
    trawl::doc_set some(std::size_t{index.next_id()});
    for (doc_id id = 0; id < index.next_id(); id += 3) some.insert(id);
    auto const all = exact.search(query, 1000, some);
    auto const found = index.search(query, 1000, some);
    REQUIRE(found.size() == all.size());
    if constexpr (requires { index.exact(); }) return;
    REQUIRE(found == all);
}

template <class Element, class Index>
void check_histories(Index const& fresh) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) check_history<Element>(fresh, seed);
    std::filesystem::remove(path);
}

} // namespace

TEST_CASE("dense indexes save and open whatever was done to them", "[dense][states]") {
    auto const how =
        GENERATE(trawl::metric::cosine, trawl::metric::dot_product, trawl::metric::euclidean);
    CAPTURE(trawl::name_of(how));
    check_histories<float>(trawl::flat_index(dim, how));
    check_histories<trawl::bfloat16>(trawl::bfloat16_index(dim, how));
    check_histories<trawl::float16>(trawl::float16_index(dim, how));
    for (bool const keep_full : {true, false}) {
        CAPTURE(keep_full);
        for (std::size_t const prefix : {0u, 3u}) {
            trawl::quantised_options const options{
                .metric = how, .prefix = prefix, .keep_full = keep_full};
            check_histories<float>(trawl::int8_index(dim, options));
            check_histories<float>(trawl::one_bit_index(dim, options));
        }
    }
    check_histories<float>(trawl::inverted_file_index(dim, {.metric = how}));
    check_histories<float>(
        trawl::inverted_file_index(dim, {.metric = how, .probes = 1, .candidates = 1}));
}
