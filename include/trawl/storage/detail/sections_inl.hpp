// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of storage/sections.hpp.

#include <trawl/storage/sections.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/storage/checksum.hpp>
#include <trawl/storage/detail/file_replacement.hpp>
#include <trawl/storage/detail/section_layout.hpp>
#include <trawl/storage/file.hpp>
#include <trawl/storage/mapped_file.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// A name that fits its place in a file.
[[nodiscard]] inline std::string checked_name(std::string_view what, std::string_view name) {
    constexpr auto most = std::tuple_size_v<section_name>;
    if (name.empty() || name.size() > most) {
        fail(errc::invalid_argument,
            join(what, ": must have 1 to ", most, " bytes, ", name, " has ", name.size()));
    }
    if (auto const at = name.find('\0'); at != std::string_view::npos) {
        fail(errc::invalid_argument,
            join(what, ": must not contain a NUL byte, has one at byte ", at));
    }
    return std::string(name);
}

[[nodiscard]] inline section_name padded(std::string_view text) {
    section_name name = {};
    std::copy(text.begin(), text.end(), name.begin());
    return name;
}

[[nodiscard]] inline bool all_zero(std::span<std::byte const> bytes) noexcept {
    for (auto const b : bytes) {
        if (b != std::byte{0}) return false;
    }
    return true;
}

[[noreturn]] TRAWL_COLD inline void fail_corrupt(open_sections const& in, std::string_view reason) {
    fail(errc::corrupt, join(in.path, ": ", reason));
}

// Reads the header. Returns a copy of all before the payload, which has the right checksum.
[[nodiscard]] inline std::vector<std::byte> read_front(open_sections& in) {
    auto const bytes = in.file.bytes();
    auto& header = in.header;
    auto const magic = file_header().magic;
    if (bytes.size() < magic.size() || std::memcmp(bytes.data(), magic.data(), magic.size()) != 0)
        fail_corrupt(in, "is no file of trawl's");
    if (bytes.size() < sizeof header) fail_corrupt(in, "ends within its header");
    std::memcpy(&header, bytes.data(), sizeof header);
    if (header.layout != file_header().layout) {
        fail_corrupt(in, join("has layout ", header.layout, ", this program reads layout ",
                             file_header().layout));
    }
    if (header.size != bytes.size()) {
        fail_corrupt(in, join("has ", bytes.size(), " bytes, its header says ", header.size));
    }
    auto const table_size = sizeof(section_entry) * std::uint64_t{header.sections};
    if (header.payload > bytes.size() || header.payload % section_alignment != 0
        || header.payload < sizeof header + table_size) {
        fail_corrupt(in, "its header contradicts itself");
    }
    std::vector<std::byte> front(
        bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(header.payload));
    auto blank = header;
    blank.checksum = 0;
    std::memcpy(front.data(), &blank, sizeof blank);
    if (checksum(front) != header.checksum)
        fail_corrupt(in, "its header or its table of sections is damaged");
    return front;
}

// Checks that the sections follow each other and fill the file. Returns their number of blocks.
[[nodiscard]] inline std::uint64_t check_table(open_sections const& in) {
    auto const bytes = in.file.bytes();
    std::uint64_t blocks = 0;
    auto next = in.header.payload;
    for (auto const& entry : in.table) {
        if (entry.at != next || entry.size > bytes.size() - next
            || aligned(entry.size) > bytes.size() - next) {
            fail_corrupt(in, join("section ", text_of(entry.name), " lies outside"));
        }
        next += aligned(entry.size);
        blocks += blocks_of(entry.size);
        if (!all_zero(bytes.subspan(entry.at + entry.size, next - entry.at - entry.size)))
            fail_corrupt(in, join("is damaged behind section ", text_of(entry.name)));
    }
    if (next != bytes.size()) fail_corrupt(in, "its table of sections contradicts itself");
    return blocks;
}

inline void sort_names(open_sections& in) {
    in.by_name.resize(in.table.size());
    for (std::size_t i = 0; i < in.table.size(); ++i) in.by_name[i] = static_cast<std::uint32_t>(i);
    std::sort(in.by_name.begin(), in.by_name.end(),
        [&](std::uint32_t a, std::uint32_t b) { return in.table[a].name < in.table[b].name; });
    for (std::size_t i = 1; i < in.by_name.size(); ++i) {
        auto const& name = in.table[in.by_name[i]].name;
        if (name == in.table[in.by_name[i - 1]].name)
            fail_corrupt(in, join("has two sections ", text_of(name)));
    }
}

