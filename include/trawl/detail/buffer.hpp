// SPDX-License-Identifier: MIT
#pragma once

/// Private arrays that cost a compiler little: array_ref in place of std::span, buffer in place of
/// std::vector. Under GCC 12 a new element type takes half a millisecond in each, where a std::vector
/// that grows takes 6 and a std::span made of one 14. Public signatures use the standard's.

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Elements that lie side by side, borrowed: of whatever has data() and size().
template <class T>
class array_ref {
public:
    array_ref() = default;
    array_ref(T* data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <class Array>
        requires requires(Array& from) { array_ref(from.data(), from.size()); }
    array_ref(Array&& from) noexcept // NOLINT(google-explicit-constructor): implicit as std::span's
        : data_(from.data()), size_(from.size()) {}

    [[nodiscard]] T* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] T* begin() const noexcept { return data_; }
    [[nodiscard]] T* end() const noexcept { return data_ + size_; }
    [[nodiscard]] T& operator[](std::size_t i) const noexcept { return data_[i]; }
    [[nodiscard]] T& front() const noexcept { return data_[0]; }
    [[nodiscard]] T& back() const noexcept { return data_[size_ - 1]; }
    [[nodiscard]] array_ref subspan(std::size_t first, std::size_t count) const noexcept {
        return {data_ + first, count};
    }
    [[nodiscard]] array_ref subspan(std::size_t first) const noexcept {
        return {data_ + first, size_ - first};
    }
    [[nodiscard]] array_ref first(std::size_t count) const noexcept { return {data_, count}; }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

/// Memory for `capacity` elements of `bytes` each.
[[nodiscard]] inline void* allocate_elements(std::size_t capacity, std::size_t bytes) {
    constexpr auto all = static_cast<std::size_t>(-1);
    return ::operator new(capacity <= all / bytes ? capacity * bytes : all); // which throws
}

/// The same, with a copy of the first `size` elements of `from`, whose memory is given back.
[[nodiscard, gnu::noinline]] inline void* reallocate_elements(
    void* from, std::size_t size, std::size_t capacity, std::size_t bytes) {
    auto* const to = allocate_elements(capacity, bytes);
    if (size > 0) std::memcpy(to, from, size * bytes);
    ::operator delete(from);
    return to;
}

/// A growing array, as std::vector, of elements that moving cannot fail. Those that are trivially
/// copyable are moved and copied as bytes. push_back takes its element by value: it may be one of
/// the buffer's own.
template <class T>
class buffer {
    static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__, "operator new aligns no further");

public:
    using value_type = T;

    buffer() = default;
    /// `size` elements of the value T().
    explicit buffer(std::size_t size) : buffer() {
        data_ = static_cast<T*>(allocate_elements(size, sizeof(T)));
        capacity_ = size;
        for (; size_ < size; ++size_) ::new (static_cast<void*>(data_ + size_)) T();
    }
    explicit buffer(std::size_t size, T const& value) : buffer() { resize(size, value); }
    buffer(buffer const& other) : buffer() { append(other.data_, other.size_); }
    buffer(buffer&& other) noexcept { swap(other); }
    buffer& operator=(buffer other) noexcept {
        swap(other);
        return *this;
    }
    ~buffer() {
        clear();
        ::operator delete(data_);
    }

