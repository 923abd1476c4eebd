// SPDX-License-Identifier: MIT
// Prints a fingerprint of what codes and lists estimate and find. It must not depend on compiler,
// flags or instruction set.
#include <bit>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <trawl/dense/inverted_file_index.hpp>
#include <trawl/dense/quantised_index.hpp>
#include <trawl/detail/random.hpp>

namespace {

template <class Index>
void print(char const* name, Index index) {
    auto const dim = index.dim();
    trawl::detail::random random(dim);
    std::vector<float> vector(dim);
    auto const next = [&]() -> std::vector<float> const& {
        for (auto& v : vector) v = static_cast<float>(random.uniform() * 2 - 0.7);
        return vector;
    };
    for (int i = 0; i < 600; ++i) index.add(next());
    if constexpr (requires { index.train(20); }) index.train(20);
    std::uint64_t hash = 14695981039346656037u; // FNV-1a over 32-bit words
    for (int i = 0; i < 10; ++i) {
        for (auto const& h : index.search(next(), 300)) {
            hash = (hash ^ h.id) * 1099511628211u;
            hash = (hash ^ std::bit_cast<std::uint32_t>(h.score)) * 1099511628211u;
        }
    }
    std::printf("%s %zu %016llx\n", name, dim, static_cast<unsigned long long>(hash));
}

} // namespace

int main() {
    for (auto const how :
        {trawl::metric::cosine, trawl::metric::dot_product, trawl::metric::euclidean}) {
        for (std::size_t const dim : {5u, 100u, 384u}) {
            print("int8", trawl::int8_index(dim, {.metric = how, .keep_full = false}));
            print("one bit", trawl::one_bit_index(dim, {.metric = how, .keep_full = false}));
            print("lists",
                trawl::inverted_file_index(dim, {.metric = how, .probes = 3, .candidates = 50}));
        }
    }
}