[[nodiscard]] inline section_entry const* find_section(
    open_sections const& in, std::string_view name) noexcept {
    if (name.size() > std::tuple_size_v<section_name>) return nullptr;
    section_name wanted = {};
    for (std::size_t i = 0; i < name.size(); ++i) wanted[i] = name[i];
    auto const at = std::lower_bound(in.by_name.begin(), in.by_name.end(), wanted,
        [&](std::uint32_t i, section_name const& w) { return in.table[i].name < w; });
    if (at == in.by_name.end() || in.table[*at].name != wanted) return nullptr;
    return &in.table[*at];
}

[[nodiscard]] inline std::shared_ptr<open_sections const> opened_sections(
    std::string const& path, mapped_file bytes) {
    auto made = std::make_shared<open_sections>();
    auto& in = *made;
    in.path = path;
    in.file = std::move(bytes);
    auto const front = read_front(in);
    in.table.resize(in.header.sections);
    auto const sums_at = sizeof(file_header) + sizeof(section_entry) * in.table.size();
    if (!in.table.empty()) {
        std::memcpy(in.table.data(), front.data() + sizeof(file_header),
            sizeof(section_entry) * in.table.size());
    }
    auto const blocks = check_table(in);
    if (blocks > (front.size() - sums_at) / sizeof(std::uint64_t))
        fail_corrupt(in, "its table of sections contradicts itself");
    in.sums.resize(blocks);
    if (blocks > 0)
        std::memcpy(in.sums.data(), front.data() + sums_at, sizeof(std::uint64_t) * blocks);
    sort_names(in);
    return made;
}

} // namespace detail

TRAWL_INLINE section_writer::section_writer(std::string_view kind, std::uint32_t version)
    : kind_(detail::checked_name("kind", kind)), version_(version) {}

TRAWL_INLINE void section_writer::add_bytes(
    std::string_view name, std::span<std::byte const> bytes) {
    sections_.push_back({detail::checked_name("name of a section", name), bytes});
}

// All before the sections. Checks what write() promises to refuse.
TRAWL_INLINE std::vector<std::byte> section_writer::front(std::string const& path) const {
    using namespace detail;
    constexpr auto most = (std::numeric_limits<std::uint32_t>::max)();
    if (sections_.size() > most) {
        fail(errc::invalid_argument,
            join(path, ": must have at most ", most, " sections, has ", sections_.size()));
    }
    std::vector<section_entry> table;
    std::vector<section_name> names;
    std::vector<std::uint64_t> sums;
    for (auto const& [name, bytes] : sections_) {
        table.push_back({.name = padded(name), .size = bytes.size()});
        names.push_back(table.back().name);
        for (std::size_t at = 0; at < bytes.size(); at += checked_block) {
            sums.push_back(
                checksum(bytes.subspan(at, (std::min)(checked_block, bytes.size() - at))));
        }
    }
    std::sort(names.begin(), names.end());
    if (auto const twice = std::adjacent_find(names.begin(), names.end()); twice != names.end()) {
        fail(errc::invalid_argument,
            join(path, ": must have each section once, has ", text_of(*twice), " twice"));
    }

    file_header header{.sections = static_cast<std::uint32_t>(table.size()),
        .kind = padded(kind_),
        .kind_version = version_};
    header.payload = aligned(
        sizeof header + sizeof(section_entry) * table.size() + sizeof(std::uint64_t) * sums.size());
    header.size = header.payload;
    for (auto& entry : table) {
        entry.at = header.size;
        header.size += aligned(entry.size);
    }
    std::vector<std::byte> front(header.payload);
    std::memcpy(front.data(), &header, sizeof header);
    auto const put = [&](std::size_t at, auto const& values) {
        if (!values.empty())
            std::memcpy(front.data() + at, values.data(), std::span(values).size_bytes());
    };
    put(sizeof header, table);
    put(sizeof header + sizeof(section_entry) * table.size(), sums);
    header.checksum = checksum(front);
    std::memcpy(front.data(), &header, sizeof header);

    return front;
}

