// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of aligned_bytes.hpp.

#include <trawl/detail/aligned_bytes.hpp>

#include <cstddef>
#include <cstring>
#include <utility>

#include <trawl/detail/aligned_allocator.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE aligned_bytes::aligned_bytes(aligned_bytes const& other) {
    if (other.size_ == 0) return;
    reserve_more(other.size_);
    std::memcpy(append(other.size_), other.data_, other.size_);
}

TRAWL_INLINE aligned_bytes::aligned_bytes(aligned_bytes&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      capacity_(std::exchange(other.capacity_, 0)) {}

TRAWL_INLINE aligned_bytes& aligned_bytes::operator=(aligned_bytes other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
}

TRAWL_INLINE aligned_bytes::~aligned_bytes() {
    if (data_ != nullptr) aligned_allocator<std::byte>().deallocate(data_, capacity_);
}

TRAWL_INLINE void aligned_bytes::reserve_more(std::size_t more) {
    if (capacity_ - size_ >= more) return;
    auto const wanted = size_ + more < 2 * size_ ? 2 * size_ : size_ + more;
    auto* const at = aligned_allocator<std::byte>().allocate(wanted);
    if (size_ > 0) std::memcpy(at, data_, size_);
    if (data_ != nullptr) aligned_allocator<std::byte>().deallocate(data_, capacity_);
    data_ = at;
    capacity_ = wanted;
}

TRAWL_INLINE std::byte* aligned_bytes::append(std::size_t count) noexcept {
    TRAWL_ASSERT(capacity_ - size_ >= count);
    auto* const at = data_ + size_;
    size_ += count;
    return at;
}

TRAWL_INLINE void aligned_bytes::shrink_to_fit() noexcept {
    if (size_ == capacity_) return;
    if (size_ == 0) {
        *this = aligned_bytes();
        return;
    }
    auto* const at = aligned_allocator<std::byte>().try_allocate(size_);
    if (at == nullptr) return;
    std::memcpy(at, data_, size_);
    aligned_allocator<std::byte>().deallocate(data_, capacity_);
    data_ = at;
    capacity_ = size_;
}

} // namespace detail
TRAWL_END_NAMESPACE
