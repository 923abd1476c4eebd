// SPDX-License-Identifier: MIT
#pragma once

/// The smallest parts of a search that do what their concepts say: retrievers that are tables,
/// vectors in the plane, and random ones of each.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/top_k.hpp>
#include <trawl/detail/random.hpp>

namespace support {

/// A retriever that is a table of its matches; it answers any query with text.
struct table_arm {
    std::vector<trawl::hit> matches = {};
    std::vector<trawl::doc_id> others = {}; ///< held, but no match: score gives them 0

    [[nodiscard]] trawl::ranking search(
        trawl::query const& q, trawl::search_options const& options) const {
        trawl::ranking hits;
        if (q.text.empty()) return hits;
        for (auto const& h : matches)
            if (options.where.admits(h.id)) hits.push_back(h);
        trawl::keep_best(hits, options.k);
        return hits;
    }

    [[nodiscard]] std::vector<trawl::hit> score(trawl::query const&,
        std::span<trawl::doc_id const> ids, trawl::search_options const&) const {
        std::vector<trawl::hit> hits;
        for (auto const id : ids) {
            auto const at = std::find_if(
                matches.begin(), matches.end(), [&](trawl::hit const& h) { return h.id == id; });
            if (at != matches.end()) {
                hits.push_back(*at);
            } else if (std::find(others.begin(), others.end(), id) != others.end()) {
                hits.push_back({id, 0.0f});
            }
        }
        return hits;
    }
};

static_assert(trawl::scoring_retriever<table_arm>);

/// The same, but it cannot score.
struct plain_arm {
    table_arm table = {};

    [[nodiscard]] trawl::ranking search(
        trawl::query const& q, trawl::search_options const& options) const {
        return table.search(q, options);
    }
};

static_assert(trawl::retriever<plain_arm> && !trawl::scoring_retriever<plain_arm>);

/// Points of the plane; a document beyond the end, or with an empty point, has none.
struct point_source {
    std::vector<std::vector<float>> points = {};

    [[nodiscard]] static std::size_t dim() { return 2; }
    bool copy_vector(trawl::doc_id id, std::span<float> out) const {
        auto const there = id < points.size() && !points[id].empty();
        for (std::size_t i = 0; i < 2; ++i) out[i] = there ? points[id][i] : 0.0f;
        return there;
    }
};

static_assert(trawl::vector_source<point_source>);

/// Some of the documents [0, documents), a few score levels only, so that there are many ties.
inline table_arm random_arm(trawl::detail::random& random, trawl::doc_id documents) {
    table_arm arm;
    auto const share = random.uniform();
    auto const levels = 1 + random.below(40);
    for (trawl::doc_id id = 0; id < documents; ++id) {
        if (random.uniform() < share) {
            arm.matches.push_back({id, static_cast<float>(random.below(levels)) / 7.0f - 1.0f});
        } else if (random.uniform() < 0.5) {
            arm.others.push_back(id);
        }
    }
    return arm;
}

inline trawl::doc_set random_set(trawl::detail::random& random, trawl::doc_id documents) {
    trawl::doc_set set(documents);
    auto const share = random.uniform();
    for (trawl::doc_id id = 0; id < documents; ++id)
        if (random.uniform() < share) set.insert(id);
    return set;
}

inline point_source random_points(trawl::detail::random& random, trawl::doc_id documents) {
    point_source source;
    for (trawl::doc_id id = 0; id < documents; ++id) {
        source.points.emplace_back();
        if (random.uniform() < 0.9) {
            source.points.back() = {static_cast<float>(random.below(5)) - 2.0f,
                static_cast<float>(random.below(5)) - 2.0f};
        }
    }
    return source;
}

/// The same hits, scores bit for bit.
inline bool same_bits(trawl::ranking const& a, trawl::ranking const& b) {
    return std::equal(
        a.begin(), a.end(), b.begin(), b.end(), [](trawl::hit const& x, trawl::hit const& y) {
            return x.id == y.id
                   && std::bit_cast<std::uint32_t>(x.score)
                          == std::bit_cast<std::uint32_t>(y.score);
        });
}

inline std::vector<trawl::doc_id> ids_of(std::span<trawl::hit const> hits) {
    std::vector<trawl::doc_id> ids;
    for (auto const& h : hits) ids.push_back(h.id);
    return ids;
}

} // namespace support
