// SPDX-License-Identifier: MIT
// Our exact search in a program of its own, which dense.sh compiles with other flags: dense_scan
// FOLDER. Answers lines "K BATCH" with the processor's seconds; dense_peers.py says what is in
// FOLDER.
#include <time.h>

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <trawl/dense/flat_index.hpp>
#include <trawl/detail/aligned_allocator.hpp>

namespace {

using values = std::vector<float, trawl::detail::aligned_allocator<float>>;

values read(std::string const& path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    values out(static_cast<std::size_t>(file.tellg()) / sizeof(float));
    file.seekg(0);
    file.read(reinterpret_cast<char*>(out.data()),
        static_cast<std::streamsize>(out.size() * sizeof(float)));
    return out;
}

double now() {
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

} // namespace

int main(int, char** argv) {
    std::string const folder = argv[1];
    std::size_t n = 0;
    std::size_t dim = 0;
    std::ifstream(folder + "/shape") >> n >> dim;
    auto const vectors = read(folder + "/vectors");
    auto const queries = read(folder + "/queries");
    auto const index = trawl::flat_index::over({vectors.data(), n, dim});
    std::size_t k = 0;
    std::size_t batch = 0;
    while (std::scanf("%zu %zu", &k, &batch) == 2) {
        auto const start = now();
        auto const found = batch == 1 ? index.search({queries.data(), dim}, k).size()
                                      : index.search({queries.data(), batch, dim}, {.k = k}).size();
        auto const took = now() - start;
        if (found == 0) return 1;
        std::printf("%.9f\n", took);
        std::fflush(stdout);
    }
}
