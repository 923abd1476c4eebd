// SPDX-License-Identifier: MIT
#pragma once

/// An analyzer chosen at run time.

#include <array>
#include <concepts>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <trawl/core/concepts.hpp>
#include <trawl/error.hpp>
#include <trawl/text/analyzers/bm25s_analyzer.hpp>
#include <trawl/text/analyzers/english_analyzer.hpp>
#include <trawl/text/analyzers/french_analyzer.hpp>
#include <trawl/text/analyzers/german_analyzer.hpp>
#include <trawl/text/analyzers/lucene_english_analyzer.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>
#include <trawl/text/analyzers/tantivy_default_analyzer.hpp>
#include <trawl/text/analyzers/technical_analyzer.hpp>
#include <trawl/text/analyzers/whitespace_analyzer.hpp>

TRAWL_BEGIN_NAMESPACE

/// Holds any analyzer; copies share it. Thread-safe if it is. One virtual call a text.
class any_analyzer {
public:
    /// Holds a standard_analyzer.
    any_analyzer() : any_analyzer(standard_analyzer{}) {}

    template <class A>
        requires(
            !std::same_as<std::remove_cvref_t<A>, any_analyzer> && analyzer<std::remove_cvref_t<A>>)
    any_analyzer(A&& held) // NOLINT(google-explicit-constructor): implicit on purpose
        : held_(std::make_shared<model<std::remove_cvref_t<A>> const>(std::forward<A>(held))) {}

    /// The analyzer that a command line names: one of names().
    /// @throws trawl::error (invalid_argument) for any other name; it tells the known ones.
    [[nodiscard]] static any_analyzer named(std::string_view name) {
        if (name == "standard") return standard_analyzer{};
        if (name == "technical") return technical_analyzer{};
        if (name == "english") return english_analyzer{};
        if (name == "german") return german_analyzer{};
        if (name == "french") return french_analyzer{};
        if (name == "lucene_english") return lucene_english_analyzer{};
        if (name == "tantivy_default") return tantivy_default_analyzer{};
        if (name == "bm25s") return bm25s_analyzer{};
        if (name == "whitespace") return whitespace_analyzer{};
        std::string known;
        for (auto const n : names()) known.append(known.empty() ? "" : ", ").append(n);
        detail::fail(errc::invalid_argument,
            detail::join("any_analyzer::named: no analyzer '", name, "', known are ", known));
    }

    [[nodiscard]] static std::span<std::string_view const> names() noexcept {
        static constexpr std::array<std::string_view, 9> known{"standard", "technical", "english",
            "german", "french", "lucene_english", "tantivy_default", "bm25s", "whitespace"};
        return known;
    }

    /// Hands the tokens of a text to sink, as the analyzer held does.
    void analyze(std::string_view text, token_sink sink) const { held_->analyze(text, sink); }

private:
    struct base {
        virtual ~base() = default;
        virtual void analyze(std::string_view text, token_sink sink) const = 0;
    };

    template <class A>
    struct model final : base {
        template <class From>
        explicit model(From&& from) : held(std::forward<From>(from)) {}
        void analyze(std::string_view text, token_sink sink) const override {
            held.analyze(text, sink);
        }
        A held;
    };

    std::shared_ptr<base const> held_;
};

static_assert(analyzer<any_analyzer>);

TRAWL_END_NAMESPACE
