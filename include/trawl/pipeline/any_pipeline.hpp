// SPDX-License-Identifier: MIT
#pragma once

/// Type erasure for pipelines: to store one, to return one from a function, or to choose one at run
/// time.

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <trawl/core/concepts.hpp>
#include <trawl/core/doc_set.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/pipeline/cursor.hpp>
#include <trawl/pipeline/report.hpp>

TRAWL_BEGIN_NAMESPACE

template <class P>
concept pipeline =
    retriever<P> && requires(P const& p, query const& q, doc_id id, search_options const& options) {
        { p.report(q, options) } -> std::same_as<search_report>;
        { p.explain(q, id, options) } -> std::same_as<explanation>;
        { p.page(q, std::size_t{}, options) } -> std::same_as<ranking>;
        { p.pages(q, options) } -> std::same_as<cursor>;
    };

/// Holds any pipeline. Copies share it. Whatever the pipeline borrows must outlive all copies.
class any_pipeline {
public:
    template <pipeline P>
        requires(!std::same_as<P, any_pipeline>)
    any_pipeline(P held) // NOLINT(google-explicit-constructor): implicit on purpose
        : self_(std::make_shared<model<P> const>(std::move(held))) {}

    /// Holds a pipeline with the description that it was made from: see pipeline/json.hpp.
    template <pipeline P>
    any_pipeline(P held, std::string description) : any_pipeline(std::move(held)) {
        description_ = std::move(description);
    }

    /// The description; empty for a pipeline that was built in code.
    [[nodiscard]] std::string const& description() const noexcept { return description_; }

    [[nodiscard]] ranking search(query const& q, search_options const& options) const {
        return self_->search(q, options);
    }

    /// Short for search.
    [[nodiscard]] ranking operator()(query const& q, std::size_t k = 10, filter where = {}) const {
        return search(q, {.k = k, .where = std::move(where)});
    }

    [[nodiscard]] search_report report(query const& q, search_options const& options = {}) const {
        return self_->report(q, options);
    }

    [[nodiscard]] explanation explain(
        query const& q, doc_id id, search_options const& options = {}) const {
        return self_->explain(q, id, options);
    }

    [[nodiscard]] ranking page(
        query const& q, std::size_t offset, search_options const& options) const {
        return self_->page(q, offset, options);
    }

    [[nodiscard]] cursor pages(query const& q, search_options const& options = {}) const {
        return self_->pages(q, options);
    }

    /// The documents that meet the conditions of a query, see conditional_retriever; nothing if the
    /// pipeline that it holds reads none.
    [[nodiscard]] std::optional<doc_set> conditions(query const& q, std::size_t universe) const {
        return self_->conditions(q, universe);
    }
    /// next_id() of the pipeline that it holds; 0 if that has none.
    [[nodiscard]] doc_id next_id() const { return self_->next_id(); }

private:
    struct erased {
        virtual ~erased() = default;
        [[nodiscard]] virtual ranking search(query const&, search_options const&) const = 0;
        [[nodiscard]] virtual search_report report(query const&, search_options const&) const = 0;
        [[nodiscard]] virtual explanation explain(
            query const&, doc_id, search_options const&) const = 0;
        [[nodiscard]] virtual ranking page(
            query const&, std::size_t, search_options const&) const = 0;
        [[nodiscard]] virtual cursor pages(query const&, search_options const&) const = 0;
        [[nodiscard]] virtual std::optional<doc_set> conditions(
            query const&, std::size_t) const = 0;
        [[nodiscard]] virtual doc_id next_id() const = 0;
    };

    template <class P>
    struct model final : erased {
        explicit model(P p) : held(std::move(p)) {}
        [[nodiscard]] ranking search(query const& q, search_options const& options) const override {
            return held.search(q, options);
        }
        [[nodiscard]] search_report report(
            query const& q, search_options const& options) const override {
            return held.report(q, options);
        }
        [[nodiscard]] explanation explain(
            query const& q, doc_id id, search_options const& options) const override {
            return held.explain(q, id, options);
        }
        [[nodiscard]] ranking page(
            query const& q, std::size_t offset, search_options const& options) const override {
            return held.page(q, offset, options);
        }
        [[nodiscard]] cursor pages(query const& q, search_options const& options) const override {
            return held.pages(q, options);
        }
        [[nodiscard]] std::optional<doc_set> conditions(
            query const& q, std::size_t universe) const override {
            if constexpr (conditional_retriever<P>) return held.conditions(q, universe);
            return std::nullopt;
        }
        [[nodiscard]] doc_id next_id() const override {
            if constexpr (requires { held.next_id(); }) return held.next_id();
            return 0;
        }
        P held;
    };

    std::shared_ptr<erased const> self_;
    std::string description_;
};

static_assert(pipeline<any_pipeline>);

TRAWL_END_NAMESPACE
