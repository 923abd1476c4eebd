// SPDX-License-Identifier: MIT
// Vectors in memory: one query, batches, k, filters, codes, inverted lists. Beside the machine's
// limits, and beside FAISS, USearch, hnswlib, numpy and Eigen where dense.sh found them. On one
// thread, in the processor's seconds, but for what says two threads.
#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <trawl/core/thread_executor.hpp>
#include <trawl/dense/detail/query_block.hpp>
#include <trawl/dense/detail/recall.hpp>
#include <trawl/dense/flat_index.hpp>
#include <trawl/dense/inverted_file_index.hpp>
#include <trawl/dense/quantised_index.hpp>
#include <trawl/detail/simd/dispatch.hpp>

#include "dense_data.hpp"
#include "dense_others.hpp"
#include "harness.hpp"
#include "machine.hpp"

namespace {

using bench::contestant;

class comparison {
public:
    /// @param about  begins the rows' names.
    comparison(bench::report& report, bench::vector_collection const& data, std::string about = {})
        : report_(report),
          about_(std::move(about)),
          data_(data),
          flat_(trawl::flat_index::over(data.view())),
          others_(data, flat_),
          widest_(bench::machine::levels().back()) {
        report_.note(
            std::to_string(data.rows) + " x " + std::to_string(data.dim) + ", " + data.made);
        auto const versions = others_.ask(report_, "about");
        if (!versions.empty()) report_.note(versions);
    }

    void limits() {
        auto const memory = std::span(data_.values).first(data_.values.size() / 512 * 512);
        double best = 0;
        for (std::size_t const streams : {1u, 4u}) {
            auto const speed = bench::machine::bandwidth(widest_, memory, streams, 1, rounds());
            report_.limit(
                "read memory, 1 core, " + std::to_string(streams) + " streams", speed, "GB/s");
            if (bench::median(speed) > best) {
                best = bench::median(speed);
                streams_ = streams;
            }
        }
        report_.limit("multiply-add, 1 core, " + widest_.name,
            bench::machine::multiply_adds(
                widest_, report_.quick() ? 3'000'000 : 20'000'000, rounds()),
            "GFLOP/s");
    }

    void one_query() {
        one_float_query();
        flags();
        halves<trawl::bfloat16_index>("one query, bfloat16", "usearch_bf16");
        halves<trawl::float16_index>("one query, float16", "usearch_f16");
        trawl::int8_index bytes(data_.dim);
        bytes.add_all(data_.view());
        report_.note("int8: recall@10 " + text(bytes.recall(data_.first_queries(64), 10)));
        std::vector<contestant> all{
            mine([&](auto q) { return bytes.search(q, 10); }), reading(4, 0.85)};
        others_.add(all, report_, {"usearch_i8"}, 10, 1, 1.5);
        run("one query, int8 + 100 rescored", all);
        others_.drop({"hnswlib_flat", "usearch_f32", "usearch_f16", "usearch_bf16", "usearch_i8"});
    }

    void one_float_query() {
        std::vector<contestant> all{
            mine([&](auto q) { return flat_.search(q, 10); }), reading(1, 0.9)};
        others_.add(all, report_, {"numpy", "faiss", "hnswlib_flat"}, 10, 1, 1.0);
        others_.add_program(all, "eigen", "BENCH_EIGEN", 10, 1, 1.0);
        others_.add(all, report_, {"usearch_f32"}, 10, 1, 1.2);
        run("one query, float", all);
    }

    /// The same search in two programs that dense.sh compiles with different flags.
    void flags() {
        for (std::size_t const batch : {1u, 64u}) {
            std::vector<contestant> all;
            others_.add_program(all, "-O2", "BENCH_SCAN_O2", 10, batch, std::nullopt);
            others_.add_program(
                all, "-O3 -march=native", "BENCH_SCAN_NATIVE", 10, batch, std::nullopt);
            if (all.size() < 2) return;
            auto values = bench::interleave_contestants(rounds(), all);
            if (bench::median(values[0]) < bench::median(values[1]))
                std::swap(values[0], values[1]);
            bound((batch == 1 ? "one query" : "batch of 64")
                      + std::string(", slower of -O2 and -O3 native"),
                values[0], values[1], 1.05, "times");
        }
        others_.drop({"-O2", "-O3 -march=native"});
    }

