// SPDX-License-Identifier: MIT
#pragma once

/// Who owns what a pipeline is given: an lvalue is borrowed (the caller keeps it alive and in
/// place), an rvalue is owned, a std::shared_ptr is shared.

#include <memory>
#include <type_traits>
#include <utility>

#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

template <class T>
class borrowed {
public:
    explicit borrowed(T const& object) noexcept : object_(std::addressof(object)) {}
    [[nodiscard]] T const& get() const noexcept { return *object_; }

private:
    T const* object_;
};

template <class T>
class owned {
public:
    explicit owned(T&& object) : object_(std::move(object)) {}
    [[nodiscard]] T const& get() const noexcept { return object_; }

private:
    T object_;
};

template <class T>
class shared {
public:
    explicit shared(std::shared_ptr<T> object) : object_(std::move(object)) {}
    [[nodiscard]] T const& get() const noexcept { return *object_; }

private:
    std::shared_ptr<T> object_;
};

template <class T>
struct holder {
    using type = owned<std::remove_const_t<T>>;
};
template <class T>
struct holder<T&> {
    using type = borrowed<std::remove_const_t<T>>;
};
template <class T>
struct holder<std::shared_ptr<T>> {
    using type = shared<T>;
};
template <class T>
struct holder<std::shared_ptr<T> const> {
    using type = shared<T>;
};
template <class T>
struct holder<std::shared_ptr<T>&> {
    using type = shared<T>;
};
template <class T>
struct holder<std::shared_ptr<T> const&> {
    using type = shared<T>;
};

/// How a forwarded argument of type T is kept.
template <class T>
using held = typename holder<T>::type;

/// What it is an object of, behind any holder.
template <class T>
using held_target = std::remove_cvref_t<decltype(std::declval<held<T> const&>().get())>;

template <class T>
inline constexpr bool is_shared_ptr = false;
template <class T>
inline constexpr bool is_shared_ptr<std::shared_ptr<T>> = true;

/// Refuses a shared_ptr that points to nothing; `name`, joined, says what it was to be.
template <class T, class... Name>
void require_object(T const& given, Name const&... name) {
    if constexpr (is_shared_ptr<T>) {
        if (given == nullptr) fail(errc::invalid_argument, join(name..., " is a null shared_ptr"));
    }
}

} // namespace detail
TRAWL_END_NAMESPACE
