// SPDX-License-Identifier: MIT
// Prints what each diversifier picks and its values, and the values of decays, to the bit. They
// must not depend on compiler, flags or machine.
#include <bit>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <trawl/detail/random.hpp>
#include <trawl/rerank/decay.hpp>
#include <trawl/rerank/dpp.hpp>
#include <trawl/rerank/facility_location.hpp>
#include <trawl/rerank/max_sum_dispersion.hpp>
#include <trawl/rerank/mmr.hpp>

namespace {

constexpr std::size_t dim = 37;
constexpr std::size_t candidates = 120;

template <class Rule>
void show(char const* name, Rule const& rule) {
    std::uint64_t hash = 14695981039346656037u; // FNV-1a over 32-bit words
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        trawl::detail::random random(seed);
        std::vector<float> numbers(dim * (candidates + 1));
        for (auto& v : numbers) v = static_cast<float>(random.uniform() * 2 - 1);
        std::vector<float> const question(numbers.end() - dim, numbers.end());
        trawl::ranking list;
        for (std::size_t i = 0; i < candidates; ++i) {
            list.push_back({static_cast<trawl::doc_id>(i), static_cast<float>(candidates - i)});
        }
        trawl::matrix_view<float const> const rows{numbers.data(), candidates, dim};
        for (auto const& [id, score] : rule({.vector = question}, list, rows, 40)) {
            hash = (hash ^ id) * 1099511628211u;
            hash = (hash ^ std::bit_cast<std::uint32_t>(score)) * 1099511628211u;
        }
    }
    std::printf("%s %016llx\n", name, static_cast<unsigned long long>(hash));
}

} // namespace

int main() {
    constexpr auto cosine = trawl::relevance::cosine;
    show("mmr", trawl::mmr{.lambda = 0.3, .relevance = cosine});
    show("mmr, by the score before", trawl::mmr{.lambda = 0.7});
    show("dpp", trawl::dpp{.relevance = cosine});
    show("max_sum_dispersion", trawl::max_sum_dispersion{.relevance = cosine});
    show("facility_location", trawl::facility_location{.relevance = cosine});
    for (auto const shape :
        {trawl::decay_shape::gauss, trawl::decay_shape::exp, trawl::decay_shape::linear}) {
        trawl::decay const fade{
            .origin = 3, .scale = 7, .offset = 0.5, .at_scale = 0.3, .shape = shape};
        for (int i = 0; i < 40; ++i) {
            auto const value = static_cast<float>(fade(i * 0.75)); // scores are floats
            std::printf(
                "%d %d %08x\n", static_cast<int>(shape), i, std::bit_cast<std::uint32_t>(value));
        }
    }
}