    [[nodiscard]] T* data() noexcept { return data_; }
    [[nodiscard]] T const* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] T* begin() noexcept { return data_; }
    [[nodiscard]] T* end() noexcept { return data_ + size_; }
    [[nodiscard]] T const* begin() const noexcept { return data_; }
    [[nodiscard]] T const* end() const noexcept { return data_ + size_; }
    [[nodiscard]] T& operator[](std::size_t i) noexcept { return data_[i]; }
    [[nodiscard]] T const& operator[](std::size_t i) const noexcept { return data_[i]; }
    [[nodiscard]] T& front() noexcept { return data_[0]; }
    [[nodiscard]] T const& front() const noexcept { return data_[0]; }
    [[nodiscard]] T& back() noexcept { return data_[size_ - 1]; }
    [[nodiscard]] T const& back() const noexcept { return data_[size_ - 1]; }

    void reserve(std::size_t capacity) {
        if (capacity > capacity_) reallocate(capacity);
    }
    void push_back(T value) {
        make_room(1);
        append_one(static_cast<T&&>(value));
    }
    /// @param from  not the buffer's own.
    void append(T const* from, std::size_t count) {
        if (count == 0) return;
        make_room(count);
        if constexpr (std::is_trivially_copyable_v<T>) {
            std::memcpy(static_cast<void*>(end()), from, count * sizeof(T));
            size_ += count;
        } else {
            for (std::size_t i = 0; i < count; ++i) append_one(from[i]);
        }
    }
    /// New elements have the value T().
    void resize(std::size_t size) {
        shorten(size);
        make_room(size - size_);
        while (size_ < size) append_one(T());
    }
    /// @param value  not the buffer's own.
    void resize(std::size_t size, T const& value) {
        shorten(size);
        make_room(size - size_);
        while (size_ < size) append_one(value);
    }
    void assign(std::size_t size, T const& value) {
        clear();
        resize(size, value);
    }
    void pop_back() noexcept { data_[--size_].~T(); }
    void clear() noexcept { shorten(0); }
    /// The elements from `place` on move down.
    void insert(std::size_t place, T value) {
        push_back(value);
        for (auto at = size_ - 1; at > place; --at) data_[at] = static_cast<T&&>(data_[at - 1]);
        data_[place] = static_cast<T&&>(value);
    }
    /// Drops the elements from place `first` to before `last`; those behind move up.
    void erase(std::size_t first, std::size_t last) noexcept {
        for (; last < size_; ++first, ++last) data_[first] = static_cast<T&&>(data_[last]);
        shorten(first);
    }
    /// Gives back the memory that is not used, if there is enough to copy the rest.
    void shrink_to_fit() noexcept {
        static_assert(std::is_trivially_copyable_v<T>);
        if (size_ == capacity_) return;
        auto* const to = size_ == 0 ? nullptr : ::operator new(size_ * sizeof(T), std::nothrow);
        if (size_ > 0 && to == nullptr) return;
        if (size_ > 0) std::memcpy(to, data_, size_ * sizeof(T));
        ::operator delete(data_);
        data_ = static_cast<T*>(to);
        capacity_ = size_;
    }
    void swap(buffer& other) noexcept {
        auto* const data = data_;
        auto const size = size_;
        auto const capacity = capacity_;
        data_ = other.data_;
        size_ = other.size_;
        capacity_ = other.capacity_;
        other.data_ = data;
        other.size_ = size;
        other.capacity_ = capacity;
    }

private:
    void make_room(std::size_t more) {
        if (more > capacity_ - size_) reallocate(more > size_ ? size_ + more : 2 * size_);
    }
    void reallocate(std::size_t capacity) {
        if constexpr (std::is_trivially_copyable_v<T>) {
            constexpr auto bytes =
                sizeof(T); // NOLINT(bugprone-sizeof-expression): also of pointers
            data_ = static_cast<T*>(reallocate_elements(data_, size_, capacity, bytes));
        } else {
            static_assert(std::is_nothrow_move_constructible_v<T>);
            buffer grown;
            grown.data_ = static_cast<T*>(allocate_elements(capacity, sizeof(T)));
            for (auto& element : *this) grown.append_one(static_cast<T&&>(element));
            swap(grown);
        }
        capacity_ = capacity;
    }
    template <class Value>
    void append_one(Value&& value) {
        ::new (static_cast<void*>(data_ + size_)) T(static_cast<Value&&>(value));
        ++size_;
    }
    void shorten(std::size_t size) noexcept {
        if constexpr (std::is_trivially_destructible_v<T>) {
            if (size < size_) size_ = size;
        } else {
            while (size < size_) pop_back();
        }
    }

    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

} // namespace detail
TRAWL_END_NAMESPACE
