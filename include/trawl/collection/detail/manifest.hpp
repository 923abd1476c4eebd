// SPDX-License-Identifier: MIT
#pragma once

/// What a collection is at one moment: its segments, and which of their rows are erased. The one file
/// that a commit replaces.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/error.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// A bit for each row.
using live_bits = std::shared_ptr<std::vector<std::uint64_t> const>;

struct manifest_segment {
    std::uint64_t number = 0; ///< of its file; no two segments ever had the same
    std::uint64_t rows = 0;
    std::uint64_t erased = 0;
    live_bits live = {}; ///< null: none is erased
};

struct manifest {
    std::uint64_t generation = 0; ///< how many commits and merges there were
    std::uint64_t next_segment = 1;
    doc_id next_id = 0;
    std::vector<manifest_segment> segments = {}; ///< by the ids of their rows

    /// Opens the sections of a manifest file.
    /// @throws trawl::error (corrupt).
    [[nodiscard]] static manifest opened(section_file const& file);
};

struct manifest_head {
    std::uint64_t generation = 0;
    std::uint64_t next_segment = 0;
    std::uint32_t next_id = 0;
    std::uint32_t zero = 0;
};

struct manifest_row {
    std::uint64_t number = 0;
    std::uint64_t rows = 0;
    std::uint64_t erased = 0;
};

/// Adds the sections of a manifest.
inline void add_to(section_writer& writer, manifest const& from, std::string const& schema) {
    manifest_head const head{from.generation, from.next_segment, from.next_id, 0};
    std::vector<manifest_row> rows;
    std::vector<std::uint64_t> live;
    for (auto const& segment : from.segments) {
        rows.push_back({segment.number, segment.rows, segment.erased});
        if (segment.erased > 0) live.insert(live.end(), segment.live->begin(), segment.live->end());
    }
    writer.add_copy("head", std::span(&head, 1));
    writer.add_copy("schema", std::span<char const>(schema));
    writer.add_copy("segments", std::span<manifest_row const>(rows));
    writer.add_copy("live", std::span<std::uint64_t const>(live));
}

inline manifest manifest::opened(section_file const& file) {
    auto const head = file.value<manifest_head>("head");
    auto live = file.array<std::uint64_t>("live");
    manifest made{head.generation, head.next_segment, head.next_id, {}};
    for (auto const& row : file.array<manifest_row>("segments")) {
        manifest_segment segment{row.number, row.rows, row.erased, nullptr};
        if (row.rows >= no_doc || row.erased > row.rows || row.number >= head.next_segment)
            file.fail(join("segment ", row.number, " has ", row.rows, " rows, of which ",
                row.erased, " are erased"));
        if (row.erased > 0) {
            auto const words = static_cast<std::size_t>((row.rows + 63) / 64);
            if (words > live.size()) file.fail("has too few bits of live rows");
            auto bits = std::make_shared<std::vector<std::uint64_t>>(
                live.begin(), live.begin() + static_cast<std::ptrdiff_t>(words));
            if (row.rows % 64 != 0) bits->back() &= (std::uint64_t{1} << row.rows % 64) - 1;
            std::uint64_t count = 0;
            for (auto const word : *bits) count += static_cast<unsigned>(std::popcount(word));
            if (row.rows - count != row.erased)
                file.fail(join("segment ", row.number, " has ", row.rows - count,
                    " erased rows, not ", row.erased));
            segment.live = std::move(bits);
            live = live.subspan(words);
        }
        made.segments.push_back(std::move(segment));
    }
    if (!live.empty()) file.fail("has too many bits of live rows");
    return made;
}

} // namespace detail
TRAWL_END_NAMESPACE
