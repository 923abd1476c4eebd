// SPDX-License-Identifier: MIT
// What anyone would write with Eigen: dense_eigen FOLDER, compiled for the machine that it runs on.
// Answers lines "K BATCH" with the processor's seconds; dense_peers.py says what is in FOLDER.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Dense>

namespace {

using rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

rows read(std::string const& path, long dim) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    rows out(static_cast<long>(file.tellg()) / 4 / dim, dim);
    file.seekg(0);
    file.read(reinterpret_cast<char*>(out.data()), out.size() * 4);
    return out;
}

double now() {
    timespec time = {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// One query: a product with the whole matrix. More: products of 2048 rows each, and a heap for each
// query.
void search(rows const& vectors, rows const& queries, std::size_t k) {
    using scored = std::pair<float, long>;
    std::vector<std::vector<scored>> heaps(static_cast<std::size_t>(queries.rows()));
    long const tile = queries.rows() == 1 ? vectors.rows() : 2048;
    for (long first = 0; first < vectors.rows(); first += tile) {
        long const count = std::min(tile, vectors.rows() - first);
        Eigen::MatrixXf const scores = vectors.middleRows(first, count) * queries.transpose();
        for (long q = 0; q < queries.rows(); ++q) {
            auto& heap = heaps[static_cast<std::size_t>(q)];
            for (long i = 0; i < count; ++i) {
                float const score = scores(i, q);
                if (heap.size() == k && score <= heap.front().first) continue;
                if (heap.size() == k) {
                    std::pop_heap(heap.begin(), heap.end(), std::greater<>());
                    heap.pop_back();
                }
                heap.emplace_back(score, first + i);
                std::push_heap(heap.begin(), heap.end(), std::greater<>());
            }
        }
    }
    for (auto& heap : heaps) std::sort_heap(heap.begin(), heap.end(), std::greater<>());
}

} // namespace

int main(int, char** argv) {
    std::string const folder = argv[1];
    long n = 0;
    long dim = 0;
    std::ifstream(folder + "/shape") >> n >> dim;
    auto const vectors = read(folder + "/vectors", dim);
    auto const queries = read(folder + "/queries", dim);
    std::size_t k = 0;
    long batch = 0;
    while (std::scanf("%zu %ld", &k, &batch) == 2) {
        rows const asked = queries.topRows(batch);
        auto const start = now();
        search(vectors, asked, k);
        std::printf("%.9f\n", now() - start);
        std::fflush(stdout);
    }
}
