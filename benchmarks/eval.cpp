// SPDX-License-Identifier: MIT

/// Evaluation: 10 runs of 250 questions with 1000 hits each by 12 measures, beside ranx (compiled
/// and warm) and pytrec_eval-terrier; reading runs; randomisation tests. CPU seconds, one thread.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <unistd.h>

#include <trawl/detail/number_text.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/bootstrap.hpp>
#include <trawl/eval/evaluate.hpp>
#include <trawl/eval/significance.hpp>
#include <trawl/formats/trec.hpp>
#include <trawl/storage/file.hpp>

#include "coprocess.hpp"
#include "harness.hpp"

namespace {

constexpr auto measures = "map,mrr,P.5,10,recall.10,100,ndcg.5,10,ndcg,Rprec,hit@10,map@100";

struct questions {
    std::size_t count;
    std::size_t hits;
};

std::string run_text(questions q, std::uint64_t seed) {
    trawl::detail::random random(seed);
    std::string out;
    std::vector<std::uint32_t> documents(100'000);
    for (std::uint32_t i = 0; i < documents.size(); ++i) documents[i] = i;
    for (std::size_t i = 0; i < q.count; ++i) {
        double score = 30;
        for (std::size_t h = 0; h < q.hits; ++h) {
            std::swap(documents[h], documents[h + random.below(documents.size() - h)]);
            score -= random.uniform() / 40;
            out += trawl::detail::join(i + 1, " Q0 doc", documents[h], " ", h + 1, " ",
                trawl::detail::fixed_text(score, 6), " bm25\n");
        }
    }
    return out;
}

// 50 judged documents a question, a fifth of them among the first 100 of the run.
std::string qrels_text(trawl::run const& found) {
    trawl::detail::random random(7);
    std::string out;
    for (std::size_t q = 0; q < found.size(); ++q) {
        std::vector<bool> judged(100'000);
        for (int j = 0; j < 50; ++j) {
            auto const hits = found.entries(q);
            auto const key = j % 5 == 0 ? found.documents().key(
                                 hits[random.below((std::min)(hits.size(), std::size_t{100}))].id)
                                        : std::string_view{};
            auto const number = key.empty()
                                    ? random.below(judged.size())
                                    : *trawl::detail::parse_integer<std::uint32_t>(key.substr(3));
            if (judged[number]) continue;
            judged[number] = true;
            out +=
                trawl::detail::join(found.query(q), " 0 doc", number, " ", random.below(3), "\n");
        }
    }
    return out;
}

} // namespace

int main(int argc, char** argv) {
    bench::report report("eval", bench::parse(argc, argv));
    questions const size{report.quick() ? 25u : 250u, report.quick() ? 100u : 1000u};
    std::size_t const runs = report.quick() ? 2 : 10;
    auto const folder =
        std::filesystem::temp_directory_path() / ("trawl_bench_eval_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);

    std::vector<trawl::run> found;
    std::string text;
    for (std::size_t i = 0; i < runs; ++i) {
        text = run_text(size, i + 1);
        trawl::write_file((folder / ("run" + std::to_string(i))).string(), text);
        found.push_back(trawl::parse_run(text, "run"));
    }
    auto const judgements = qrels_text(found[0]);
    trawl::write_file((folder / "qrels").string(), judgements);
    auto const judged = trawl::parse_qrels(judgements, "qrels");

    std::unique_ptr<bench::coprocess> peers;
    std::vector<std::string> names;
    if (char const* const python = std::getenv("BENCH_PYTHON")) {
        peers = std::make_unique<bench::coprocess>(std::vector<std::string>{
            python, BENCH_SOURCE "/eval_peers.py", folder.string(), std::to_string(runs)});
        for (std::string const name : {"ranx", "pytrec_eval"}) {
            auto const answer = peers->ask(name);
            if (answer.empty() || answer.front() == '-') {
                report.note("no " + name + ": " + answer);
            } else {
                names.push_back(name);
            }
        }
    } else {
        report.note("BENCH_PYTHON names no Python: without ranx and pytrec_eval");
    }
    auto const by = trawl::measures_named(measures);
    std::vector<std::function<double()>> works{[&] {
        return bench::cpu_seconds([&] {
            for (auto const& run : found) static_cast<void>(trawl::evaluate(run, judged, by));
        });
    }};
    for (auto const& name : names) works.push_back([&] { return std::stod(peers->ask(name)); });
    auto const times = bench::interleave_values(report.rounds(), works);
    auto const work = std::to_string(runs) + " runs of " + std::to_string(size.count) + " x "
                      + std::to_string(size.hits) + ", 12 measures";
    for (std::size_t i = 0; i < names.size(); ++i) {
        report.compare(
            work, times[0], names[i], times[i + 1], {.target = names[i] == "ranx" ? 5 : 20});
    }
    if (names.empty()) report.limit(work, times[0], "s");
    peers.reset();
    std::filesystem::remove_all(folder);

    auto const reading = bench::interleave_values(report.rounds(), {[&] {
        return bench::cpu_seconds([&] { static_cast<void>(trawl::parse_run(text, "run")); });
    }});
    report.compare("reading a run", bench::rate(reading[0], static_cast<double>(text.size()) / 1e6),
        "bound", {500}, {.unit = "MB/s", .wanted = bench::better::higher, .target = 1});

    trawl::detail::random random(3);
    std::vector<double> a(250);
    std::vector<double> b(250);
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = random.uniform();
        b[i] = a[i] + random.normal() / 10;
    }
    auto const statistics = bench::interleave_values(report.rounds(),
        {[&] {
             return bench::cpu_seconds([&] { static_cast<void>(trawl::randomisation_test(a, b)); });
         },
            [&] {
                return bench::cpu_seconds(
                    [&] { static_cast<void>(trawl::bootstrap_difference(a, b)); });
            }});
    report.bound("100,000 randomisations, 250 questions", statistics[0], 1, "s");
    report.bound("10,000 resamples, 250 questions", statistics[1], 1, "s");
    return report.finish();
}
