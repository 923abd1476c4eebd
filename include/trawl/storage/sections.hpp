// SPDX-License-Identifier: MIT
#pragma once

/// The files in which trawl keeps indexes: named arrays, checksummed and mapped. docs/formats.md
/// describes every byte.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {
struct open_sections;
} // namespace detail

/// What opening a file checks.
enum class verification : unsigned char {
    structure, ///< header, table of sections and sizes; the time does not depend on the arrays
    all,       ///< also the checksum of every block: reads the whole file
};

struct open_options {
    bool copy = false; ///< read the file into memory, so that no program can truncate it under us
    verification verify = verification::structure;
};

class section_file;

/// Collects arrays and writes them to one file.
class section_writer {
public:
    /// @param kind  what the file holds, such as "bm25_index": 1 to 16 bytes without NUL.
    /// @throws trawl::error (invalid_argument) if the kind is empty, longer or has a NUL.
    section_writer(std::string_view kind, std::uint32_t version);

    /// Adds an array. The writer keeps a view: the array must live until write() returns.
    /// @param name  1 to 16 bytes without NUL; write() refuses a name that is used twice.
    /// @throws trawl::error (invalid_argument) if the name is empty, longer or has a NUL.
    template <class T, std::size_t Count>
    void add(std::string_view name, std::span<T, Count> values) {
        static_assert(std::has_unique_object_representations_v<T>
                          || std::is_floating_point_v<std::remove_const_t<T>>,
            "the values' bytes must depend on nothing but the values");
        add_bytes(name, std::as_bytes(values));
    }

    /// Adds a copy of a small array; the array need not outlive the call.
    template <class T, std::size_t Count>
    void add_copy(std::string_view name, std::span<T, Count> values) {
        auto const bytes = std::as_bytes(values);
        copies_.push_back(
            std::make_shared<std::vector<std::byte> const>(bytes.begin(), bytes.end()));
        static_assert(std::has_unique_object_representations_v<T>
                          || std::is_floating_point_v<std::remove_const_t<T>>,
            "the values' bytes must depend on nothing but the values");
        add_bytes(name, *copies_.back());
    }

    /// Writes the file in one step, as write_file() does. The same arrays give the same bytes.
    /// @throws trawl::error (io; invalid_argument), as write_file().
    /// @par Complexity  O(bytes); reads them twice. O(sections log sections) besides.
    void write(std::string const& path) const;

    /// The file that write() would write, in memory and opened.
    /// @param name  stands for the path in messages.
    /// @throws trawl::error (invalid_argument), as write().
    /// @par Complexity  O(bytes), of time and memory.
    [[nodiscard]] section_file in_memory(std::string const& name) const;

private:
    struct section {
        std::string name;
        std::span<std::byte const> bytes;
    };

    void add_bytes(std::string_view name, std::span<std::byte const> bytes);
    [[nodiscard]] std::vector<std::byte> front(std::string const& path) const;

    std::string kind_;
    std::uint32_t version_;
    std::vector<section> sections_;
    std::vector<std::shared_ptr<std::vector<std::byte> const>> copies_;
};

/// A file of arrays, opened and checked. A copy costs a pointer and shares the file; the arrays live
/// as long as one of the copies.
///
/// Opening refuses a file that is truncated, too long, of another kind or of a newer version, or
/// whose header or table has a wrong checksum. The arrays themselves may be damaged until verify()
/// has passed: whoever reads them must stay in bounds whatever they contain.
class section_file {
public:
    /// @throws trawl::error (io; corrupt), its text beginning "PATH: "; (invalid_argument) if the
    /// path contains a NUL byte.
    /// @par Complexity  O(sections log sections + bytes / 65536), and O(bytes) to copy or verify.
    explicit section_file(std::string const& path, open_options options = {});

    /// Also refuses another kind, and versions newer than `version`.
    section_file(std::string const& path, std::string_view kind, std::uint32_t version,
        open_options options = {});

    [[nodiscard]] std::string_view kind() const noexcept;
    [[nodiscard]] std::uint32_t version() const noexcept;
    [[nodiscard]] std::string const& path() const noexcept;

    /// @par Complexity  O(log sections), as array(), value() and text().
    [[nodiscard]] bool has(std::string_view name) const noexcept;

    /// The values of a section, at an address that is a multiple of 64.
    /// @throws trawl::error (corrupt) if there is no such section, or its size is no multiple of the
    /// size of a value.
    template <class T>
    [[nodiscard]] std::span<T const> array(std::string_view name) const {
        static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 64);
        auto const bytes = bytes_of(name, sizeof(T));
        return {reinterpret_cast<T const*>(bytes.data()), bytes.size() / sizeof(T)};
    }

    /// A section that holds a single value.
    /// @throws trawl::error (corrupt) if it holds another number of values.
    template <class T>
    [[nodiscard]] T value(std::string_view name) const {
        auto const values = array<T>(name);
        if (values.size() != 1) fail_count(name, values.size());
        return values[0];
    }

    [[nodiscard]] std::string_view text(std::string_view name) const {
        auto const bytes = array<char>(name);
        return {bytes.data(), bytes.size()};
    }

    /// The bytes of the file.
    [[nodiscard]] std::uint64_t size() const noexcept;

    /// Checks every block against its checksum.
    /// @throws trawl::error (corrupt) naming the section and the first byte of the block that is
    /// damaged.
    /// @par Complexity  O(bytes).
    void verify() const;

    /// Throws an error (corrupt) that begins with the path: for readers whose arrays contradict each
    /// other.
    [[noreturn]] void fail(std::string_view reason) const;

private:
    friend class section_writer;
    explicit section_file(std::shared_ptr<detail::open_sections const> opened) noexcept
        : sections_(std::move(opened)) {}

    [[nodiscard]] std::span<std::byte const> bytes_of(
        std::string_view name, std::size_t value_size) const;
    [[noreturn]] void fail_count(std::string_view name, std::size_t values) const;

    std::shared_ptr<detail::open_sections const> sections_;
};

/// Checks every byte of a file of this library against its checksums.
/// @throws trawl::error (io; corrupt) naming the file and what is damaged.
/// @par Complexity  O(bytes).
void verify(std::string const& path);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/storage/detail/sections_inl.hpp>
#endif
