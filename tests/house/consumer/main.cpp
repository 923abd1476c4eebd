// SPDX-License-Identifier: MIT
// What a program of a consumer's may look like; its output is checked.
#include <cstdio>

#include <trawl/trawl.hpp>

int main() {
    trawl::top_k best(2);
    for (trawl::doc_id id = 0; id < 5; ++id) best.push({id, static_cast<float>(id % 3)});
    for (auto const& hit : best.take()) std::printf("%u %g\n", hit.id, static_cast<double>(hit.score));
}
