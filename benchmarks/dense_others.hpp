// SPDX-License-Identifier: MIT
#pragma once

/// The programs that the dense bench measures beside ours, on files with its vectors and queries.

#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/dense/flat_index.hpp>

#include "coprocess.hpp"
#include "dense_data.hpp"
#include "harness.hpp"

namespace bench {

/// One of those who do the same work; `run` gives seconds.
struct contestant {
    std::string name;
    std::function<double()> run;
    std::optional<double> target = {};
    std::optional<double> first = {}; ///< seconds of a first run, where there was one
};

/// Runs them in turn as interleave_values does. Who takes more than a second is not warmed up and
/// runs three times at most.
[[nodiscard]] inline std::vector<samples> interleave_contestants(
    std::size_t rounds, std::vector<contestant> const& all) {
    std::vector<samples> values(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto const first = all[i].first ? *all[i].first : all[i].run();
        if (first > 1) values[i].push_back(first);
    }
    for (std::size_t round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            bool const slow = !values[i].empty() && values[i].front() > 1;
            if (!slow || values[i].size() < 3) values[i].push_back(all[i].run());
        }
    }
    return values;
}

class others {
public:
    others(vector_collection const& data, trawl::flat_index const& exact)
        : folder_(std::filesystem::temp_directory_path()
                  / ("trawl_bench_dense_" + std::to_string(getpid()))) {
        std::filesystem::create_directories(folder_);
        write_values<float>(folder_ / "vectors", data.values);
        write_values<float>(folder_ / "queries",
            std::span(data.queries.values).first(data.queries.rows * data.dim));
        std::vector<trawl::doc_id> best;
        for (auto const& hits : exact.search(data.first_queries(data.queries.rows), {.k = 10})) {
            for (auto const& h : hits) best.push_back(h.id);
        }
        write_values<trawl::doc_id>(folder_ / "best", best);
        std::ofstream(folder_ / "shape") << data.rows << ' ' << data.dim << '\n';
        if (char const* const python = std::getenv("BENCH_PYTHON")) {
            python_ = std::make_unique<coprocess>(std::vector<std::string>{"env", "-u",
                "OPENBLAS_CORETYPE", "-u", "OPENBLAS_L2_SIZE", "OMP_WAIT_POLICY=passive", python,
                BENCH_SOURCE "/dense_peers.py", folder_.string()});
        }
    }
    ~others() {
        python_.reset();
        programs_.clear();
        std::filesystem::remove_all(folder_);
    }
    others(others const&) = delete;
    others& operator=(others const&) = delete;

    /// What Python answers; empty, after a note, where it cannot.
    [[nodiscard]] std::string ask(report const& report, std::string const& line) {
        if (python_ == nullptr) return {};
        auto answer = python_->ask(line);
        if (!answer.empty() && answer.front() != '-') return answer;
        report.note(line + ": " + (answer.empty() ? "ended" : answer));
        return {};
    }

    /// Gives back the memory of peers that are not asked again.
    void drop(std::initializer_list<char const*> names) {
        for (std::string const name : names) {
            programs_.erase(name);
            if (python_ != nullptr) static_cast<void>(python_->ask("drop " + name));
        }
    }

    /// Adds those that can do it: `batch` queries in one call.
    void add(std::vector<contestant>& to, report const& report,
        std::vector<std::string> const& names, std::size_t k, std::size_t batch,
        std::optional<double> target, std::size_t threads = 1) {
        for (auto const& name : names) {
            auto const line = "search " + name + ' ' + std::to_string(k) + ' '
                              + std::to_string(batch) + ' ' + std::to_string(threads);
            auto const first = ask(report, line);
            if (first.empty()) continue;
            to.push_back({name, [this, line] { return std::stod(python_->ask(line)); }, target,
                std::stod(first)});
        }
    }

    /// The same for a program of its own, which an environment variable names: see
    /// peers/dense_eigen.cpp.
    void add_program(std::vector<contestant>& to, std::string const& name, char const* variable,
        std::size_t k, std::size_t batch, std::optional<double> target) {
        char const* const program = std::getenv(variable);
        if (program == nullptr) return;
        auto& there = programs_[name];
        if (there == nullptr)
            there =
                std::make_unique<coprocess>(std::vector<std::string>{program, folder_.string()});
        auto const line = std::to_string(k) + ' ' + std::to_string(batch);
        auto const first = there->ask(line);
        if (first.empty()) return;
        to.push_back({name, [program = there.get(), line] { return std::stod(program->ask(line)); },
            target, std::stod(first)});
    }

private:
    std::filesystem::path folder_;
    std::unique_ptr<coprocess> python_;
    std::map<std::string, std::unique_ptr<coprocess>> programs_;
};

} // namespace bench
