// SPDX-License-Identifier: MIT
#pragma once

/// A callable that a measure keeps: std::function without the cost of its header.

#include <concepts>
#include <type_traits>
#include <utility>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Holds a copy of any callable double(Argument const&), or nothing.
template <class Argument>
class measure_function {
public:
    measure_function() = default;
    template <class F>
        requires(!std::same_as<std::remove_cvref_t<F>, measure_function>
                 && std::is_invocable_r_v<double, F const&, Argument const&>)
    measure_function(F f) // NOLINT(google-explicit-constructor): implicit on purpose
        : kept_(new keeper<F>(std::move(f))) {}
    measure_function(measure_function const& other)
        : kept_(other.kept_ == nullptr ? nullptr : other.kept_->copy()) {}
    measure_function(measure_function&& other) noexcept
        : kept_(std::exchange(other.kept_, nullptr)) {}
    measure_function& operator=(measure_function other) noexcept {
        std::swap(kept_, other.kept_);
        return *this;
    }
    ~measure_function() { delete kept_; }

    /// Whether there is a callable.
    explicit operator bool() const noexcept { return kept_ != nullptr; }

    /// @pre There is a callable.
    double operator()(Argument const& argument) const { return kept_->call(argument); }

private:
    struct callable {
        virtual ~callable() = default;
        [[nodiscard]] virtual callable* copy() const = 0;
        [[nodiscard]] virtual double call(Argument const& argument) const = 0;
    };
    template <class F>
    struct keeper final : callable {
        explicit keeper(F f) : function(std::move(f)) {}
        [[nodiscard]] callable* copy() const override { return new keeper(function); }
        [[nodiscard]] double call(Argument const& argument) const override {
            return function(argument);
        }
        F function;
    };

    callable* kept_ = nullptr;
};

} // namespace detail
TRAWL_END_NAMESPACE
