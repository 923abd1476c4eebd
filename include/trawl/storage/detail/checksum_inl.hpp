// SPDX-License-Identifier: MIT
#pragma once

/// The body of storage/checksum.hpp.

#include <trawl/storage/checksum.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE std::uint64_t checksum(std::span<std::byte const> bytes) noexcept {
    constexpr std::uint64_t prime_1 = 0x9E3779B185EBCA87u;
    constexpr std::uint64_t prime_2 = 0xC2B2AE3D27D4EB4Fu;
    constexpr std::uint64_t prime_3 = 0x165667B19E3779F9u;
    constexpr std::uint64_t prime_4 = 0x85EBCA77C2B2AE63u;
    constexpr std::uint64_t prime_5 = 0x27D4EB2F165667C5u;
    auto const* at = bytes.data();
    auto left = bytes.size();
    auto const take = [&]<class Word>(Word word) -> std::uint64_t {
        std::memcpy(&word, at, sizeof word);
        at += sizeof word;
        left -= sizeof word;
        return word;
    };
    auto const mixed = [](std::uint64_t lane, std::uint64_t word) {
        return std::rotl(lane + word * prime_2, 31) * prime_1;
    };
    std::uint64_t sum = prime_5;
    if (left >= 32) {
        std::uint64_t lanes[4] = {prime_1 + prime_2, prime_2, 0, 0 - prime_1};
        while (left >= 32) {
            for (auto& lane : lanes) lane = mixed(lane, take(std::uint64_t{}));
        }
        sum = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12)
              + std::rotl(lanes[3], 18);
        for (auto const lane : lanes) sum = (sum ^ mixed(0, lane)) * prime_1 + prime_4;
    }
    sum += bytes.size();
    while (left >= 8)
        sum = std::rotl(sum ^ mixed(0, take(std::uint64_t{})), 27) * prime_1 + prime_4;
    if (left >= 4) sum = std::rotl(sum ^ take(std::uint32_t{}) * prime_1, 23) * prime_2 + prime_3;
    while (left > 0) sum = std::rotl(sum ^ take(std::uint8_t{}) * prime_5, 11) * prime_1;
    sum = (sum ^ sum >> 33) * prime_2;
    sum = (sum ^ sum >> 29) * prime_3;
    return sum ^ sum >> 32;
}

TRAWL_END_NAMESPACE
