// SPDX-License-Identifier: MIT
#pragma once

/// A borrowed callable, two pointers large. It is valid only during the call that receives it, so it
/// is passed and never stored.

#include <concepts>
#include <type_traits>
#include <utility>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

template <class Signature>
class function_ref;

template <class Result, class... Args>
class function_ref<Result(Args...)> {
public:
    template <class F>
        requires(!std::same_as<std::remove_cvref_t<F>, function_ref>
                    && std::is_object_v<std::remove_reference_t<F>>
                    && std::is_invocable_r_v<Result, F&, Args...>)
    function_ref(F&& f) noexcept // NOLINT(google-explicit-constructor): implicit on purpose
        : object_(const_cast<void*>(static_cast<void const*>(&f))),
          call_([](void* object, Args... args) -> Result {
              return (*static_cast<std::remove_reference_t<F>*>(object))(
                  std::forward<Args>(args)...);
          }) {}

    Result operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

private:
    void* object_;
    Result (*call_)(void*, Args...);
};

TRAWL_END_NAMESPACE
