// SPDX-License-Identifier: MIT
#include <trawl/storage/checksum.hpp>

#include <vector>

#include "support/catch.hpp"

// tests/golden/io/checksums.py prints them.
TEST_CASE("checksums are those of xxhash", "[io][checksum]") {
    struct row {
        std::size_t size;
        std::uint64_t sum;
    };
    for (auto const& [size, sum] :
        std::vector<row>{{0, 0xef46db3751d8e999}, {1, 0xe934a84adb052768}, {3, 0x9ff70a635a6209ab},
            {4, 0xae5acdc00a55ac41}, {7, 0xd734a6b26f3da63e}, {8, 0x87116b3365b924eb},
            {11, 0x3a5d6dc1b218a5b6}, {31, 0x0f187c62b1e722b7}, {32, 0x91b0cb0931a8c629},
            {33, 0x931b043cf8d65b94}, {63, 0x575186c12dcebcfd}, {64, 0xab64977b5af9d022},
            {100, 0xb7fe1d84b2f23a05}, {1000, 0x023fd2ed1ff957d5}}) {
        std::vector<std::byte> bytes;
        for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<std::byte>(i * 7 % 251));
        CAPTURE(size);
        CHECK(trawl::checksum(bytes) == sum);
    }
}
