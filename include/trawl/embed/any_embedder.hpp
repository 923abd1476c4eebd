// SPDX-License-Identifier: MIT
#pragma once

/// An embedder whose type is erased, with a fingerprint by which files and collections recognise
/// it.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <trawl/core/concepts.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/core/holding.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// An embedder that has a fingerprint.
template <class E>
concept fingerprinted_embedder = embedder<E> && requires(E const& e) {
    /** A checksum of everything that decides its output: two embedders with the same one give the same embeddings. */
    { e.fingerprint() } -> std::same_as<std::uint64_t>;
};

/// Holds any embedder, or none. An lvalue is borrowed, an rvalue owned, a shared_ptr shared. Copies
/// share it. Thread-safe if the model is.
class any_embedder {
public:
    /// What embed_all() reports after each batch: texts embedded so far, and all of them.
    using progress = function_ref<void(std::size_t done, std::size_t all)>;

    static constexpr std::size_t default_batch = 32;

    /// None.
    any_embedder() = default;

    /// A model that has a fingerprint.
    /// @throws trawl::error (invalid_argument) for a null shared_ptr.
    template <class E>
        requires(!std::same_as<std::remove_cvref_t<E>, any_embedder>
                 && fingerprinted_embedder<detail::held_target<E>>)
    any_embedder(E&& model) { // NOLINT(google-explicit-constructor): implicit on purpose
        hold(std::forward<E>(model));
        fingerprint_ = model_->fingerprint();
    }

    /// A model that the name tells from others, such as "BAAI/bge-small-en-v1.5 int8": change the name
    /// whenever its embeddings change. The fingerprint is that of the name and the dimension.
    /// @throws trawl::error (invalid_argument) for a null shared_ptr, or an empty name.
    template <class E>
        requires embedder<detail::held_target<E>>
    any_embedder(std::string_view name, E&& model) {
        require_name(name);
        hold(std::forward<E>(model));
        fingerprint_ = fingerprint_of(name, dim());
    }

    /// Whether it holds an embedder. The other members need one.
    [[nodiscard]] explicit operator bool() const noexcept { return model_ != nullptr; }

    [[nodiscard]] std::size_t dim() const { return model().dim(); }
    [[nodiscard]] std::uint64_t fingerprint() const {
        static_cast<void>(model());
        return fingerprint_;
    }

    /// Embeds texts, as the model does: one call of it.
    /// @param out  [texts x dim]
    /// @throws trawl::error (dimension_mismatch) if out has another shape; (model) naming the first text
    /// with an embedding that is not finite; (invalid_argument) if there is no embedder; what the model
    /// throws.
    void embed(
        std::span<std::string_view const> texts, text_role role, matrix_view<float> out) const;

    /// Embeds texts in batches of at most `batch`, one after the other.
    /// @param batch  >= 1
    /// @throws trawl::error as embed(); (invalid_argument) if batch is 0.
    void embed_all(std::span<std::string_view const> texts, text_role role, matrix_view<float> out,
        std::size_t batch = default_batch) const;
    void embed_all(std::span<std::string_view const> texts, text_role role, matrix_view<float> out,
        std::size_t batch, progress report) const;

private:
    struct base {
        virtual ~base() = default;
        [[nodiscard]] virtual std::size_t dim() const = 0;
        virtual void embed(std::span<std::string_view const> texts, text_role role,
            matrix_view<float> out) const = 0;
        [[nodiscard]] virtual std::uint64_t fingerprint() const = 0;
    };

    template <class E>
    struct holder final : base {
        explicit holder(detail::held<E> from) : held(std::move(from)) {}
        [[nodiscard]] std::size_t dim() const override { return held.get().dim(); }
        void embed(std::span<std::string_view const> texts, text_role role,
            matrix_view<float> out) const override {
            held.get().embed(texts, role, out);
        }
        [[nodiscard]] std::uint64_t fingerprint() const override {
            if constexpr (fingerprinted_embedder<detail::held_target<E>>) {
                return held.get().fingerprint();
            } else {
                return 0;
            }
        }
        detail::held<E> held;
    };

    template <class E>
    void hold(E&& model) {
        detail::require_object(model, "any_embedder: the embedder");
        model_ = std::make_shared<holder<E> const>(detail::held<E>(std::forward<E>(model)));
    }

    [[nodiscard]] base const& model() const {
        if (model_ == nullptr) refuse_none();
        return *model_;
    }
    [[noreturn]] TRAWL_COLD static void refuse_none();
    static void require_name(std::string_view name);
    [[nodiscard]] static std::uint64_t fingerprint_of(std::string_view name, std::size_t dim);

    std::shared_ptr<base const> model_ = {};
    std::uint64_t fingerprint_ = 0;
};

static_assert(fingerprinted_embedder<any_embedder>);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/embed/detail/any_embedder_inl.hpp>
#endif
