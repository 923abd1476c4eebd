// SPDX-License-Identifier: MIT
#pragma once

/// The files that trawl keeps indexes in: named arrays, checked and mapped. docs/formats.md has
/// every byte.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/storage/checksum.hpp>
#include <trawl/storage/file.hpp>
#include <trawl/storage/mapped_file.hpp>

TRAWL_BEGIN_NAMESPACE

/// What opening a file checks of its bytes.
enum class verification : unsigned char {
    structure, ///< header, table of sections and sizes; in time that does not depend on the payload
    all,       ///< also every block's checksum: reads the whole file
};

struct open_options {
    bool copy = false; ///< read the file into memory, so that nobody can cut it short under us
    verification verify = verification::structure;
};

namespace detail {

inline constexpr std::size_t section_alignment = 64;
inline constexpr std::size_t checked_block = std::size_t{1} << 16;

// A name, filled up with zeros.
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

/// Arrays to be written to one file.
class section_writer {
public:
    /// @param kind  what the file holds, at most 16 bytes: "bm25_index".
    section_writer(std::string_view kind, std::uint32_t version)
        : kind_(named(kind)), version_(version) {}

    /// Adds an array; the writer keeps a view of it. Names are at most 16 bytes, each used once.
    template <class T, std::size_t Count>
    void add(std::string_view name, std::span<T, Count> values) {
        static_assert(std::has_unique_object_representations_v<T>
                          || std::is_floating_point_v<std::remove_const_t<T>>,
            "values without bytes that depend on nothing");
        sections_.push_back({named(name), std::as_bytes(values)});
    }

    /// Writes the file, in one step: other programs see the old one or the whole new one. The same
    /// arrays give the same bytes.
    /// @throws trawl::error (io), its text beginning "PATH: "; an old file then stays as it was.
    /// @par Complexity O(bytes); reads them twice.
    void write(std::string const& path) const {
        using namespace detail;
        std::vector<section_entry> table;
        std::vector<std::uint64_t> sums;
        for (auto const& [name, bytes] : sections_) {
            table.push_back({.name = name, .size = bytes.size()});
            for (std::size_t at = 0; at < bytes.size(); at += checked_block) {
                sums.push_back(
                    checksum(bytes.subspan(at, (std::min)(checked_block, bytes.size() - at))));
            }
        }
        file_header header{.sections = static_cast<std::uint32_t>(table.size()),
            .kind = kind_,
            .kind_version = version_};
        header.payload = aligned(sizeof header + sizeof(section_entry) * table.size()
                                 + sizeof(std::uint64_t) * sums.size());
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

        file_replacement file(path);
        auto const write = [&](std::span<std::byte const> bytes) {
            file.write({reinterpret_cast<char const*>(bytes.data()), bytes.size()});
            static constexpr std::array<char, section_alignment> zeros = {};
            file.write(
                {zeros.data(), static_cast<std::size_t>(aligned(bytes.size()) - bytes.size())});
        };
        write(front);
        for (auto const& part : sections_) write(part.bytes);
        file.commit();
    }

private:
    struct section {
        detail::section_name name;
        std::span<std::byte const> bytes;
    };

    [[nodiscard]] static detail::section_name named(std::string_view text) {
        detail::section_name name = {};
        TRAWL_ASSERT(text.size() <= name.size());
        std::copy_n(text.begin(), (std::min)(text.size(), name.size()), name.begin());
        return name;
    }

    detail::section_name kind_;
    std::uint32_t version_;
    std::vector<section> sections_;
};

/// A file of arrays, opened and checked. Copies share the file; the arrays live as long as one of
/// them.
///
/// Opening refuses what is cut short, too long, of another kind or version, or whose header or
/// table has a wrong checksum. What the arrays hold is not known to be good until it is verified:
/// whoever reads them stays within them whatever they hold.
class section_file {
public:
    /// @throws trawl::error (io; corrupt), its text beginning "PATH: ".
    explicit section_file(std::string const& path, open_options options = {})
        : path_(path), file_(std::make_shared<mapped_file>(path, options.copy)) {
        check_front();
        if (options.verify == verification::all) verify();
    }

    /// Also refuses another kind, and versions that are newer than this one.
    section_file(std::string const& path, std::string_view kind, std::uint32_t version,
        open_options options = {})
        : section_file(path, {.copy = options.copy}) {
        if (this->kind() != kind) fail(detail::join("holds a ", this->kind(), ", not a ", kind));
        if (this->version() > version) {
            fail(detail::join("is of version ", this->version(), " of ", kind,
                ", this program reads up to ", version));
        }
        if (options.verify == verification::all) verify();
    }

    [[nodiscard]] std::string_view kind() const noexcept { return detail::text_of(header_.kind); }
    [[nodiscard]] std::uint32_t version() const noexcept { return header_.kind_version; }
    [[nodiscard]] std::string const& path() const noexcept { return path_; }

    [[nodiscard]] bool has(std::string_view name) const noexcept {
        return find(name) != table_.size();
    }

