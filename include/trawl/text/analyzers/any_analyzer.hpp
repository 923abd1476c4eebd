// SPDX-License-Identifier: MIT
#pragma once

/// Type-erased analyzer, chosen at run time.

#include <concepts>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <trawl/core/concepts.hpp>
#include <trawl/text/surface.hpp>

TRAWL_BEGIN_NAMESPACE

/// Holds any analyzer; copies share it. Thread-safe if it is. One virtual call per text.
class any_analyzer {
public:
    /// Holds a standard_analyzer.
    any_analyzer();

    template <class A>
        requires(
            !std::same_as<std::remove_cvref_t<A>, any_analyzer> && analyzer<std::remove_cvref_t<A>>)
    any_analyzer(A&& held) // NOLINT(google-explicit-constructor): implicit on purpose
        : held_(std::make_shared<model<std::remove_cvref_t<A>> const>(std::forward<A>(held))) {}

    /// The analyzer of this name, as on the command line: one of names().
    /// @throws trawl::error (invalid_argument) for any other name; the message lists names().
    [[nodiscard]] static any_analyzer named(std::string_view name);

    /// The names that named() takes.
    [[nodiscard]] static std::span<std::string_view const> names() noexcept;

    /// Passes the tokens of a text to sink, as the analyzer it holds does.
    void analyze(std::string_view text, token_sink sink) const { held_->analyze(text, sink); }

    /// Passes the words of a text to sink, as the analyzer it holds does: see surface.hpp.
    void analyze_surface(std::string_view text, surface_sink sink) const {
        held_->analyze_surface(text, sink);
    }

private:
    struct base {
        virtual ~base() = default;
        virtual void analyze(std::string_view text, token_sink sink) const = 0;
        virtual void analyze_surface(std::string_view text, surface_sink sink) const = 0;
    };

    template <class A>
    struct model final : base {
        template <class From>
        explicit model(From&& from) : held(std::forward<From>(from)) {}
        void analyze(std::string_view text, token_sink sink) const override {
            held.analyze(text, sink);
        }
        void analyze_surface(std::string_view text, surface_sink sink) const override {
            trawl::analyze_surface(held, text, sink);
        }
        A held;
    };

    std::shared_ptr<base const> held_;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/text/detail/any_analyzer_inl.hpp>
#endif
