// SPDX-License-Identifier: MIT
#pragma once

/// What lexical peers written in C++ share: the lines of benchmarks/lexical.cpp.

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <time.h>

namespace peer {

using words = std::vector<std::string>;

inline double seconds(clockid_t clock) {
    timespec t = {};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

inline std::vector<words> lines(std::filesystem::path const& file) {
    std::ifstream in(file);
    std::vector<words> all;
    for (std::string line; std::getline(in, line);) {
        std::istringstream split(line);
        all.emplace_back();
        for (std::string word; split >> word;) all.back().push_back(word);
    }
    return all;
}

/// Engine(folder) names itself; build() gives the bytes of the index; search(kind, words, k) looks
/// a question up or throws; `most` questions of a set are asked.
template <class Engine>
int answer(int argc, char** argv) {
    if (argc != 2) return 2;
    std::filesystem::path const folder(argv[1]);
    Engine engine(folder);
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream asked(line);
        std::string kind;
        std::string file;
        std::size_t k = 0;
        asked >> kind >> file >> k;
        try {
            std::ostringstream out;
            if (kind == "build") {
                auto const start = seconds(CLOCK_PROCESS_CPUTIME_ID);
                auto const bytes = engine.build();
                out << seconds(CLOCK_PROCESS_CPUTIME_ID) - start << ' ' << bytes << ' '
                    << engine.name();
            } else {
                auto questions = lines(folder / file);
                if (questions.size() > Engine::most) questions.resize(Engine::most);
                for (auto const& question : questions) {
                    auto const start = seconds(CLOCK_THREAD_CPUTIME_ID);
                    engine.search(kind, question, k);
                    out << 1e6 * (seconds(CLOCK_THREAD_CPUTIME_ID) - start) << ' ';
                }
            }
            std::cout << out.str() << std::endl;
        } catch (std::exception const& problem) {
            std::cout << "- " << problem.what() << std::endl;
        }
    }
    return 0;
}

} // namespace peer
