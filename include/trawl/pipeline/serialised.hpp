// SPDX-License-Identifier: MIT
#pragma once

/// A model that must not be called by two threads at once, made safe to share.

#include <concepts>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/holding.hpp>

TRAWL_BEGIN_NAMESPACE

/// A model behind a mutex. It is a reranker, an embedder or a retriever if the model is, and makes
/// its calls one at a time. The functions of the model need not be const. An lvalue is borrowed, an
/// rvalue owned, a shared_ptr shared. Each serialised has a mutex of its own: pipelines that use
/// the same model must borrow or share one serialised.
///
///     trawl::serialised const model(session);
///     auto const search = trawl::hybrid_search{lexical, dense}.embed(model);
///
/// @tparam Model T for an owned one, T& for a borrowed one, std::shared_ptr<T> for a shared one.
template <class Model>
class serialised {
    template <class T>
    struct target_of {
        using type = std::remove_reference_t<T>;
    };
    template <class T>
    struct target_of<std::shared_ptr<T>> {
        using type = T;
    };
    using target = typename target_of<Model>::type;

public:
    /// @throws trawl::error (invalid_argument) for a null shared_ptr.
    template <class M>
        requires std::constructible_from<Model, M>
    explicit serialised(M&& model)
        : guarded_((detail::require_object(model, "serialised: the model"),
            std::make_unique<guarded>(std::forward<M>(model)))) {}

    /// As a reranker.
    void operator()(query const& q, std::span<candidate const> batch, std::span<float> out) const
        requires requires(target& m) { m(q, batch, out); }
    {
        std::lock_guard const lock(guarded_->mutex);
        get()(q, batch, out);
    }

    /// As an embedder.
    [[nodiscard]] std::size_t dim() const
        requires requires(target& m) { m.dim(); }
    {
        std::lock_guard const lock(guarded_->mutex);
        return get().dim();
    }
    void embed(
        std::span<std::string_view const> texts, text_role role, matrix_view<float> out) const
        requires requires(target& m) { m.embed(texts, role, out); }
    {
        std::lock_guard const lock(guarded_->mutex);
        get().embed(texts, role, out);
    }

    /// As a retriever.
    [[nodiscard]] ranking search(query const& q, search_options const& options) const
        requires requires(target& m) { m.search(q, options); }
    {
        std::lock_guard const lock(guarded_->mutex);
        return get().search(q, options);
    }
    [[nodiscard]] std::vector<hit> score(
        query const& q, std::span<doc_id const> ids, search_options const& options) const
        requires requires(target& m) { m.score(q, ids, options); }
    {
        std::lock_guard const lock(guarded_->mutex);
        return get().score(q, ids, options);
    }

private:
    struct guarded { // in one place, so that the whole can be moved
        template <class M>
        explicit guarded(M&& m) : model(std::forward<M>(m)) {}
        Model model;
        std::mutex mutex = {};
    };

    [[nodiscard]] target& get() const noexcept {
        if constexpr (detail::is_shared_ptr<Model>) {
            return *guarded_->model;
        } else {
            return guarded_->model;
        }
    }

    std::unique_ptr<guarded> guarded_;
};

template <class M>
serialised(M&&) -> serialised<
    std::conditional_t<detail::is_shared_ptr<std::remove_cvref_t<M>>, std::remove_cvref_t<M>, M>>;

TRAWL_END_NAMESPACE