namespace detail {

// Zeros up to the next section.
[[nodiscard]] inline std::span<std::byte const> padding_behind(std::size_t size) noexcept {
    static constexpr std::array<std::byte, section_alignment> zeros = {};
    return {zeros.data(), static_cast<std::size_t>(aligned(size) - size)};
}

} // namespace detail

TRAWL_INLINE void section_writer::write(std::string const& path) const {
    auto const begin = front(path);
    detail::file_replacement file(path);
    auto const write = [&](std::span<std::byte const> bytes) {
        file.write({reinterpret_cast<char const*>(bytes.data()), bytes.size()});
    };
    write(begin);
    for (auto const& each : sections_) {
        write(each.bytes);
        write(detail::padding_behind(each.bytes.size()));
    }
    file.commit();
}

TRAWL_INLINE section_file section_writer::in_memory(std::string const& name) const {
    auto const begin = front(name);
    auto size = begin.size();
    for (auto const& each : sections_)
        size += static_cast<std::size_t>(detail::aligned(each.bytes.size()));
    mapped_file::memory bytes;
    bytes.reserve(size);
    bytes.insert(bytes.end(), begin.begin(), begin.end());
    for (auto const& each : sections_) {
        bytes.insert(bytes.end(), each.bytes.begin(), each.bytes.end());
        bytes.resize(static_cast<std::size_t>(detail::aligned(bytes.size())));
    }
    return section_file(detail::opened_sections(name, mapped_file(std::move(bytes))));
}

TRAWL_INLINE section_file::section_file(std::string const& path, open_options options)
    : sections_(detail::opened_sections(path, mapped_file(path, options.copy))) {
    if (options.verify == verification::all) verify();
}

TRAWL_INLINE section_file::section_file(
    std::string const& path, std::string_view kind, std::uint32_t version, open_options options)
    : section_file(path, {.copy = options.copy}) {
    if (this->kind() != kind) fail(detail::join("holds a ", this->kind(), ", not a ", kind));
    if (this->version() > version) {
        fail(detail::join("is of version ", this->version(), " of ", kind,
            ", which a newer version of trawl writes; this program reads up to ", version));
    }
    if (options.verify == verification::all) verify();
}

TRAWL_INLINE std::string_view section_file::kind() const noexcept {
    return detail::text_of(sections_->header.kind);
}
TRAWL_INLINE std::uint32_t section_file::version() const noexcept {
    return sections_->header.kind_version;
}
TRAWL_INLINE std::string const& section_file::path() const noexcept { return sections_->path; }
TRAWL_INLINE std::uint64_t section_file::size() const noexcept { return sections_->header.size; }

TRAWL_INLINE bool section_file::has(std::string_view name) const noexcept {
    return detail::find_section(*sections_, name) != nullptr;
}

TRAWL_INLINE std::span<std::byte const> section_file::bytes_of(
    std::string_view name, std::size_t value_size) const {
    auto const* const entry = detail::find_section(*sections_, name);
    if (entry == nullptr) fail(detail::join("has no section ", name));
    if (entry->size % value_size != 0) {
        fail(detail::join(
            "section ", name, " of ", entry->size, " bytes is no array of values of ", value_size));
    }
    return sections_->file.bytes().subspan(entry->at, entry->size);
}

[[noreturn]] TRAWL_COLD TRAWL_INLINE void section_file::fail_count(
    std::string_view name, std::size_t values) const {
    fail(detail::join("section ", name, " has ", values, " values, not 1"));
}

TRAWL_INLINE void section_file::verify() const {
    std::size_t block = 0;
    for (auto const& entry : sections_->table) {
        auto const bytes = sections_->file.bytes().subspan(entry.at, entry.size);
        for (std::size_t at = 0; at < bytes.size(); at += detail::checked_block) {
            auto const size = (std::min)(detail::checked_block, bytes.size() - at);
            if (checksum(bytes.subspan(at, size)) != sections_->sums[block++]) {
                fail(detail::join("section ", detail::text_of(entry.name), " is damaged in the ",
                    size, " bytes from byte ", at));
            }
        }
    }
}

[[noreturn]] TRAWL_COLD TRAWL_INLINE void section_file::fail(std::string_view reason) const {
    detail::fail_corrupt(*sections_, reason);
}

TRAWL_INLINE void verify(std::string const& path) {
    section_file(path, {.verify = verification::all});
}

TRAWL_END_NAMESPACE
