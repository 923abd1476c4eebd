// SPDX-License-Identifier: MIT
#pragma once

/// The collection beside Chroma, LanceDB and SQLite, in turn, on the same 100,000 documents.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <trawl/collection/collection.hpp>

#include "collection_data.hpp"
#include "collection_store.hpp"
#include "coprocess.hpp"
#include "harness.hpp"

namespace bench {

inline void write_for_peers(trawl::collection const& notes, collection_data const& data,
    std::size_t count, std::filesystem::path const& folder) {
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "shape") << count << ' ' << collection_data::dim << '\n';
    std::ofstream texts(folder / "texts");
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i) {
        texts << data.text(i) << '\n';
        auto const vector = data.vector(i);
        values.insert(values.end(), vector.begin(), vector.end());
    }
    write_values(folder / "vectors", std::span<float const>(values));
    values.clear();
    std::ofstream questions(folder / "questions");
    std::vector<std::uint32_t> best;
    for (std::size_t i = 0; i < collection_data::asked; ++i) {
        questions << data.question(i) << '\n';
        auto const vector = data.question_vector(i);
        values.insert(values.end(), vector.begin(), vector.end());
        auto asked = asked_of(data, i, true, true);
        asked.exact = true;
        for (auto const& hit : notes.search("", asked)) best.push_back(hit.id);
    }
    write_values(folder / "queries", std::span<float const>(values));
    write_values(folder / "best", std::span<std::uint32_t const>(best));
}

/// Ours and each peer's answer to the same questions, in turn; BENCH_PYTHON names the Python that has
/// them. The texts of the rows say what of ours is compared: a vector query, or a hybrid one.
inline void others(report& out, collection_data const& data) {
    namespace fs = std::filesystem;
    auto const* const python = std::getenv("BENCH_PYTHON");
    if (python == nullptr) return out.note("no peers: BENCH_PYTHON is not set");
    constexpr std::size_t count = 100'000;
    std::string const path = "bench_collection.tmp";
    std::string const folder = "bench_collection_peers.tmp";
    fs::remove_all(folder);
    auto const loading = load(data, count, path);
    {
        auto const notes = trawl::collection::open(path, collection_data::options());
        write_for_peers(notes, data, count, folder);
        coprocess peers({python, "benchmarks/collection_peers.py", folder});
        auto const about = peers.ask("about");
        if (about.empty() || about[0] == '-')
            return out.note("no peers: " + (about.empty() ? std::string("no answer") : about));
        out.note(about);
        auto const ours = [&](bool words) {
            return 1e3 / collection_data::asked * cpu_seconds([&] {
                for (std::size_t i = 0; i < collection_data::asked; ++i) {
                    static_cast<void>(notes.search(
                        words ? data.question(i) : std::string(), asked_of(data, i, true, true)));
                }
            });
        };
        struct peer {
            char const* id;
            char const* name;
            bool hybrid;
            double target; ///< 0: none
        };
        for (auto const& [id, name, hybrid, target] :
            {peer{"sqlite", "FTS5 + sqlite-vec, RRF", true, 0},
                peer{"lance", "LanceDB, hybrid, exact", true, 20},
                peer{"lance_pq", "LanceDB, hybrid, IVF_PQ", true, 20},
                peer{"chroma", "Chroma, vector query", false, 20}}) {
            auto const loaded = peers.ask(std::string("load ") + id);
            if (loaded.empty() || loaded[0] == '-') {
                out.note(std::string(name) + ": " + loaded);
                continue;
            }
            char* rest = nullptr;
            auto const took = std::strtod(loaded.c_str(), &rest);
            auto const disk = std::strtod(rest, nullptr);
            out.compare("100k: loading", {count / loading}, name, {count / took},
                {.unit = "docs/s", .wanted = better::higher});
            out.compare("100k: on disk", {megabytes_in(path)}, name, {disk}, {.unit = "MB"});
            auto const question = std::string("ask ") + id;
            auto const times = interleave_values(out.rounds(),
                {[&, h = hybrid] { return ours(h); },
                    [&] { return 1e3 * std::strtod(peers.ask(question).c_str(), nullptr); }});
            auto const* const work = hybrid ? "100k: hybrid query, a filter of 10 %"
                                            : "100k: vector query, a filter of 10 %";
            comparison how{.unit = "ms"};
            if (target > 0) how.target = target;
            out.compare(work, times[0], name, times[1], how);
            auto const recall =
                std::strtod(peers.ask(std::string("recall ") + id).c_str(), nullptr);
            out.compare("100k: its vectors, recall@10", {recall_at_10(notes, data, false, true)},
                name, {recall}, {.unit = "share", .wanted = better::higher});
        }
    }
    fs::remove_all(folder);
    fs::remove_all(path);
}

} // namespace bench
