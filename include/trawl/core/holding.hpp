// SPDX-License-Identifier: MIT
#pragma once

/// Who owns what a pipeline is given: an rvalue is owned, a std::shared_ptr shared. An lvalue is
/// borrowed if it is an index, a model or a store, which the caller keeps alive and in place. Any
/// other lvalue is copied: a lambda, a function object, a stage. std::ref(x) borrows whatever x is.

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include <trawl/core/concepts.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// A type with a named member that a concept asks for, such as search or embed; a callable has none.
template <class T>
concept has_named_contract = retriever<T> || embedder<T> || vector_source<T>
                             || requires(T const& t, doc_id id) { t.text(id); };

// In this order: asking whether a pipeline is copyable, while it is being copied, would recurse.
template <class T>
concept borrowed_by_default = has_named_contract<T> || !std::copy_constructible<T>;

} // namespace detail

/// Whether a pipeline borrows an lvalue of type T: an index (search), an embedder (embed), a store
/// of texts (text) or of vectors (copy_vector), and whatever cannot be copied. A program may
/// specialise it for a callable that is costly to copy:
///
///     template <> inline constexpr bool trawl::borrows_lvalue<my_cross_encoder> = true;
template <class T>
inline constexpr bool borrows_lvalue = detail::borrowed_by_default<T>;

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
    explicit owned(T const& object) : object_(object) {}
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

// std::ref(x), without the header that declares it.
template <class T>
concept reference_to_object = requires(T const& t) {
    typename T::type;
    { t.get() } -> std::same_as<typename T::type&>;
    requires std::convertible_to<T, typename T::type&>;
};

template <class T>
struct holder {
    using type = owned<std::remove_const_t<T>>;
};
template <class T>
struct holder<T&> {
    using type = std::conditional_t<borrows_lvalue<std::remove_const_t<T>>,
        borrowed<std::remove_const_t<T>>, owned<std::remove_const_t<T>>>;
};
template <class T>
    requires std::is_function_v<T>
struct holder<T&> {
    using type = owned<T*>;
};
template <reference_to_object T>
struct holder<T> {
    using type = borrowed<std::remove_const_t<typename T::type>>;
};
template <reference_to_object T>
struct holder<T&> {
    using type = borrowed<std::remove_const_t<typename T::type>>;
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

/// The type of the object that is kept, whoever owns it.
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
