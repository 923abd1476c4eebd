// SPDX-License-Identifier: MIT
// Prints a fingerprint of every rule's fused scores. It must not depend on compiler, flags or
// machine.
#include "fusion/rules.hpp"

#include <bit>
#include <cstdint>
#include <cstdio>

#include <trawl/core/top_k.hpp>
#include <trawl/detail/random.hpp>

namespace {

/// Three arms over the same 300 documents; each lacks some, some of their scores are equal, and all
/// are eighths: no flag changes them.
std::vector<trawl::ranking> random_arms(trawl::detail::random& random) {
    std::vector<trawl::ranking> arms(3);
    for (auto& arm : arms) {
        auto const levels = 2 + random.below(1000);
        for (trawl::doc_id id = 0; id < 300; ++id) {
            if (random.below(3) == 0) continue;
            arm.push_back({id, static_cast<float>(random.below(levels)) / 8.0f - 3.0f});
        }
        trawl::keep_best(arm, arm.size());
    }
    return arms;
}

} // namespace

int main() {
    using trawl::normaliser;
    for (auto const norm :
        {normaliser::none, normaliser::min_max, normaliser::z_score, normaliser::l2}) {
        for (auto const& rule : all_rules({0.3, 0.6, 0.1}, norm)) {
            std::uint64_t hash = 14695981039346656037u; // FNV-1a over 32-bit words
            for (std::uint64_t seed = 1; seed <= 5; ++seed) {
                trawl::detail::random random(seed);
                auto const arms = random_arms(random);
                for (auto const& [id, score] : rule.fuse(arms)) {
                    hash = (hash ^ id) * 1099511628211u;
                    hash = (hash ^ std::bit_cast<std::uint32_t>(score)) * 1099511628211u;
                }
            }
            std::printf("%s, %s %016llx\n", rule.name.c_str(), std::string(name_of(norm)).c_str(),
                static_cast<unsigned long long>(hash));
        }
    }
}
