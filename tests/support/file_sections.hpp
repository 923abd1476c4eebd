// SPDX-License-Identifier: MIT
#pragma once

/// A file of trawl's taken apart, to be changed and written again with checksums that are right.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/detail/random.hpp>
#include <trawl/storage/file.hpp>
#include <trawl/storage/sections.hpp>

namespace support {

struct file_sections {
    std::string kind = {};
    std::uint32_t version = 0;
    std::vector<std::pair<std::string, std::vector<std::byte>>> sections = {};

    /// Reads a file that is whole; docs/formats.md says where everything is.
    [[nodiscard]] static file_sections of(std::string const& path) {
        auto const bytes = trawl::read_file(path);
        auto const number = [&](std::size_t at, auto value) {
            std::memcpy(&value, bytes.data() + at, sizeof value);
            return value;
        };
        auto const name = [&](std::size_t at) {
            auto const text = bytes.substr(at, 16);
            return text.substr(0, text.find('\0'));
        };
        file_sections made{.kind = name(16), .version = number(32, std::uint32_t{})};
        for (std::uint32_t s = 0; s < number(12, std::uint32_t{}); ++s) {
            auto const entry = std::size_t{64} + 32 * s;
            auto const* const first = reinterpret_cast<std::byte const*>(bytes.data())
                                      + number(entry + 16, std::uint64_t{});
            made.sections.emplace_back(name(entry),
                std::vector<std::byte>(first, first + number(entry + 24, std::uint64_t{})));
        }
        return made;
    }

    void write(std::string const& path) const {
        trawl::section_writer writer(kind, version);
        for (auto const& [name, bytes] : sections)
            writer.add(name, std::span<std::byte const>(bytes));
        writer.write(path);
    }

    [[nodiscard]] std::vector<std::byte>& operator[](std::string_view name) {
        for (auto& [own, bytes] : sections)
            if (own == name) return bytes;
        throw std::runtime_error("no section " + std::string(name));
    }

    /// Value number i of a section of values of type T.
    template <class T>
    void set(std::string_view name, std::size_t i, T value) {
        std::memcpy((*this)[name].data() + i * sizeof value, &value, sizeof value);
    }

    /// Changes one section by chance: some of its words, their order, all of them, or its size.
    void damage(trawl::detail::random& random) {
        auto& bytes = sections[random.below(sections.size())].second;
        auto const words = bytes.size() / 4;
        auto const fill = [&](std::byte value) { std::fill(bytes.begin(), bytes.end(), value); };
        switch (random.below(16)) {
        case 0:
        case 1:
            bytes.resize(random.below(2 * bytes.size() + 64));
            return;
        case 2:
            return fill(std::byte{0});
        case 3:
            return fill(std::byte{0xFF});
        case 4: // repeats a piece
            if (bytes.empty()) return;
            {
                auto const from = random.below(bytes.size());
                auto const to = random.below(bytes.size());
                for (std::size_t i = 0; i < 64; ++i)
                    bytes[(to + i) % bytes.size()] = bytes[(from + i) % bytes.size()];
            }
            return;
        case 5: // another order
            for (std::size_t i = 1; i < words; ++i) {
                auto const other = random.below(i + 1);
                if (other == i) continue;
                std::uint32_t a = 0, b = 0;
                std::memcpy(&a, bytes.data() + 4 * i, 4);
                std::memcpy(&b, bytes.data() + 4 * other, 4);
                std::memcpy(bytes.data() + 4 * i, &b, 4);
                std::memcpy(bytes.data() + 4 * other, &a, 4);
            }
            return;
        case 6:
            return std::swap(bytes, sections[random.below(sections.size())].second);
        default:
            break;
        }
        constexpr std::uint32_t values[] = {0, 1, 2, 63, 64, 0x7F800000u, 0x7FC00000u, 0xFF800000u,
            0x7F7FFFFFu, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu};
        for (auto rounds = 1 + random.below(3); rounds > 0 && words > 0; --rounds) {
            auto const at = random.below(words) * 4;
            auto const word = random.below(3) == 0 ? static_cast<std::uint32_t>(random.next())
                                                   : values[random.below(std::size(values))];
            std::memcpy(bytes.data() + at, &word, sizeof word);
        }
    }
};

} // namespace support
