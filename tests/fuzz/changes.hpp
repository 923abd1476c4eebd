// SPDX-License-Identifier: MIT
#pragma once

/// Changes to a file of sections that the bytes of a fuzzer choose.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <trawl/detail/random.hpp>

#include "support/file_sections.hpp"

namespace fuzz {

/// Eight bytes a change: what is done, to which section, where, and a word.
inline void change(support::file_sections& file, std::uint8_t const* data, std::size_t size) {
    for (; size >= 8; data += 8, size -= 8) {
        auto& bytes = file.sections[data[1] % file.sections.size()].second;
        auto const at = static_cast<std::size_t>(data[2]) << 8 | data[3];
        std::uint32_t word = 0;
        std::memcpy(&word, data + 4, 4);
        auto const place = bytes.size() < 4 ? 0 : at * 4 % (bytes.size() / 4 * 4);
        switch (data[0] % 8) {
        case 0:
            bytes.resize(bytes.size() > at ? at : at % 4096);
            break;
        case 1: // of random changes, one
            if (trawl::detail::random random(word); true) file.damage(random);
            break;
        case 2: // the word over and over
            for (auto to = place; to + 4 <= bytes.size() && to < place + 4 * (at % 64); to += 4)
                std::memcpy(bytes.data() + to, &word, 4);
            break;
        case 3: // counted up or down
            if (bytes.size() >= 4) {
                std::uint32_t old = 0;
                std::memcpy(&old, bytes.data() + place, 4);
                old += static_cast<std::uint32_t>(static_cast<std::int8_t>(data[4]));
                std::memcpy(bytes.data() + place, &old, 4);
            }
            break;
        case 4:
            if (!bytes.empty()) bytes[at % bytes.size()] = static_cast<std::byte>(data[4]);
            break;
        default:
            if (bytes.size() >= 4) std::memcpy(bytes.data() + place, &word, 4);
        }
    }
}

} // namespace fuzz
