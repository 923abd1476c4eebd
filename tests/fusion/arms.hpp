// SPDX-License-Identifier: MIT
#pragma once

/// What the fusion tests share: random arms, and golden files.

#include <algorithm>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <trawl/core/words.hpp>
#include <trawl/detail/random.hpp>

/// Arms in the order of by_rank over the ids below `universe`, with many equal scores, some of them
/// empty.
inline std::vector<trawl::ranking> random_arms(
    trawl::detail::random& random, std::size_t universe) {
    std::vector<trawl::ranking> arms(1 + random.below(5));
    for (auto& arm : arms) {
        std::vector<trawl::doc_id> ids(universe);
        for (std::size_t i = 0; i < universe; ++i) ids[i] = static_cast<trawl::doc_id>(7 * i);
        random.shuffle(std::span(ids));
        ids.resize(random.below(universe + 1));
        for (auto const id : ids) arm.push_back({id, static_cast<float>(random.below(60)) / 8 - 2});
        std::sort(arm.begin(), arm.end(), trawl::by_rank{});
    }
    return arms;
}

inline float score_of(trawl::ranking const& hits, trawl::doc_id id) {
    auto const at =
        std::find_if(hits.begin(), hits.end(), [&](trawl::hit const& h) { return h.id == id; });
    return at == hits.end() ? -1e30f : at->score;
}

/// A golden file, from the working directory of the tests.
inline nlohmann::json golden(std::string const& name) {
    std::ifstream in("tests/golden/" + name);
    REQUIRE(in.good());
    return nlohmann::json::parse(in);
}
