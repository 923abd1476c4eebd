// SPDX-License-Identifier: MIT
#pragma once

/// A growing array of bytes that begins at a cache line and whose growth is split in two: making
/// room may fail, filling it never does.

#include <cstddef>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Bytes at an address that is a multiple of 64, in huge pages where there are many
/// (aligned_allocator).
class aligned_bytes {
public:
    aligned_bytes() = default;
    aligned_bytes(aligned_bytes const& other);
    aligned_bytes(aligned_bytes&& other) noexcept;
    aligned_bytes& operator=(aligned_bytes other) noexcept;
    ~aligned_bytes();

    [[nodiscard]] std::byte* data() noexcept { return data_; }
    [[nodiscard]] std::byte const* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    /// Makes room for `more` bytes; at least doubles what it has to move. If memory runs out,
    /// nothing changes.
    void reserve_more(std::size_t more);

    /// Appends bytes that there is room for; returns where they are. Their values are whatever was
    /// there.
    std::byte* append(std::size_t count) noexcept;

    /// Drops the bytes from `size` on.
    void cut(std::size_t size) noexcept { size_ = size; }

    /// Gives back the memory that is not used, if there is enough to copy the rest.
    void shrink_to_fit() noexcept;

private:
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/detail/aligned_bytes_inl.hpp>
#endif
