// SPDX-License-Identifier: MIT
// Vectors in memory: one query, batches, k, filters, codes, inverted lists. Beside the machine's limits, and
// beside FAISS, USearch, hnswlib, numpy and Eigen where dense.sh found them. On one thread, in the
// processor's seconds.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <trawl/core/thread_executor.hpp>
#include <trawl/dense/flat_index.hpp>
#include <trawl/dense/inverted_file_index.hpp>
#include <trawl/dense/quantised_index.hpp>

#include "coprocess.hpp"
#include "dense_data.hpp"
#include "harness.hpp"
#include "machine.hpp"

namespace {

/// One of those who do the same work; `run` gives seconds.
struct contestant {
    std::string name;
    std::function<double()> run;
    std::optional<double> target = {};
};

/// The programs that are measured beside ours.
class others {
public:
    explicit others(bench::vector_collection const& data, trawl::flat_index const& exact)
        : folder_(
            std::filesystem::temp_directory_path() / ("trawl_bench_dense_" + std::to_string(getpid()))) {
        std::filesystem::create_directories(folder_);
        bench::write_values<float>(folder_ / "vectors", data.values);
        bench::write_values<float>(
            folder_ / "queries", std::span(data.queries.values).first(data.queries.rows * data.dim));
        std::vector<trawl::doc_id> best;
        for (auto const& hits : exact.search(data.first_queries(data.queries.rows), {.k = 10})) {
            for (auto const& h : hits) best.push_back(h.id);
        }
        bench::write_values<trawl::doc_id>(folder_ / "best", best);
        std::ofstream(folder_ / "shape") << data.rows << ' ' << data.dim << '\n';
        if (char const* const python = std::getenv("BENCH_PYTHON")) {
            python_ = std::make_unique<bench::coprocess>(
                std::vector<std::string>{"env", "-u", "OPENBLAS_CORETYPE", "-u", "OPENBLAS_L2_SIZE",
                    "OMP_WAIT_POLICY=passive", python, BENCH_SOURCE "/dense_peers.py", folder_.string()});
        }
        if (char const* const eigen = std::getenv("BENCH_EIGEN"))
            eigen_ = std::make_unique<bench::coprocess>(std::vector<std::string>{eigen, folder_.string()});
    }
    ~others() {
        python_.reset();
        eigen_.reset();
        std::filesystem::remove_all(folder_);
    }
    others(others const&) = delete;
    others& operator=(others const&) = delete;

    /// What Python answers; empty, after a note, where it cannot.
    [[nodiscard]] std::string ask(bench::report const& report, std::string const& line) {
        if (python_ == nullptr) return {};
        auto answer = python_->ask(line);
        if (!answer.empty() && answer.front() != '-') return answer;
        report.note(line + ": " + (answer.empty() ? "ended" : answer));
        return {};
    }

    /// Gives back the memory of peers that are not asked again.
    void drop(std::initializer_list<char const*> names) {
        if (python_ == nullptr) return;
        for (std::string const name : names) static_cast<void>(python_->ask("drop " + name));
    }

    /// Adds those that can do it: `batch` queries in one call.
    void add(std::vector<contestant>& to, bench::report const& report, std::vector<std::string> const& names,
        std::size_t k, std::size_t batch, std::optional<double> target, std::size_t threads = 1) {
        for (auto const& name : names) {
            auto const line = "search " + name + ' ' + std::to_string(k) + ' ' + std::to_string(batch) + ' '
                              + std::to_string(threads);
            if (name == "eigen") {
                if (eigen_ == nullptr) continue;
                to.push_back({name,
                    [this, asked = std::to_string(k) + ' ' + std::to_string(batch)] {
                        return std::stod(eigen_->ask(asked));
                    },
                    target});
            } else if (!ask(report, line).empty()) {
                to.push_back({name, [this, line] { return std::stod(python_->ask(line)); }, target});
            }
        }
    }

private:
    std::filesystem::path folder_;
    std::unique_ptr<bench::coprocess> python_;
    std::unique_ptr<bench::coprocess> eigen_;
};

class comparison {
public:
    comparison(bench::report& report, bench::vector_collection const& data)
        : report_(report),
          data_(data),
          flat_(trawl::flat_index::over(data.view())),
          others_(data, flat_),
          widest_(bench::machine::levels().back()) {
        report_.note(std::to_string(data.rows) + " x " + std::to_string(data.dim) + ", " + data.made);
        auto const about = others_.ask(report_, "about");
        if (!about.empty()) report_.note(about);
    }

