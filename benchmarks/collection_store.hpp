// SPDX-License-Identifier: MIT
#pragma once

/// A collection of a million short documents with vectors: loading, changing, opening, asking.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trawl/collection/collection.hpp>
#include <trawl/detail/random.hpp>

#include "harness.hpp"
#include "zipf.hpp"

namespace bench {

inline trawl::collection_options store_options(std::size_t dim) {
    return {.fields = {{"part", trawl::integer_field}},
        .vectors = {{.dim = dim}},
        .positions = false,
        .chunks = std::nullopt};
}

inline std::vector<float> store_vector(trawl::detail::random& random, std::size_t dim) {
    std::vector<float> made(dim);
    for (auto& value : made) value = static_cast<float>(random.uniform() - 0.5);
    return made;
}

/// Documents [first, last): some ten words, a vector, a part from 0 to 9.
inline std::vector<trawl::document> store_documents(
    zipf_collection const& words, std::size_t first, std::size_t last, std::size_t dim) {
    std::vector<trawl::document> made;
    made.reserve(last - first);
    trawl::detail::random random(first + 1);
    for (auto i = first; i < last; ++i) {
        trawl::document each{.key = "doc" + std::to_string(i)};
        auto const& from = words.documents[i % words.documents.size()];
        for (std::size_t w = 0; w < 10 && w < from.size(); ++w)
            each.text += words.words[from[w]] + " ";
        each.metadata.set("part", static_cast<int>(i % 10));
        each.vector = store_vector(random, dim);
        made.push_back(std::move(each));
    }
    return made;
}

/// The rows of ./dev bench collection on storing and searching. Bounds are the targets.
inline void store(report& out) {
    namespace fs = std::filesystem;
    constexpr std::size_t dim = 384;
    std::size_t const count = out.quick() ? 10'000 : 1'000'000;
    auto const size = std::string(out.quick() ? "10k" : "1M") + " x 384: ";
    std::string const path = "bench_collection.tmp";
    fs::remove_all(path);
    auto const words = make_zipf(20'000, 100'000, 64, 1);
    {
        auto notes = trawl::collection::open(path, store_options(dim));
        double loading = 0;
        constexpr std::size_t together = 50'000;
        for (std::size_t first = 0; first < count; first += together) {
            auto given = store_documents(words, first, (std::min)(first + together, count), dim);
            loading += cpu_seconds([&] { notes.put_all(std::move(given)); });
        }
        loading += cpu_seconds([&] { notes.commit(); });
        out.compare(size + "loading, documents a second of a core",
            {static_cast<double>(count) / loading}, "bound", {50'000},
            {.unit = "docs/s", .wanted = better::higher, .target = 1});
    }
    std::uintmax_t bytes = 0;
    for (auto const& file : fs::directory_iterator(path)) bytes += fs::file_size(file.path());
    out.limit(size + "on disk", {static_cast<double>(bytes) / 1e6}, "MB");

    samples opening;
    for (std::size_t round = 0; round < out.rounds(); ++round) {
        opening.push_back(1e3 * seconds([&] {
            auto const notes = trawl::collection::open(path, store_options(dim));
        }));
    }
    out.bound(size + "opening", opening, 50, "ms");

    auto notes = trawl::collection::open(path, store_options(dim));
    auto changed = store_documents(words, 0, 40, dim);
    samples committing;
    for (auto& each : changed) {
        committing.push_back(1e3 * seconds([&] {
            notes.put(std::move(each));
            notes.commit();
        }));
    }
    out.bound(size + "replacing one document, and commit", committing, 20, "ms");

    trawl::detail::random random(7);
    samples asking;
    samples filtered_words;
    for (auto const& question : words.questions) {
        std::string text;
        for (auto const word : question) text += words.words[word] + " ";
        auto const vector = store_vector(random, dim);
        asking.push_back(1e3 * cpu_seconds([&] {
            static_cast<void>(
                notes.search(text, {.where = trawl::field("part") == 3, .vector = vector}));
        }));
        filtered_words.push_back(1e3 * cpu_seconds([&] {
            static_cast<void>(notes.search(text, {.where = trawl::field("part") == 3}));
        }));
    }
    out.bound(size + "hybrid query, a filter of 10 %, exact", asking, 12, "ms");
    out.limit(size + "its words alone", filtered_words, "ms");
    fs::remove_all(path);
}

} // namespace bench
