// SPDX-License-Identifier: MIT
// Fusing two arms of 1000 hits and picking 100 of 1000 by MMR, CPU time of one question; beside
// ranx, an incremental numpy version and LangChain, where Python has them, and rankops, where cargo
// is.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <trawl/detail/random.hpp>
#include <trawl/fusion/rrf.hpp>
#include <trawl/fusion/weighted_sum.hpp>
#include <trawl/rerank/mmr.hpp>

#include "coprocess.hpp"
#include "harness.hpp"

namespace {

using trawl::ranking;

constexpr std::size_t hits = 1000;
constexpr std::size_t dim = 384;

/// Two arms of one question: 1000 hits each, 300 documents in both, scores as they come, a few
/// equal.
std::vector<ranking> arms_of(trawl::detail::random& random) {
    std::vector<trawl::doc_id> ids(2 * hits - 300);
    for (std::size_t i = 0; i < ids.size(); ++i)
        ids[i] = static_cast<trawl::doc_id>(random.below(40) + 40 * i);
    random.shuffle(std::span(ids));
    std::vector<ranking> arms(2);
    for (std::size_t a = 0; a < 2; ++a) {
        for (std::size_t i = 0; i < hits; ++i) {
            arms[a].push_back(
                {ids[i + a * (hits - 300)], static_cast<float>(random.below(100000)) / 1024});
        }
        random.shuffle(std::span(arms[a]));
        std::sort(arms[a].begin(), arms[a].end(), trawl::by_rank{});
    }
    return arms;
}

/// Measures ours in turn with a peer's.
class measurements {
public:
    measurements(bench::report& report, std::filesystem::path const& folder) : report_(report) {
        char const* const python = std::getenv("BENCH_PYTHON");
        python_ = std::make_unique<bench::coprocess>(
            std::vector<std::string>{python == nullptr ? "python3" : python,
                BENCH_SOURCE "/fusion_peers.py", folder.string()});
        if (char const* const program = std::getenv("BENCH_RANKOPS")) {
            rankops_ = std::make_unique<bench::coprocess>(
                std::vector<std::string>{program, folder.string()});
        }
    }

    void compare(std::string const& work, std::string const& peer, std::string const& their_work,
        std::function<double()> const& ours, double target) {
        auto* const program = peer == "rankops" ? rankops_.get() : python_.get();
        if (program == nullptr) return report_.note(work + ": no " + peer);
        auto const first = program->ask(peer + " " + their_work); // compiles, loads
        if (first.empty() || first[0] == '-') {
            report_.note(work + ": no " + peer + ": " + first);
            return;
        }
        auto const seconds = bench::interleave_values(report_.rounds(),
            {ours, [&] {
                 return std::strtod(program->ask(peer + " " + their_work).c_str(), nullptr);
             }});
        report_.compare(work, seconds[0], peer, seconds[1], {.target = target});
    }

private:
    bench::report& report_;
    std::unique_ptr<bench::coprocess> python_;
    std::unique_ptr<bench::coprocess> rankops_; // null: not built
};

} // namespace

int main(int argc, char** argv) {
    bench::report report("fusion", bench::parse(argc, argv));
    trawl::detail::random random(1);
    auto const folder =
        std::filesystem::temp_directory_path() / ("trawl_bench_fusion_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);

    std::vector<std::vector<ranking>> questions(report.quick() ? 20 : 200);
    {
        std::ofstream files[] = {std::ofstream(folder / "arm0"), std::ofstream(folder / "arm1")};
        for (std::size_t q = 0; q < questions.size(); ++q) {
            questions[q] = arms_of(random);
            for (std::size_t a = 0; a < 2; ++a)
                for (auto const& h : questions[q][a])
                    files[a] << 'q' << q << " d" << h.id << ' ' << h.score << '\n';
        }
    }
    std::vector<float> query;
    std::vector<float> vectors;
    ranking candidates;
    for (std::size_t i = 0; i < dim; ++i) query.push_back(static_cast<float>(random.normal()));
    for (std::size_t i = 0; i < hits * dim; ++i)
        vectors.push_back(static_cast<float>(random.normal()) + query[i % dim] / 2);
    for (trawl::doc_id id = 0; id < hits; ++id) candidates.push_back({id, 0});
    {
        std::ofstream file(folder / "vectors", std::ios::binary);
        auto const write = [&](std::vector<float> const& values) {
            file.write(reinterpret_cast<char const*>(values.data()),
                static_cast<std::streamsize>(values.size() * sizeof(float)));
        };
        write(query);
        write(vectors);
    }

    std::size_t kept = 0; // so that nothing is optimised away
    auto const per_question = [&](auto const& rule) {
        return [&questions, &kept, rule] {
            return bench::cpu_seconds([&] {
                for (auto const& arms : questions) kept += rule(arms).size();
            }) / static_cast<double>(questions.size());
        };
    };
    auto const rrf = per_question(trawl::rrf{});
    auto const min_max = per_question(trawl::weighted_sum{.weights = {0.5, 0.5}});
    trawl::matrix_view<float const> const rows{vectors.data(), hits, dim};
    auto const mmr = [&] {
        return bench::cpu_seconds(
            [&] { kept += trawl::mmr{}({.vector = query}, candidates, rows, 100).size(); });
    };

    auto const micros = [&](auto const& work) {
        auto values = bench::interleave_values(report.rounds(), {work})[0];
        for (double& v : values) v *= 1e6;
        return values;
    };
    report.bound("rrf, 2 x 1000", micros(rrf), 25, "us");
    report.bound("weighted_sum, min-max, 2 x 1000", micros(min_max), 25, "us");
    measurements peers(report, folder);
    peers.compare("rrf, 2 x 1000", "ranx", "rrf", rrf, 50);
    peers.compare("weighted_sum, min-max, 2 x 1000", "ranx", "wsum", min_max, 50);
    peers.compare("rrf, 2 x 1000", "rankops", "rrf", rrf, 3);
    peers.compare("weighted_sum, min-max, 2 x 1000", "rankops", "weighted", min_max, 3);
    peers.compare("mmr, n 1000, k 100, d 384", "numpy", "mmr", mmr, 2);
    peers.compare("mmr, n 1000, k 100, d 384", "langchain-core", "mmr", mmr, 100);
    std::filesystem::remove_all(folder);
    return kept == 0 ? 1 : report.finish();
}