    /// A section's values, at an address that is a multiple of 64.
    /// @throws trawl::error (corrupt) if there is no such section or it is no whole number of
    /// values.
    template <class T>
    [[nodiscard]] std::span<T const> array(std::string_view name) const {
        static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= detail::section_alignment);
        auto const at = find(name);
        if (at == table_.size()) fail(detail::join("has no section ", name));
        auto const bytes = file_->bytes().subspan(table_[at].at, table_[at].size);
        if (bytes.size() % sizeof(T) != 0) {
            fail(detail::join("section ", name, " of ", bytes.size(),
                " bytes is no array of values of ", sizeof(T)));
        }
        return {reinterpret_cast<T const*>(bytes.data()), bytes.size() / sizeof(T)};
    }

    /// A section that is one value.
    template <class T>
    [[nodiscard]] T value(std::string_view name) const {
        auto const values = array<T>(name);
        if (values.size() != 1)
            fail(detail::join("section ", name, " has ", values.size(), " values, not 1"));
        return values[0];
    }

    [[nodiscard]] std::string_view text(std::string_view name) const {
        auto const bytes = array<char>(name);
        return {bytes.data(), bytes.size()};
    }

    /// Checks every block.
    /// @throws trawl::error (corrupt) naming the section and the first byte of the block that is
    /// damaged.
    /// @par Complexity O(bytes).
    void verify() const {
        std::size_t block = 0;
        for (auto const& entry : table_) {
            auto const bytes = file_->bytes().subspan(entry.at, entry.size);
            for (std::size_t at = 0; at < bytes.size(); at += detail::checked_block) {
                auto const part =
                    bytes.subspan(at, (std::min)(detail::checked_block, bytes.size() - at));
                if (checksum(part) != sums_[block++]) {
                    fail(detail::join("section ", detail::text_of(entry.name),
                        " is damaged in the ", part.size(), " bytes from byte ", at));
                }
            }
        }
    }

    /// For readers that find the contents at odds: throws an error of the file.
    [[noreturn]] TRAWL_COLD void fail(std::string_view reason) const {
        detail::fail(errc::corrupt, detail::join(path_, ": ", reason));
    }

private:
    [[nodiscard]] std::size_t find(std::string_view name) const noexcept {
        std::size_t at = 0;
        while (at < table_.size() && detail::text_of(table_[at].name) != name) ++at;
        return at;
    }

    void check_front() {
        using namespace detail;
        auto const bytes = file_->bytes();
        auto const magic = file_header().magic;
        if (bytes.size() < magic.size()
            || std::memcmp(bytes.data(), magic.data(), magic.size()) != 0) {
            fail("is no file of trawl's");
        }
        if (bytes.size() < sizeof header_) fail("ends within its header");
        std::memcpy(&header_, bytes.data(), sizeof header_);
        if (header_.layout != file_header().layout) {
            fail(join("has layout ", header_.layout, ", this program reads layout ",
                file_header().layout));
        }
        if (header_.size != bytes.size()) {
            fail(join("has ", bytes.size(), " bytes, its header says ", header_.size));
        }
        auto const table_size = sizeof(section_entry) * std::uint64_t{header_.sections};
        if (header_.payload > bytes.size() || header_.payload < sizeof header_ + table_size) {
            fail("its header contradicts itself");
        }
        std::vector<std::byte> front(
            bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(header_.payload));
        auto blank = header_;
        blank.checksum = 0;
        std::memcpy(front.data(), &blank, sizeof blank);
        if (checksum(front) != header_.checksum)
            fail("its header or its table of sections is damaged");

        table_.resize(header_.sections);
        if (table_size > 0) std::memcpy(table_.data(), front.data() + sizeof header_, table_size);
        auto const room = (header_.payload - sizeof header_ - table_size) / sizeof(std::uint64_t);
        std::uint64_t blocks = 0;
        auto next = header_.payload;
        for (auto const& entry : table_) {
            if (entry.at != next || entry.size > bytes.size() - next
                || aligned(entry.size) > bytes.size() - next) {
                fail(join("section ", text_of(entry.name), " lies outside"));
            }
            next += aligned(entry.size);
            blocks += blocks_of(entry.size);
            auto const gap = bytes.subspan(entry.at + entry.size, next - entry.at - entry.size);
            if (std::any_of(
                    gap.begin(), gap.end(), [](std::byte b) { return b != std::byte{0}; })) {
                fail(join("is damaged behind section ", text_of(entry.name)));
            }
        }
        if (next != bytes.size() || blocks > room) fail("its table of sections contradicts itself");
        sums_.resize(blocks);
        if (blocks > 0) {
            std::memcpy(sums_.data(), front.data() + sizeof header_ + table_size,
                sizeof(std::uint64_t) * blocks);
        }
    }

    std::string path_;
    std::shared_ptr<mapped_file const> file_;
    detail::file_header header_;
    std::vector<detail::section_entry> table_;
    std::vector<std::uint64_t> sums_;
};

/// Checks every byte of a file of trawl's against its checksums.
/// @throws trawl::error (io; corrupt) naming the file and what is damaged.
inline void verify(std::string const& path) { section_file(path, {.verify = verification::all}); }

TRAWL_END_NAMESPACE
