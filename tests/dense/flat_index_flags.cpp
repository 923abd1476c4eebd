// SPDX-License-Identifier: MIT
// Prints a fingerprint of scores under every metric. It must not depend on compiler, flags or
// instruction set.
#include <bit>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <trawl/dense/flat_index.hpp>
#include <trawl/detail/random.hpp>

namespace {

// Between -1 and 1, and for some vectors far longer or shorter; std::log may differ by machine, so
// no normals.
void fill(std::vector<float>& vector, trawl::detail::random& random) {
    constexpr float scales[] = {1, 1, 1, 0, 1e30f, 1e-30f, -1};
    auto const scale = scales[random.below(7)];
    for (auto& v : vector) v = static_cast<float>(random.uniform() * 2 - 1) * scale;
}

} // namespace

int main() {
    for (auto const how :
        {trawl::metric::cosine, trawl::metric::dot_product, trawl::metric::euclidean}) {
        for (std::size_t const dim : {1u, 5u, 16u, 223u, 384u, 1100u}) {
            trawl::detail::random random(dim);
            trawl::flat_index index(dim, how);
            std::vector<float> vector(dim);
            for (int i = 0; i < 200; ++i) {
                fill(vector, random);
                index.add(vector);
            }
            std::uint64_t hash = 14695981039346656037u; // FNV-1a over 32-bit words
            auto const add = [&](trawl::ranking const& hits) {
                for (auto const& h : hits) {
                    hash = (hash ^ h.id) * 1099511628211u;
                    hash = (hash ^ std::bit_cast<std::uint32_t>(h.score)) * 1099511628211u;
                }
            };
            std::vector<float> batch;
            for (int i = 0; i < 20; ++i) {
                fill(vector, random);
                batch.insert(batch.end(), vector.begin(), vector.end());
                add(index.search(vector, 200));
                auto const tree = index.explain({.vector = vector}, static_cast<trawl::doc_id>(i));
                hash = (hash ^ std::bit_cast<std::uint64_t>(tree.value)) * 1099511628211u;
            }
            for (auto const& hits : index.search({batch.data(), 20, dim}, {.k = 200})) add(hits);
            std::printf("%d %zu %016llx\n", static_cast<int>(how), dim,
                static_cast<unsigned long long>(hash));
        }
    }
}