    void limits() {
        std::vector<float> memory(data_.values.size() / 512 * 512, 1.0f);
        double best = 0;
        for (std::size_t const streams : {1u, 4u}) {
            auto const speed = bench::machine::bandwidth(widest_, memory, streams, 1, rounds());
            report_.limit("read memory, 1 core, " + std::to_string(streams) + " streams", speed, "GB/s");
            if (bench::median(speed) > best) {
                best = bench::median(speed);
                streams_ = streams;
            }
        }
        report_.limit(
            "read memory, all cores", bench::machine::bandwidth_of_all(widest_, memory, 4, rounds()), "GB/s");
        report_.limit("multiply-add, 1 core, " + widest_.name,
            bench::machine::multiply_adds(widest_, report_.quick() ? 3'000'000 : 20'000'000, rounds()),
            "GFLOP/s");
    }

    void one_query() {
        std::vector<contestant> all{mine([&](auto q) { return flat_.search(q, 10); }), reading(1, 0.9)};
        others_.add(all, report_, {"numpy", "faiss", "hnswlib_flat", "eigen"}, 10, 1, 1.0);
        others_.add(all, report_, {"usearch_f32"}, 10, 1, 1.2);
        run("one query, float", all);
        halves<trawl::bfloat16_index>("one query, bfloat16", "usearch_bf16");
        halves<trawl::float16_index>("one query, float16", "usearch_f16");
        trawl::int8_index bytes(data_.dim);
        bytes.add(data_.view());
        report_.note("int8: recall@10 " + text(bytes.recall(data_.first_queries(64), 10)));
        all = {mine([&](auto q) { return bytes.search(q, 10); }), reading(4, 0.85)};
        others_.add(all, report_, {"usearch_i8"}, 10, 1, 1.5);
        run("one query, int8 + 100 rescored", all);
        others_.drop({"hnswlib_flat", "usearch_f32", "usearch_f16", "usearch_bf16", "usearch_i8"});
    }

    void batches() {
        for (std::size_t const batch : {2u, 4u, 16u, 64u, 256u}) {
            bool const large = batch > 16;
            std::vector<contestant> all{batch_of(batch, 10)};
            auto const multiplications = 2.0 * static_cast<double>(data_.rows * data_.dim * batch);
            if (large) {
                // An eighth of the multiplications, so that it does not take as long as everything else.
                auto const count =
                    static_cast<std::size_t>(multiplications / 24 / 8 / static_cast<double>(widest_.lanes));
                all.push_back({"multiply-add limit",
                    [this, count] { return 8 * bench::cpu_seconds([&] { widest_.multiply(count); }); },
                    batch == 256 ? std::optional(0.75) : std::nullopt});
            } else {
                all.push_back(reading(1, std::nullopt));
                others_.add(all, report_, {"faiss"}, 10, batch, 2.0);
            }
            others_.add(all, report_, {"faiss_blas", "numpy", "eigen"}, 10, batch, large ? 1.05 : 2.0);
            run("batch of " + std::to_string(batch), all, large ? heavy_rounds() : rounds());
        }
    }

    void selection() {
        auto const values = bench::interleave_values(
            heavy_rounds(), {batch_of(64, 10).run, batch_of(64, 100).run, batch_of(64, 1000).run});
        bound("batch of 64, k 100 against k 10", values[1], values[0], 1.08, "times");
        bound("batch of 64, k 1000 against k 10", values[2], values[0], 1.5, "times");
        auto const one = [&](std::size_t k) {
            return mine([this, k](auto q) { return flat_.search(q, k); }).run;
        };
        auto const single = bench::interleave_values(rounds(), {one(10), one(100), one(1000)});
        bound("one query, k 100 against k 10", single[1], single[0], 1.08, "times");
        bound("one query, k 1000 against k 10", single[2], single[0], 1.5, "times");
    }

    void filters() {
        trawl::detail::random random(3);
        trawl::doc_set hundredth(data_.rows);
        trawl::doc_set tenth(data_.rows);
        for (trawl::doc_id id = 0; id < data_.rows; ++id) {
            if (random.below(100) == 0) hundredth.insert(id);
            if (random.below(10) == 0) tenth.insert(id);
        }
        auto const values = bench::interleave_values(
            rounds(), {mine([&](auto q) { return flat_.search(q, 10); }).run,
                          mine([&](auto q) { return flat_.search(q, 10, hundredth); }).run,
                          mine([&](auto q) { return flat_.search(q, 10, tenth); }).run});
        bound("filter of 1 %, share of the whole time", values[1], values[0], 0.05, "times");
        bound("filter of 10 %, share of the whole time", values[2], values[0], 0.20, "times");
    }

