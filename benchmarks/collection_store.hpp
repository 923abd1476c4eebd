// SPDX-License-Identifier: MIT
#pragma once

/// Collections of short documents with vectors: loading, opening, changing, asking.

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <malloc.h>

#include <trawl/collection/collection.hpp>

#include "collection_data.hpp"
#include "harness.hpp"

namespace bench {

inline trawl::collection_search_options asked_of(
    collection_data const& data, std::size_t i, bool vector, bool filtered) {
    trawl::collection_search_options made;
    if (filtered) made.where = trawl::field("part") == collection_data::asked_part;
    if (vector) made.vector = data.question_vector(i);
    return made;
}

/// Loads `count` documents into a new collection in one commit, as thread CPU seconds.
inline double load(collection_data const& data, std::size_t count, std::string const& path) {
    std::filesystem::remove_all(path);
    auto notes = trawl::collection::open(path, collection_data::options());
    double loading = 0;
    constexpr std::size_t together = 50'000;
    for (std::size_t first = 0; first < count; first += together) {
        auto given = data.documents(first, (std::min)(first + together, count));
        loading += cpu_seconds([&] { notes.put_all(std::move(given)); });
    }
    return loading + cpu_seconds([&] { notes.commit(); });
}

/// The share of the ten best that the codes find, with this filter or without, alone or beside words.
inline double recall_at_10(
    trawl::collection const& notes, collection_data const& data, bool words, bool filtered) {
    std::size_t found = 0;
    std::size_t best = 0;
    for (std::size_t i = 0; i < collection_data::asked; ++i) {
        auto const text = words ? data.question(i) : std::string();
        auto asked = asked_of(data, i, true, filtered);
        auto const by_codes = notes.search(text, asked);
        asked.exact = true;
        for (auto const& hit : notes.search(text, asked)) {
            ++best;
            found += std::any_of(by_codes.begin(), by_codes.end(),
                         [&](auto const& other) { return other.id == hit.id; })
                         ? 1u
                         : 0u;
        }
    }
    return static_cast<double>(found) / static_cast<double>(best);
}

/// The rows of ./dev bench collection on `count` documents: 10,000, 100,000 and a million give
/// docs/scaling.md. Bounds are the targets for a million.
inline void store(report& out, collection_data const& data, std::size_t count, char const* name) {
    namespace fs = std::filesystem;
    auto const size = std::string(name) + " x 384: ";
    std::string const path = "bench_collection.tmp";
    bool const million = count >= 1'000'000;
    auto const bound = [&](std::string const& work, samples const& ours, double most) {
        if (million) {
            out.bound(size + work, ours, most, "ms");
        } else {
            out.limit(size + work, ours, "ms");
        }
    };

    malloc_trim(0);
    forget_peak_memory();
    auto const before = memory_mb("VmRSS");
    auto const loading = load(data, count, path);
    samples const per_second{static_cast<double>(count) / loading};
    out.compare(size + "loading, documents a second of a core", per_second, "bound", {50'000},
        {.unit = "docs/s", .wanted = better::higher, .target = 1});
    out.limit(size + "peak memory of loading", {memory_mb("VmHWM") - before}, "MB");
    out.limit(size + "on disk", {megabytes_in(path)}, "MB");

    samples opening;
    samples opening_wall;
    for (std::size_t round = 0; round < out.rounds(); ++round) {
        opening_wall.push_back(1e3 * seconds([&] {
            opening.push_back(1e3 * cpu_seconds([&] {
                auto const notes = trawl::collection::open(path, collection_data::options());
            }));
        }));
    }
    bound("opening", opening, 50);
    out.limit(size + "opening, wall", opening_wall, "ms");

    malloc_trim(0);
    auto const closed = memory_mb("VmRSS");
    auto const closed_anonymous = memory_mb("RssAnon");
    {
        auto const notes = trawl::collection::open(path, collection_data::options());
        out.limit(size + "memory, opened", {memory_mb("VmRSS") - closed}, "MB");
        for (std::size_t i = 0; i < collection_data::asked; ++i)
            static_cast<void>(notes.search(data.question(i), asked_of(data, i, true, i % 2 == 0)));
        out.limit(size + "memory after 64 hybrid queries", {memory_mb("VmRSS") - closed}, "MB");
        out.limit(
            size + "of which not mapped files", {memory_mb("RssAnon") - closed_anonymous}, "MB");

        struct work {
            char const* name;
            double most; ///< milliseconds; 0: no target
            std::function<void(std::size_t)> ask;
        };
        auto const plain = [&](bool words, bool vector, bool filtered, bool exact) {
            return [&, words, vector, filtered, exact](std::size_t i) {
                auto asked = asked_of(data, i, vector, filtered);
                asked.exact = exact;
                static_cast<void>(notes.search(words ? data.question(i) : std::string(), asked));
            };
        };
        auto const frequent = [&](auto change) {
            return [&, change](std::size_t i) {
                trawl::collection_search_options asked;
                change(asked);
                static_cast<void>(notes.search(
                    collection_data::word(i % 8) + " " + collection_data::word(8 + i % 8), asked));
            };
        };
        std::vector<work> const works = {
            {"hybrid query, a filter of 10 %", 12, plain(true, true, true, false)},
            {"hybrid query, a filter of 10 %, exact", 0, plain(true, true, true, true)},
            {"hybrid query", 0, plain(true, true, false, false)},
            {"vector query, a filter of 10 %", 0, plain(false, true, true, false)},
            {"vector query", 0, plain(false, true, false, false)},
            {"vector query, exact", 0, plain(false, true, false, true)},
            {"words, a filter of 10 %", 0, plain(true, false, true, false)},
            {"words", 0, plain(true, false, false, false)},
            {"two frequent words", 0, frequent([](auto&) {})},
            {"two frequent words, count", 0, frequent([](auto& asked) { asked.count = true; })},
            {"two frequent words, facets", 0,
                frequent([](auto& asked) { asked.facets = {"part"}; })},
            {"two frequent words, sorted", 0, frequent([](auto& asked) {
                 asked.sort = trawl::field_order{"part", true};
             })},
        };
        std::vector<std::function<double()>> timed;
        for (auto const& each : works) {
            timed.push_back([&] {
                return 1e3 / collection_data::asked * cpu_seconds([&] {
                    for (std::size_t i = 0; i < collection_data::asked; ++i) each.ask(i);
                });
            });
        }
        auto const times = interleave_values(million ? 3 : out.rounds(), timed);
        for (std::size_t i = 0; i < works.size(); ++i) {
            if (works[i].most > 0) {
                bound(works[i].name, times[i], works[i].most);
            } else {
                out.limit(size + works[i].name, times[i], "ms");
            }
        }
        auto const recall = [&](char const* of, bool words, bool filtered) {
            out.compare(size + of + ", recall@10", {recall_at_10(notes, data, words, filtered)},
                "bound", {0.98}, {.unit = "share", .wanted = better::higher, .target = 1});
        };
        recall("hybrid query, a filter of 10 %", true, true);
        recall("vector query, a filter of 10 %", false, true);
        recall("vector query", false, false);
    }

    auto notes = trawl::collection::open(path, collection_data::options());
    samples committing;
    samples committing_wall;
    for (auto& each : data.documents(0, 40)) {
        committing_wall.push_back(1e3 * seconds([&] {
            committing.push_back(1e3 * cpu_seconds([&] {
                notes.put(std::move(each));
                notes.commit();
            }));
        }));
    }
    bound("replacing one document, and commit", committing_wall, 20);
    out.limit(size + "the same, processor time", committing, "ms");
    fs::remove_all(path);
}

} // namespace bench
