// SPDX-License-Identifier: MIT
#pragma once

/// A retriever whose type is erased: an arm that is chosen at run time.

#include <concepts>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/holding.hpp>
#include <trawl/pipeline/detail/parts.hpp>

TRAWL_BEGIN_NAMESPACE

/// Holds any retriever, with what it offers besides: scores of given documents, explanations,
/// conditions. An lvalue that is an index is borrowed, an rvalue owned, a shared_ptr shared. Copies
/// share it.
class any_retriever {
public:
    /// @throws trawl::error (invalid_argument) for a null shared_ptr.
    template <class R>
        requires(!std::same_as<std::remove_cvref_t<R>, any_retriever>
                 && retriever<detail::held_target<R>>)
    explicit any_retriever(R&& arm) {
        detail::require_object(arm, "any_retriever: the retriever");
        auto const holder =
            std::make_shared<detail::held<R> const>(detail::held<R>(std::forward<R>(arm)));
        ref_ = detail::ref_of_arm(holder->get());
        owner_ = holder;
    }

    [[nodiscard]] ranking search(query const& q, search_options const& options = {}) const {
        return ref_.call->search(ref_.object, q, options);
    }
    [[nodiscard]] bool can_score() const noexcept { return ref_.call->score != nullptr; }
    /// Nothing if it cannot score.
    [[nodiscard]] std::vector<hit> score(
        query const& q, std::span<doc_id const> ids, search_options const& options = {}) const {
        if (!can_score()) return {};
        return ref_.call->score(ref_.object, q, ids, options);
    }
    /// A leaf of role no_reason if it cannot explain.
    [[nodiscard]] explanation explain(
        query const& q, doc_id id, search_options const& options = {}) const {
        if (ref_.call->explain == nullptr) return {.role = node_role::no_reason};
        return ref_.call->explain(ref_.object, q, id, options);
    }

    /// What the retriever remarks on a query, as in a trace; nothing if it has no warnings(q).
    [[nodiscard]] std::vector<std::string> warnings(query const& q) const {
        std::vector<std::string> notes;
        if (ref_.call->warnings != nullptr) ref_.call->warnings(ref_.object, q, notes);
        return notes;
    }

    /// What a pipeline asks, see pipeline/detail/parts.hpp.
    [[nodiscard]] detail::arm_ref ref() const noexcept { return ref_; }

private:
    std::shared_ptr<void const> owner_;
    detail::arm_ref ref_;
};

static_assert(scoring_retriever<any_retriever>);

TRAWL_END_NAMESPACE
