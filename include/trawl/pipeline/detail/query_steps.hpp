// SPDX-License-Identifier: MIT
#pragma once

/// What a pipeline does with a query before its arms see it: it rewrites the text, embeds it, and
/// finds variants. Each step may be missing.

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/holding.hpp>
#include <trawl/pipeline/rewriting.hpp>
#include <trawl/pipeline/variants.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The steps as the engine sees them; a step whose function is null is missing.
struct query_steps_ref {
    void const* rewriter = nullptr;
    std::string (*rewrite)(void const* rewriter, query const& q) = nullptr;
    rewrite_options rewriting = {};

    void const* embedder = nullptr;
    std::size_t (*dim)(void const* embedder) = nullptr;
    void (*embed)(void const* embedder, std::span<std::string_view const> texts, text_role role,
        matrix_view<float> out) = nullptr;

    void const* expander = nullptr;
    std::vector<query_variant> (*expand)(void const* expander, query const& q) = nullptr;
    variant_options expanding = {};
};

/// A pipeline without .rewrite(), .embed(), .variants().
struct no_rewriter {};
struct no_embedder {};
struct no_expander {};

template <class Held>
struct query_rewriting {
    Held rewriter;
    rewrite_options options;
};

template <class Held>
struct query_expansion {
    Held expander;
    variant_options options;
};

/// @tparam Rewriter  no_rewriter or query_rewriting.
/// @tparam Embedder  no_embedder or the holder of a model.
/// @tparam Expander  no_expander or query_expansion.
template <class Rewriter = no_rewriter, class Embedder = no_embedder, class Expander = no_expander>
struct query_steps {
    static constexpr bool rewrites = !std::same_as<Rewriter, no_rewriter>;
    static constexpr bool embeds = !std::same_as<Embedder, no_embedder>;
    static constexpr bool expands = !std::same_as<Expander, no_expander>;

    Rewriter rewriting = {};
    Embedder embedder = {};
    Expander expansion = {};
    bool given = true; // g++ 12 takes an object of empty members alone for uninitialised

    [[nodiscard]] query_steps_ref ref() const noexcept {
        query_steps_ref made;
        if constexpr (rewrites) {
            auto const& held = rewriting.rewriter.get();
            made.rewriter = std::addressof(held);
            made.rewrite = [](void const* object, query const& q) {
                return std::string((*static_cast<decltype(&held)>(object))(q));
            };
            made.rewriting = rewriting.options;
        }
        if constexpr (embeds) {
            auto const& held = embedder.get();
            made.embedder = std::addressof(held);
            made.dim = [](void const* object) {
                return static_cast<decltype(&held)>(object)->dim();
            };
            made.embed = [](void const* object, std::span<std::string_view const> texts,
                             text_role role, matrix_view<float> out) {
                static_cast<decltype(&held)>(object)->embed(texts, role, out);
            };
        }
        if constexpr (expands) {
            auto const& held = expansion.expander.get();
            made.expander = std::addressof(held);
            made.expand = [](void const* object, query const& q) {
                return (*static_cast<decltype(&held)>(object))(q);
            };
            made.expanding = expansion.options;
        }
        return made;
    }
};

} // namespace detail
TRAWL_END_NAMESPACE