    void codes() {
        trawl::one_bit_index bits(data_.dim);
        auto const took = bench::cpu_seconds([&] { bits.add(data_.view()); });
        auto const recall = bits.recall(data_.first_queries(data_.queries.rows), 10);
        report_.note("1 bit: built in " + text(took) + " s; recall@10 " + text(recall));
        report_.bound("1 bit + 400 rescored, missed of the best 10", 1 - recall + 1e-9, 0.02, "share");
        for (std::string const peer : {"faiss_sign", "faiss_rabitq"}) {
            auto const found = others_.ask(report_, "recall " + peer);
            if (!found.empty()) report_.note(peer + ": recall@10 " + found);
        }
        std::vector<contestant> all{
            mine([&](auto q) { return bits.search(q, 10); }, 16), flat("our float scan", 12)};
        others_.add(all, report_, {"faiss_sign", "faiss_rabitq"}, 10, 1, 1.5);
        run("one query, 1 bit + 400 rescored", all);
        all = {{"", [&] {
                    return bench::cpu_seconds(
                        [&] { static_cast<void>(bits.search(data_.first_queries(64), {.k = 10})); });
                }}};
        others_.add(all, report_, {"faiss_sign", "faiss_rabitq"}, 10, 64, 1.5);
        run("batch of 64, 1 bit + 400 rescored", all);
    }

    void two_threads() {
        trawl::thread_executor const threads(2);
        std::size_t const batch = report_.quick() ? 64 : 256;
        auto const timed = [&](trawl::executor const* where) {
            return [this, where, batch] {
                return bench::seconds([&] {
                    static_cast<void>(flat_.search(data_.first_queries(batch), {.k = 10, .executor = where}));
                });
            };
        };
        std::vector<contestant> all{{"", timed(&threads)}, {"our one thread", timed(nullptr), 1.8}};
        others_.add(all, report_, {"faiss_blas", "numpy"}, 10, batch, 1.05, 2);
        run("two threads, batch of " + std::to_string(batch), all, heavy_rounds());
    }

    /// At recall@10 of .95: the time of a query, and of building.
    void inverted_lists(std::vector<std::string> const& peers) {
        trawl::inverted_file_index index(data_.dim);
        bench::samples const built{bench::cpu_seconds([&] {
            index.add(data_.view());
            index.train();
        })};
        auto const queries = data_.first_queries(data_.queries.rows);
        auto const exact = flat_.search(queries, {.k = 10});
        // The fastest of the settings that reach it.
        double recall = 0;
        double fastest = 1e9;
        auto best = index.options();
        auto const everything = best.margin;
        auto const reaches = [&](std::size_t candidates, std::size_t probes, double margin) {
            index.candidates(candidates);
            index.probes(probes);
            index.margin(margin);
            std::vector<trawl::ranking> found;
            auto const took = bench::cpu_seconds([&] { found = index.search(queries, {.k = 10}); });
            auto const reached = trawl::detail::recall_of(exact, found);
            if (reached < 0.95) return false;
            if (took < fastest) {
                fastest = took;
                recall = reached;
                best = index.options();
            }
            return true;
        };
        for (std::size_t const candidates : {50u, 100u, 200u, 400u}) {
            for (std::size_t const probes :
                {1u, 2u, 3u, 4u, 6u, 8u, 12u, 16u, 24u, 32u, 48u, 64u, 96u, 128u, 256u}) {
                if (reaches(candidates, probes, everything)) break;
            }
            for (int hundredths = 1; hundredths <= 30; ++hundredths) {
                if (reaches(candidates, 256, hundredths / 100.0)) break;
            }
        }
        static_cast<void>(reaches(best.candidates, best.probes, best.margin));
        report_.note(std::to_string(index.lists()) + " lists, at most " + std::to_string(best.probes)
                     + " probed, "
                     + (best.margin < everything ? "margin " + text(best.margin) + ", " : std::string())
                     + std::to_string(best.candidates) + " rescored: recall@10 " + text(recall));
        std::vector<contestant> all{mine([&](auto q) { return index.search(q, 10); }, queries.rows)};
        for (auto const& peer : peers) {
            auto const took = others_.ask(report_, "build " + peer);
            if (took.empty()) continue;
            report_.compare("build of inverted lists", built, peer, {std::stod(took)},
                {.target = peer == "hnswlib" ? std::optional(5.0) : std::nullopt});
            report_.note(peer + ": setting and recall@10 " + others_.ask(report_, "reach " + peer + " 0.95"));
            all.push_back(
                {peer, [this, peer] { return std::stod(others_.ask(report_, "each " + peer)); }, 1.5});
        }
        run("one query, inverted lists at recall .95", all);
    }

private:
    [[nodiscard]] std::size_t rounds() const { return report_.quick() ? 3 : 7; }
    [[nodiscard]] std::size_t heavy_rounds() const { return 3; }
    static std::string text(double value) { return trawl::detail::join(value); }

