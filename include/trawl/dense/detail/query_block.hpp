// SPDX-License-Identifier: MIT
#pragma once

/// Queries as the tile kernels read them.

#include <algorithm>
#include <cstddef>
#include <cstring>

#include <trawl/config.hpp>
#include <trawl/detail/aligned_bytes.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/cosine.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Queries, and the same packed for the tiles: `tile_queries` at a time, the last tile filled up
/// with zeros. A query that would be alone in a tile is not packed.
struct query_block {
    array_ref<measured_vector const> queries;
    std::size_t tiles = 0;
    std::size_t tile_size = 0; // floats
    aligned_bytes memory = {};

    query_block(array_ref<measured_vector const> of, std::size_t dim, std::size_t tile_queries)
        : queries(of) {
        if (tile_queries == 1) return;
        tiles = of.size() / tile_queries + (of.size() % tile_queries > 1 ? 1 : 0);
        tile_size = tile_queries * ((dim + 15) / 16) * 16;
        auto const bytes = tiles * tile_size * sizeof(float);
        if (bytes == 0) return;
        memory.reserve_more(bytes);
        std::memset(memory.append(bytes), 0, bytes);
        for (std::size_t q = 0; q < (std::min)(of.size(), tiles * tile_queries); ++q) {
            auto* const to = tile(q / tile_queries) + q % tile_queries * 16;
            for (std::size_t i = 0; i < dim; ++i)
                to[i / 16 * tile_queries * 16 + i % 16] = of[q].values[i];
        }
    }

    [[nodiscard]] float* tile(std::size_t number) noexcept {
        return reinterpret_cast<float*>(memory.data()) + number * tile_size;
    }
    [[nodiscard]] float const* tile(std::size_t number) const noexcept {
        return reinterpret_cast<float const*>(memory.data()) + number * tile_size;
    }
};

} // namespace detail
TRAWL_END_NAMESPACE
