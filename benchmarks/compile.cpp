// SPDX-License-Identifier: MIT
// What a header costs a compiler, beside the standard headers that it includes and beside
// nlohmann/json.hpp, and what the program of README.md costs: CPU seconds of the compiler's own.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "harness.hpp"

namespace {

namespace fs = std::filesystem;

// The headers that are not ours and that `header` includes, directly or through ours; those of the
// bodies only where these are not compiled apart.
void collect(std::string const& header, bool compiled, std::vector<std::string>& ours,
    std::vector<std::string>& others) {
    std::ifstream file(fs::path(BENCH_INCLUDE) / header);
    bool seam = false;
    for (std::string line; std::getline(file, line);) {
        if (line == "#ifndef TRAWL_COMPILED" || (seam && line == "#endif")) seam = !seam;
        if (seam && compiled) continue;
        auto const open = line.find('<');
        auto const close = line.find('>');
        if (line.find("#include") != 0 || open >= close || close == std::string::npos) continue;
        auto const name = line.substr(open + 1, close - open - 1);
        auto& known = name.starts_with("trawl/") ? ours : others;
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        known.push_back(name);
        if (&known == &ours) collect(name, compiled, ours, others);
    }
}

double cpu_seconds_of_children() {
    rusage usage = {};
    getrusage(RUSAGE_CHILDREN, &usage);
    auto const seconds = [](timeval const& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double run(std::string const& command) {
    auto const before = cpu_seconds_of_children();
    if (std::system(command.c_str()) != 0) {
        std::fprintf(stderr, "fails: %s\n", command.c_str());
        std::exit(1);
    }
    return cpu_seconds_of_children() - before;
}

// A source that includes some headers, and how it is compiled.
class includes {
public:
    includes(fs::path source, std::vector<std::string> const& headers, bool compiled)
        : source_(std::move(source)), flags_(compiled ? " -DTRAWL_COMPILED" : "") {
        std::ofstream out(source_);
        for (auto const& header : headers)
            out << "#if __has_include(<" << header << ">)\n#include <" << header << ">\n#endif\n";
    }
    double operator()() const {
        return run(BENCH_CXX " -std=c++20 -fsyntax-only -I" BENCH_INCLUDE + flags_ + " "
                   + source_.string());
    }

private:
    fs::path source_;
    std::string flags_;
};

// Above their bounds, headers cost more than they are worth: docs/architecture.md, "Cost".
struct header_row {
    std::string header;
    bool compiled;
    double of_nlohmann;
    double of_its_std; ///< 0: not bounded
};

std::vector<header_row> header_rows() {
    std::vector<header_row> rows{{"trawl/trawl.hpp", false, 1.8, 0},
        {"trawl/lexical/bm25_index.hpp", false, 1.2, 0}, {"trawl/trawl.hpp", true, 0.6, 1.4},
        {"trawl/fusion.hpp", false, 0, 1.4}, {"trawl/eval.hpp", false, 0, 1.4}};
    std::ifstream umbrella(BENCH_INCLUDE "/trawl/fusion.hpp");
    for (std::string line; std::getline(umbrella, line);) {
        auto const open = line.find('<');
        if (line.starts_with("#include <trawl/fusion/"))
            rows.push_back({line.substr(open + 1, line.find('>') - open - 1), false, 0.6, 0});
    }
    return rows;
}

void measure_headers(bench::report& report, fs::path const& folder) {
    int number = 0;
    for (auto const& row : header_rows()) {
        auto const stem = (folder / std::to_string(number++)).string();
        std::vector<std::string> ours;
        std::vector<std::string> others;
        collect(row.header, row.compiled, ours, others);
        includes const header(stem + ".cpp", {row.header}, row.compiled);
        includes const standard(stem + "_std.cpp", others, false);
        includes const nlohmann(stem + "_json.cpp", {"nlohmann/json.hpp"}, false);

        auto const seconds =
            bench::interleave_values(report.rounds(), {header, standard, nlohmann});
        auto const name = row.header + (row.compiled ? ", compiled" : "");
        report.compare("include " + name, seconds[0], "its std headers", seconds[1]);
        report.compare("include " + name, seconds[0], "nlohmann/json.hpp", seconds[2]);
        auto const bound = [&](char const* what, std::size_t peer, double limit) {
            if (limit > 0) {
                report.bound(name + " / " + what,
                    bench::median(seconds[0]) / bench::median(seconds[peer]), limit, "x");
            }
        };
        bound("its std headers", 1, row.of_its_std);
        bound("nlohmann/json.hpp", 2, row.of_nlohmann);
    }
}

// An application of one page, optimised, without linking: what its author waits for.
void measure_program(bench::report& report, fs::path const& folder) {
    auto const program = std::string(BENCH_INCLUDE "/../examples/readme.cpp");
    auto const build = [&](std::string const& flags) {
        return run(BENCH_CXX " -std=c++20 -O2 -c -I" BENCH_INCLUDE " " + flags + program + " -o "
                   + (folder / "readme.o").string());
    };
    auto const seconds = bench::interleave_values(
        report.rounds(), {[&] { return build(""); }, [&] { return build("-DTRAWL_COMPILED "); }});
    report.compare("README program at -O2, header-only", seconds[0], "compiled", seconds[1]);
    report.bound("README program at -O2, header-only", bench::median(seconds[0]), 15, "s");
    report.bound("README program at -O2, compiled", bench::median(seconds[1]), 3, "s");
}

} // namespace

int main(int argc, char** argv) {
    bench::report report("compile", bench::parse(argc, argv));
    auto const folder =
        fs::temp_directory_path() / ("trawl_bench_compile_" + std::to_string(getpid()));
    fs::create_directories(folder);
    measure_headers(report, folder);
    measure_program(report, folder);
    fs::remove_all(folder);
    return report.finish();
}