    /// One query after the other, `times` at once.
    template <class Search>
    [[nodiscard]] contestant mine(Search search, std::size_t times = 1) {
        return {"", [this, search, times, turn = std::size_t{0}]() mutable {
                    return bench::cpu_seconds([&] {
                        for (std::size_t i = 0; i < times; ++i)
                            static_cast<void>(search(data_.query(turn = (turn + 1) % data_.queries.rows)));
                    }) / static_cast<double>(times);
                }};
    }

    [[nodiscard]] contestant flat(std::string name, std::optional<double> target) {
        auto made = mine([&](auto q) { return flat_.search(q, 10); });
        made.name = std::move(name);
        made.target = target;
        return made;
    }

    [[nodiscard]] contestant batch_of(std::size_t batch, std::size_t k) {
        return {"", [this, batch, k] {
                    return bench::cpu_seconds(
                        [&] { static_cast<void>(flat_.search(data_.first_queries(batch), {.k = k})); });
                }};
    }

    /// Reading a part of the vectors' bytes: what a search of them cannot beat.
    [[nodiscard]] contestant reading(std::size_t part, std::optional<double> target) {
        return {"read limit",
            [this, part] {
                return bench::cpu_seconds([&] {
                    widest_.read(data_.values.data(), data_.values.size() / part / 512 * 512, streams_);
                });
            },
            target};
    }

    template <class Index>
    void halves(std::string const& work, std::string const& peer) {
        Index index(data_.dim);
        index.add(data_.view());
        std::vector<contestant> all{mine([&](auto q) { return index.search(q, 10); }), reading(2, 0.85)};
        others_.add(all, report_, {peer}, 10, 1, 1.5);
        run(work, all);
    }

    void run(std::string const& work, std::vector<contestant> const& all) { run(work, all, rounds()); }
    void run(std::string const& work, std::vector<contestant> const& all, std::size_t times) {
        std::vector<std::function<double()>> works;
        for (auto const& one : all) works.push_back(one.run);
        auto values = bench::interleave_values(times, works);
        for (auto& taken : values)
            taken = bench::rate(std::move(taken), 1), taken = bench::rate(std::move(taken), 1e3);
        for (std::size_t i = 1; i < all.size(); ++i)
            report_.compare(work, values[0], all[i].name, values[i], {.unit = "ms", .target = all[i].target});
    }

    void bound(std::string const& work, bench::samples ours, bench::samples const& whole, double most,
        std::string const& unit) {
        for (std::size_t i = 0; i < ours.size(); ++i) ours[i] /= whole[i];
        report_.bound(work, ours, most, unit);
    }

    bench::report& report_;
    bench::vector_collection const& data_;
    trawl::flat_index flat_;
    others others_;
    bench::machine::level widest_;
    std::size_t streams_ = 1;
};

} // namespace

int main(int argc, char** argv) {
    bench::report report("dense", bench::parse(argc, argv));
    std::string const folder = "../shared/data/scifact";
    {
        auto const data = bench::make_vectors(report.quick() ? 50'000 : 1'000'000, folder);
        comparison compared(report, data);
        compared.limits();
        compared.one_query();
        compared.batches();
        compared.selection();
        compared.filters();
        compared.codes();
        compared.two_threads();
        compared.inverted_lists({"faiss_ivfpq", "faiss_ivfrabitq"});
    }
    auto const data =
        bench::make_vectors(report.quick() ? 10'000 : 100'000, folder); // a graph takes minutes to build
    comparison(report, data).inverted_lists({"hnswlib"});
    return report.finish();
}
