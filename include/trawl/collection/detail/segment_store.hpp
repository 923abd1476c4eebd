// SPDX-License-Identifier: MIT
#pragma once

/// Where a collection keeps its segments and its manifest: a directory, or memory.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Members may be called from several threads at once; one of them at a time writes the manifest.
class segment_store {
public:
    segment_store() = default;
    segment_store(segment_store const&) = delete;
    segment_store& operator=(segment_store const&) = delete;
    virtual ~segment_store() = default;

    /// What messages call the collection.
    [[nodiscard]] virtual std::string const& name() const noexcept = 0;

    /// Writes a segment, durably, and opens it.
    /// @throws trawl::error (io); nothing is left of it then.
    [[nodiscard]] virtual section_file write(std::uint64_t number, section_writer const& from) = 0;

    /// @throws trawl::error (io; corrupt).
    [[nodiscard]] virtual section_file open(std::uint64_t number) const = 0;

    /// Replaces the manifest, atomically and durably.
    /// @throws trawl::error (io); see manifest() for whether it has been replaced.
    virtual void write_manifest(section_writer const& from) = 0;

    /// The manifest as it is now; nothing if there is none yet.
    /// @throws trawl::error (io; corrupt).
    [[nodiscard]] virtual std::optional<section_file> manifest() const = 0;

    /// Removes all segments but these. Those that cannot be removed stay.
    virtual void keep_only(std::span<std::uint64_t const> used) noexcept = 0;
};

inline constexpr char const* manifest_kind = "collection";
inline constexpr char const* segment_kind = "segment";
inline constexpr std::uint32_t manifest_version = 1;
inline constexpr std::uint32_t segment_version = 1;

/// In a directory, which is created if need be and locked unless it is only read.
/// @throws trawl::error (io).
[[nodiscard]] std::unique_ptr<segment_store> open_directory(std::string path, bool read_only);

[[nodiscard]] std::unique_ptr<segment_store> open_memory();

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/collection/detail/segment_store_inl.hpp>
#endif
