// SPDX-License-Identifier: MIT
// Positions survive packing; from any bytes, reading stays inside.
#include <trawl/lexical/detail/postings/packed_positions.hpp>

#include <trawl/detail/random.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "support/catch.hpp"

using namespace trawl::detail;

namespace {

using numbers = std::vector<std::uint32_t>;

numbers taken(position_run run) {
    numbers positions;
    while (run.left() > 0) positions.push_back(run.next());
    return positions;
}

} // namespace

TEST_CASE(
    "The positions of any posting are read as they were written", "[lexical][packed_positions]") {
    auto const seed = GENERATE(1u, 2u, 3u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    position_packer packer;
    position_packer later;
    std::vector<std::vector<numbers>> lists;
    for (std::size_t const n : {1u, 1u, 2u, 127u, 128u, 129u, 700u}) {
        for (unsigned const bits : {0u, 1u, 7u, 13u, 30u, 32u}) {
            auto& list = lists.emplace_back(n);
            numbers counts;
            numbers gaps;
            for (auto& posting : list) {
                auto const count =
                    n == 1 && lists.size() % 2 == 0 ? 1 : 1 + random.below(1 + random.below(5));
                std::uint64_t position = 0;
                for (std::size_t i = 0; i < count; ++i) {
                    auto gap = random.below(std::uint64_t{1} << bits);
                    if (position + gap > 0xFFFFFFFFu) gap = 0;
                    position += gap;
                    gaps.push_back(static_cast<std::uint32_t>(gap));
                    posting.push_back(static_cast<std::uint32_t>(position));
                }
                counts.push_back(static_cast<std::uint32_t>(count));
            }
            (lists.size() > 20 ? later : packer).add(counts, gaps);
        }
    }
    auto arrays = packer.take();
    arrays.append(later.take());
    arrays.finish();
    auto const all = arrays.positions();
    for (std::size_t i = 0; i < lists.size(); ++i) {
        auto const& list = lists[i];
        position_cursor cursor(all, i, (list.size() + block_size - 1) / block_size);
        auto const read = [&](std::size_t place) {
            numbers counts;
            auto const block = place / block_size;
            for (auto j = block * block_size; j < (std::min)(list.size(), (block + 1) * block_size);
                 ++j)
                counts.push_back(static_cast<std::uint32_t>(list[j].size()));
            return taken(cursor.of(block, counts, place % block_size));
        };
        CAPTURE(i, list.size());
        for (std::size_t place = 0; place < list.size(); ++place)
            REQUIRE(read(place) == list[place]);
        for (int round = 0; round < 20; ++round) { // in any order
            auto const place = random.below(list.size());
            REQUIRE(read(place) == list[place]);
        }
    }
}

TEST_CASE("Positions of any bytes are few and inside", "[lexical][packed_positions]") {
    trawl::detail::random random(4);
    for (int round = 0; round < 20000; ++round) {
        auto const size = random.below(80);
        // no room behind them
        std::unique_ptr<unsigned char[]> const bytes(new unsigned char[size]);
        for (std::size_t i = 0; i < size; ++i)
            bytes[i] = static_cast<unsigned char>(random.below(1 + random.below(256)));
        packed_positions const all{{}, {bytes.get(), size}};
        auto const begin =
            random.below(20) == 0 ? ~std::uint64_t{0} : random.below(1 + random.below(100));
        auto const blocks = 1 + random.below(4);
        auto const count =
            random.below(3) == 0 ? max_count : static_cast<std::uint32_t>(random.below(9));
        auto const positions =
            taken(all.block_at(begin, blocks, random.below(blocks)).run(random.below(300), count));
        REQUIRE(positions.size() <= 8 * size);
    }
}
