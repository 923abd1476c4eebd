// SPDX-License-Identifier: MIT
// What an umbrella header costs a compiler, beside the headers of the standard library and of the
// compiler that it includes: CPU seconds of the compiler's own.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "harness.hpp"

namespace {

namespace fs = std::filesystem;

// The headers that are not ours and that `header` includes, directly or through ours.
void collect(
    std::string const& header, std::vector<std::string>& ours, std::vector<std::string>& others) {
    std::ifstream file(fs::path(BENCH_INCLUDE) / header);
    for (std::string line; std::getline(file, line);) {
        auto const open = line.find('<');
        auto const close = line.find('>');
        if (line.find("#include") != 0 || open >= close || close == std::string::npos) continue;
        auto const name = line.substr(open + 1, close - open - 1);
        auto& known = name.starts_with("trawl/") ? ours : others;
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        known.push_back(name);
        if (&known == &ours) collect(name, ours, others);
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

double compile(fs::path const& source) {
    auto const before = cpu_seconds_of_children();
    auto const command =
        std::string(BENCH_CXX) + " -std=c++20 -fsyntax-only -I" BENCH_INCLUDE " " + source.string();
    if (std::system(command.c_str()) != 0) {
        std::fprintf(stderr, "does not compile: %s\n", command.c_str());
        std::exit(1);
    }
    return cpu_seconds_of_children() - before;
}

} // namespace

int main(int argc, char** argv) {
    bench::report report("compile", bench::parse(argc, argv));
    auto const folder =
        fs::temp_directory_path() / ("trawl_bench_compile_" + std::to_string(getpid()));
    fs::create_directories(folder);

    for (std::string const umbrella : {"trawl", "fusion", "eval"}) {
        auto const header = "trawl/" + umbrella + ".hpp";
        std::vector<std::string> ours;
        std::vector<std::string> others;
        collect(header, ours, others);

        auto const with = folder / (umbrella + ".cpp");
        auto const without = folder / (umbrella + "_std.cpp");
        std::ofstream(with) << "#include <" << header << ">\n";
        std::ofstream standard(without);
        for (auto const& other : others) {
            standard << "#if __has_include(<" << other << ">)\n#include <" << other
                     << ">\n#endif\n";
        }
        standard.close();

        auto const seconds = bench::interleave_values(
            report.rounds(), {[&] { return compile(with); }, [&] { return compile(without); }});
        report.compare("include " + header, seconds[0], "its std headers", seconds[1]);
        report.bound(header + " / its std headers",
            bench::median(seconds[0]) / bench::median(seconds[1]), 1.4, "x");
    }
    fs::remove_all(folder);
    return report.finish();
}
