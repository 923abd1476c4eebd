// SPDX-License-Identifier: MIT
#pragma once

/// The layout of the front of our files: docs/formats.md, "What holds for every file".

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/config.hpp>
#include <trawl/storage/mapped_file.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

inline constexpr std::size_t section_alignment = 64;
inline constexpr std::size_t checked_block = std::size_t{1} << 16;

// A name, padded with zeros.
using section_name = std::array<char, 16>;

struct file_header {
    std::array<char, 8> magic = {'\x93', 'T', 'R', 'A', 'W', 'L', '\r', '\n'};
    std::uint32_t layout = 1; ///< version of all that docs/formats.md says of every file
    std::uint32_t sections = 0;
    section_name kind = {};
    std::uint32_t kind_version = 0;
    std::uint32_t zero = 0;
    std::uint64_t size = 0;     ///< of the file
    std::uint64_t payload = 0;  ///< where it begins: behind the table and the checksums of blocks
    std::uint64_t checksum = 0; ///< of all before the payload, with 0 here
};
static_assert(sizeof(file_header) == 64);

struct section_entry {
    section_name name = {};
    std::uint64_t at = 0;
    std::uint64_t size = 0;
};
static_assert(sizeof(section_entry) == 32);

/// What all copies of a section_file share.
struct open_sections {
    std::string path;
    mapped_file file;
    file_header header = {};
    std::vector<section_entry> table = {};
    std::vector<std::uint64_t> sums = {};    ///< checksums of blocks, section after section
    std::vector<std::uint32_t> by_name = {}; ///< places in the table, ascending by name
};

[[nodiscard]] inline std::uint64_t aligned(std::uint64_t size) noexcept {
    return (size + section_alignment - 1) / section_alignment * section_alignment;
}

[[nodiscard]] inline std::uint64_t blocks_of(std::uint64_t size) noexcept {
    return size / checked_block + (size % checked_block != 0 ? 1 : 0);
}

[[nodiscard]] inline std::string_view text_of(section_name const& name) noexcept {
    return {name.data(),
        static_cast<std::size_t>(std::find(name.begin(), name.end(), '\0') - name.begin())};
}

} // namespace detail
TRAWL_END_NAMESPACE
