// SPDX-License-Identifier: MIT
#pragma once

/// A pipeline whose type is erased: to store, to return, to choose at run time.

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include <trawl/core/concepts.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/pipeline/report.hpp>

namespace trawl::inline v0_1 {

template <class P>
concept pipeline = retriever<P> && requires(
    P const& p, query const& q, doc_id id, search_options const& options) {
    { p.report(q, options) } -> std::same_as<search_report>;
    { p.explain(q, id, options) } -> std::same_as<explanation>;
};

/// Holds any pipeline. Copies share it. What the pipeline borrowed must outlive them all.
class any_pipeline {
public:
    template <pipeline P>
        requires(!std::same_as<P, any_pipeline>)
    any_pipeline(P held) // NOLINT(google-explicit-constructor): implicit on purpose
        : self_(std::make_shared<model<P> const>(std::move(held))) {}

    [[nodiscard]] ranking search(query const& q, search_options const& options) const {
        return self_->search(q, options);
    }

    /// Sugar for search.
    [[nodiscard]] ranking operator()(query const& q, std::size_t k = 10, filter where = {}) const {
        return search(q, {.k = k, .where = where});
    }

    [[nodiscard]] search_report report(query const& q, search_options const& options = {}) const {
        return self_->report(q, options);
    }

    [[nodiscard]] explanation explain(query const& q, doc_id id, search_options const& options = {}) const {
        return self_->explain(q, id, options);
    }

private:
    struct erased {
        virtual ~erased() = default;
        [[nodiscard]] virtual ranking search(query const&, search_options const&) const = 0;
        [[nodiscard]] virtual search_report report(query const&, search_options const&) const = 0;
        [[nodiscard]] virtual explanation explain(query const&, doc_id, search_options const&) const = 0;
    };

    template <class P>
    struct model final : erased {
        explicit model(P p) : held(std::move(p)) {}
        [[nodiscard]] ranking search(query const& q, search_options const& options) const override {
            return held.search(q, options);
        }
        [[nodiscard]] search_report report(query const& q, search_options const& options) const override {
            return held.report(q, options);
        }
        [[nodiscard]] explanation explain(
            query const& q, doc_id id, search_options const& options) const override {
            return held.explain(q, id, options);
        }
        P held;
    };

    std::shared_ptr<erased const> self_;
};

static_assert(pipeline<any_pipeline>);

} // namespace trawl::inline v0_1