    void batches(std::vector<std::size_t> const& sizes) {
        for (auto const batch : sizes) {
            bool const large = batch > 16;
            std::vector<contestant> all{batch_of(batch, 10)};
            auto const multiplications = 2.0 * static_cast<double>(data_.rows * data_.dim * batch);
            if (large) {
                // An eighth of the multiplications, so that it does not take as long as everything
                // else.
                auto const count = static_cast<std::size_t>(
                    multiplications / 24 / 8 / static_cast<double>(widest_.lanes));
                all.push_back({"multiply-add limit",
                    [this, count] {
                        return 8 * bench::cpu_seconds([&] { widest_.multiply(count); });
                    },
                    batch == 256 ? std::optional(0.75) : std::nullopt});
            } else {
                all.push_back(reading(1, std::nullopt));
                others_.add(all, report_, {"faiss"}, 10, batch, 2.0);
            }
            auto const target = large ? 1.05 : 2.0;
            others_.add(all, report_, {"faiss_blas", "numpy"}, 10, batch, target);
            others_.add_program(all, "eigen", "BENCH_EIGEN", 10, batch, target);
            run("batch of " + std::to_string(batch), all, large ? heavy_rounds() : rounds());
        }
    }

    /// Whether a query takes less time, the more are asked at once; on a part of the data.
    void sizes_of_batches() {
        auto const part =
            trawl::flat_index::over(data_.first_rows((std::min)(data_.rows, std::size_t{100'000})));
        std::vector<std::function<double()>> works;
        std::vector<std::size_t> const sizes{1, 2, 4, 8, 16, 32, 64, 128, 256};
        for (auto const batch : sizes) {
            works.emplace_back([&, batch] {
                return bench::cpu_seconds([&] {
                    static_cast<void>(part.search(data_.first_queries(batch), {.k = 10}));
                }) / static_cast<double>(batch);
            });
        }
        auto const values = bench::interleave_values(rounds(), works);
        double worst = 0;
        std::string text = "ms a query, batches of";
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            if (i > 0)
                worst = (std::max)(worst, bench::median(values[i]) / bench::median(values[i - 1]));
            text += ' ' + std::to_string(sizes[i]) + ": "
                    + rounded_text(1e3 * bench::median(values[i]));
        }
        report_.note(text);
        report_.bound(about_ + "a query in batches of 2n against n, worst", worst, 1.0, "times");
    }

    void selection() {
        auto const values = bench::interleave_values(
            heavy_rounds(), {batch_of(64, 10).run, batch_of(64, 100).run, batch_of(64, 1000).run,
                                [&] { return products(64); }});
        bound("batch of 64, k 10 against products alone", values[0], values[3], 1.03, "times");
        bound("batch of 64, k 100 against products alone", values[1], values[3], 1.08, "times");
        bound("batch of 64, k 1000 against k 10", values[2], values[0], 1.5, "times");
        auto const one = [&](std::size_t k) {
            return mine([this, k](auto q) { return flat_.search(q, k); }).run;
        };
        auto const none = mine([this](auto q) { return flat_.search_above({.vector = q}, 2); }).run;
        auto const single =
            bench::interleave_values(rounds(), {one(10), one(100), one(1000), none});
        bound("one query, k 10 against none kept", single[0], single[3], 1.03, "times");
        bound("one query, k 100 against none kept", single[1], single[3], 1.08, "times");
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
        auto const took = bench::cpu_seconds([&] { bits.add_all(data_.view()); });
        auto const recall = bits.recall(data_.first_queries(data_.queries.rows), 10);
        report_.note("1 bit: built in " + text(took) + " s; recall@10 " + text(recall));
        report_.bound(about_ + "1 bit + 400 rescored, missed of the best 10", 1 - recall + 1e-9,
            0.02, "share");
        for (std::string const peer : {"faiss_sign", "faiss_rabitq"}) {
            auto const found = others_.ask(report_, "recall " + peer);
            if (!found.empty()) report_.note(peer + ": recall@10 " + found);
        }
        std::vector<contestant> all{
            mine([&](auto q) { return bits.search(q, 10); }, 16), flat("our float scan", 12)};
        others_.add(all, report_, {"faiss_sign", "faiss_rabitq"}, 10, 1, 1.5);
        run("one query, 1 bit + 400 rescored", all);
        all = {{"", [&] {
                    return bench::cpu_seconds([&] {
                        static_cast<void>(bits.search(data_.first_queries(64), {.k = 10}));
                    });
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
                    static_cast<void>(
                        flat_.search(data_.first_queries(batch), {.k = 10, .executor = where}));
                });
            };
        };
        // What two threads of this machine get done, in the same minute.
        auto const count =
            static_cast<std::size_t>(2.0 * static_cast<double>(data_.rows * data_.dim * batch) / 24
                                     / 8 / static_cast<double>(widest_.lanes));
        auto const both = [](std::function<void(std::size_t)> const& half) {
            return bench::seconds([&] {
                std::thread other(half, 1);
                half(0);
                other.join();
            });
        };
        auto const half = data_.values.size() / 2 / 512 * 512;
        auto const read = [&](std::size_t part) {
            widest_.read(data_.values.data() + part * half, half, streams_);
        };
        auto const multiply = [&](std::size_t) { widest_.multiply(count / 2); };
        auto values = bench::interleave_values(
            heavy_rounds(), {timed(&threads), timed(nullptr), [&] { return both(multiply); },
                                [&] { return bench::seconds([&] { multiply(0), multiply(1); }); },
                                [&] { return both(read); },
                                [&] { return bench::seconds([&] { read(0), read(1); }); }});
        for (auto& taken : values) taken = bench::scaled(std::move(taken), 1e3);
        auto const row = [&](std::string const& work, std::size_t i, std::optional<double> target) {
            report_.compare("two threads, " + work, values[i], "one thread", values[i + 1],
                {.unit = "ms", .target = target});
        };
        row("batch of " + std::to_string(batch), 0, 1.8);
        row("multiply-add alone", 2, std::nullopt);
        row("reading alone", 4, std::nullopt);
        std::vector<contestant> all{{"", timed(&threads)}};
        others_.add(all, report_, {"faiss_blas", "numpy"}, 10, batch, 1.05, 2);
        run("two threads, batch of " + std::to_string(batch), all, heavy_rounds());
    }

    /// At recall@10 of .95: the time of a query, and of building.
    void inverted_lists(std::vector<std::string> const& peers) {
        trawl::inverted_file_index index(data_.dim);
        bench::samples const built{bench::cpu_seconds([&] {
            index.add_all(data_.view());
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
            index.set_candidates(candidates);
            index.set_probes(probes);
            index.set_margin(margin);
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
            for (std::size_t const most : {64u, 256u}) {
                for (int hundredths = 1; hundredths <= 30; ++hundredths) {
                    if (reaches(candidates, most, hundredths / 100.0)) break;
                }
            }
        }
        static_cast<void>(reaches(best.candidates, best.probes, best.margin));
        report_.note(
            std::to_string(index.lists()) + " lists, at most " + std::to_string(best.probes)
            + " probed, "
            + (best.margin < everything ? "margin " + text(best.margin) + ", " : std::string())
            + std::to_string(best.candidates) + " rescored: recall@10 " + text(recall));
        std::vector<contestant> all{
            mine([&](auto q) { return index.search(q, 10); }, queries.rows)};
        for (auto const& peer : peers) {
            auto const took = others_.ask(report_, "build " + peer);
            if (took.empty()) continue;
            report_.compare("build of inverted lists", built, peer, {std::stod(took)},
                {.target = peer == "hnswlib" ? std::optional(5.0) : std::nullopt});
            report_.note(peer + ": setting and recall@10 "
                         + others_.ask(report_, "reach " + peer + " 0.95"));
            all.push_back({peer,
                [this, peer] { return std::stod(others_.ask(report_, "each " + peer)); }, 1.5});
        }
        run("one query, inverted lists at recall .95", all);
    }

private:
    [[nodiscard]] std::size_t rounds() const { return report_.quick() ? 3 : 7; }
    [[nodiscard]] std::size_t heavy_rounds() const { return 3; }
    static std::string text(double value) { return trawl::detail::join(value); }
    static std::string rounded_text(double value) {
        char digits[32];
        std::snprintf(digits, sizeof digits, "%.3g", value);
        return digits;
    }

    /// One query after the other, `times` at once.
    template <class Search>
    [[nodiscard]] contestant mine(Search search, std::size_t times = 1) {
        return {"", [this, search, times, turn = std::size_t{0}]() mutable {
                    return bench::cpu_seconds([&] {
                        for (std::size_t i = 0; i < times; ++i)
                            static_cast<void>(
                                search(data_.query(turn = (turn + 1) % data_.queries.rows)));
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
                    return bench::cpu_seconds([&] {
                        static_cast<void>(flat_.search(data_.first_queries(batch), {.k = k}));
                    });
                }};
    }

    /// Reading a part of the vectors' bytes: what a search of them cannot beat.
    [[nodiscard]] contestant reading(std::size_t part, std::optional<double> target) {
        return {"read limit",
            [this, part] {
                return bench::cpu_seconds([&] {
                    widest_.read(
                        data_.values.data(), data_.values.size() / part / 512 * 512, streams_);
                });
            },
            target};
    }

    template <class Index>
    void halves(std::string const& work, std::string const& peer) {
        Index index(data_.dim);
        index.add_all(data_.view());
        std::vector<contestant> all{
            mine([&](auto q) { return index.search(q, 10); }), reading(2, 0.85)};
        others_.add(all, report_, {peer}, 10, 1, 1.5);
        run(work, all);
    }

    void run(std::string const& work, std::vector<contestant> const& all) {
        run(work, all, rounds());
    }
    void run(std::string const& work, std::vector<contestant> const& all, std::size_t times) {
        auto values = bench::interleave_contestants(times, all);
        for (auto& taken : values) taken = bench::scaled(std::move(taken), 1e3);
        for (std::size_t i = 1; i < all.size(); ++i) {
            report_.compare(about_ + work, values[0], all[i].name, values[i],
                {.unit = "ms", .target = all[i].target});
        }
    }

    /// The ratio of medians: rounds may differ in number.
    void bound(std::string const& work, bench::samples ours, bench::samples const& whole,
        double most, std::string const& unit) {
        for (auto& value : ours) value /= bench::median(whole);
        report_.bound(about_ + work, ours, most, unit);
    }

    /// All dot products of a batch, by the kernels that search() uses, and nothing else.
    [[nodiscard]] double products(std::size_t batch) const {
        auto const& with = trawl::detail::active_kernels();
        std::vector<trawl::detail::measured_vector> queries;
        for (std::size_t q = 0; q < batch; ++q) queries.push_back({data_.query(q).data(), 1});
        trawl::detail::query_block const packed(queries, data_.dim, with.tile_queries);
        constexpr std::size_t block = 120; // half a second cache, as search() has it
        std::vector<float> sums(with.tile_queries * (block + 3));
        std::vector<float const*> rows(block);
        return bench::cpu_seconds([&] {
            auto const quarter = data_.rows / 4; // read in four places at once
            for (std::size_t first = 0; first < 4 * quarter; first += block) {
                auto const count = (std::min)(block, 4 * quarter - first);
                for (std::size_t r = 0; r < count; ++r)
                    rows[r] = data_.values.data() + (r % 4 * quarter + (first + r) / 4) * data_.dim;
                for (std::size_t t = 0; t < packed.tiles; ++t) {
                    with.dot_tile(
                        packed.tile(t), rows.data(), count, data_.dim, sums.data(), block + 3);
                }
                bench::machine::keep(sums);
            }
        });
    }

    bench::report& report_;
    std::string about_;
    bench::vector_collection const& data_;
    trawl::flat_index flat_;
    bench::others others_;
    bench::machine::level widest_;
    std::size_t streams_ = 1;
};

} // namespace

int main(int argc, char** argv) {
    bench::report report("dense", bench::parse(argc, argv));
    std::string const folder = "../shared/data/scifact";
    bool const quick = report.quick();
    {
        auto const data = bench::make_vectors(quick ? 50'000 : 1'000'000, folder);
        comparison compared(report, data);
        compared.limits();
        compared.one_query();
        compared.batches({2, 4, 16, 64, 256});
        compared.sizes_of_batches();
        compared.selection();
        compared.filters();
        compared.codes();
        compared.two_threads();
        compared.inverted_lists({"faiss_ivfpq", "faiss_ivfrabitq"});
    }
    {
        auto const data = bench::clustered(quick ? 10'000 : 200'000, 1024, 2);
        comparison compared(report, data, "1024: ");
        compared.limits();
        compared.one_float_query();
        compared.batches({16, 256});
        compared.codes();
    }
    // a graph takes minutes to build
    auto const data = bench::make_vectors(quick ? 10'000 : 50'000, folder);
    comparison(report, data).inverted_lists({"hnswlib"});
    return report.finish();
}
