// SPDX-License-Identifier: MIT
#pragma once

/// Arms, rules and stages whose types are erased: a pipeline that is put together at run time is
/// made of them. Copies share what they hold.

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/fusion/spread.hpp>
#include <trawl/pipeline/detail/engine.hpp>
#include <trawl/rerank/stage.hpp>

TRAWL_BEGIN_NAMESPACE

/// Any retriever, with what it offers besides: scores of given documents and explanations.
class any_retriever {
public:
    /// @tparam Held  A holder of a retriever, see core/holding.hpp.
    template <class Held>
        requires requires(Held const& h) {
            { h.get() };
            requires retriever<std::remove_cvref_t<decltype(h.get())>>;
        }
    explicit any_retriever(Held held)
        : self_(std::make_shared<model<Held> const>(std::move(held))) {}

    [[nodiscard]] ranking search(query const& q, search_options const& options) const {
        return self_->search(q, options);
    }
    [[nodiscard]] bool can_score() const noexcept { return self_->can_score(); }
    /// Nothing if it cannot.
    [[nodiscard]] std::vector<hit> score(
        query const& q, std::span<doc_id const> ids, search_options const& options) const {
        return self_->score(q, ids, options);
    }
    /// A leaf of role no_reason if it cannot.
    [[nodiscard]] explanation explain(
        query const& q, doc_id id, search_options const& options) const {
        return self_->explain(q, id, options);
    }

private:
    struct erased {
        virtual ~erased() = default;
        [[nodiscard]] virtual ranking search(query const&, search_options const&) const = 0;
        [[nodiscard]] virtual bool can_score() const noexcept = 0;
        [[nodiscard]] virtual std::vector<hit> score(
            query const&, std::span<doc_id const>, search_options const&) const = 0;
        [[nodiscard]] virtual explanation explain(
            query const&, doc_id, search_options const&) const = 0;
    };

    template <class Held>
    struct model final : erased {
        using arm = std::remove_cvref_t<decltype(std::declval<Held const&>().get())>;
        explicit model(Held h) : held(std::move(h)) {}
        [[nodiscard]] ranking search(query const& q, search_options const& options) const override {
            return held.get().search(q, options);
        }
        [[nodiscard]] bool can_score() const noexcept override { return scoring_retriever<arm>; }
        [[nodiscard]] std::vector<hit> score([[maybe_unused]] query const& q,
            [[maybe_unused]] std::span<doc_id const> ids,
            [[maybe_unused]] search_options const& options) const override {
            if constexpr (scoring_retriever<arm>) {
                return held.get().score(q, ids, options);
            } else {
                return {};
            }
        }
        [[nodiscard]] explanation explain([[maybe_unused]] query const& q,
            [[maybe_unused]] doc_id id,
            [[maybe_unused]] search_options const& options) const override {
            if constexpr (requires {
                              { held.get().explain(q, id, options) } -> std::same_as<explanation>;
                          }) {
                return held.get().explain(q, id, options);
            } else {
                return {.role = node_role::no_reason};
            }
        }
        Held held;
    };

    std::shared_ptr<erased const> self_;
};

static_assert(scoring_retriever<any_retriever>);

/// Any fusion rule.
class any_rule {
public:
    template <class Rule>
        requires(!std::same_as<Rule, any_rule> && fusion_rule<Rule>)
    any_rule(Rule rule) // NOLINT(google-explicit-constructor): implicit on purpose
        : self_(std::make_shared<model<Rule> const>(std::move(rule))) {}

    [[nodiscard]] ranking operator()(std::span<ranking const> arms) const {
        return self_->fuse(arms);
    }
    void validate(std::size_t arms) const { self_->validate(arms); }
    [[nodiscard]] bool reads_scores() const noexcept { return self_->reads_scores(); }
    [[nodiscard]] bool leaves_out(std::size_t arm) const { return self_->leaves_out(arm); }
    [[nodiscard]] any_rule spread(std::size_t arms, std::span<double const> weights) const {
        return self_->spread(arms, weights);
    }
    /// A leaf of role no_reason if it cannot.
    [[nodiscard]] explanation explain(
        std::span<ranking const> arms, doc_id id, std::span<explanation const> parts) const {
        return self_->explain(arms, id, parts);
    }

private:
    struct erased {
        virtual ~erased() = default;
        [[nodiscard]] virtual ranking fuse(std::span<ranking const>) const = 0;
        virtual void validate(std::size_t) const = 0;
        [[nodiscard]] virtual bool reads_scores() const noexcept = 0;
        [[nodiscard]] virtual bool leaves_out(std::size_t) const = 0;
        [[nodiscard]] virtual any_rule spread(std::size_t, std::span<double const>) const = 0;
        [[nodiscard]] virtual explanation explain(
            std::span<ranking const>, doc_id, std::span<explanation const>) const = 0;
    };

    template <class Rule>
    struct model final : erased {
        explicit model(Rule r) : rule(std::move(r)) {}
        [[nodiscard]] ranking fuse(std::span<ranking const> arms) const override {
            return rule(arms);
        }
        void validate(std::size_t arms) const override { rule.validate(arms); }
        [[nodiscard]] bool reads_scores() const noexcept override {
            return detail::uses_scores<Rule>;
        }
        [[nodiscard]] bool leaves_out(std::size_t arm) const override {
            return trawl::leaves_out(rule, arm);
        }
        [[nodiscard]] any_rule spread([[maybe_unused]] std::size_t arms,
            [[maybe_unused]] std::span<double const> weights) const override {
            if constexpr (spreading_rule<Rule>) {
                return spread_over(rule, arms, weights);
            } else {
                detail::fail(errc::invalid_argument,
                    "variants: the fusion rule does not say how it spreads over them: give it "
                    "spread(arms, weights), or per_arm = false");
            }
        }
        [[nodiscard]] explanation explain([[maybe_unused]] std::span<ranking const> arms,
            [[maybe_unused]] doc_id id,
            [[maybe_unused]] std::span<explanation const> parts) const override {
            if constexpr (requires {
                              { rule.explain(arms, id, parts) } -> std::same_as<explanation>;
                          }) {
                return rule.explain(arms, id, parts);
            } else {
                return {.role = node_role::no_reason};
            }
        }
        Rule rule;
    };

    std::shared_ptr<erased const> self_;
};

static_assert(fusion_rule<any_rule>);

/// Any stage.
class any_stage {
public:
    template <class Stage>
        requires(!std::same_as<Stage, any_stage> && pipeline_stage<Stage>)
    any_stage(Stage stage) // NOLINT(google-explicit-constructor): implicit on purpose
        : self_(std::make_shared<model<Stage> const>(std::move(stage))) {}

    [[nodiscard]] ranking operator()(query const& q, ranking candidates,
        search_options const& options, trace_ref trace = {}) const {
        stage_trace unread;
        return self_->run(q, std::move(candidates), options, trace.or_else(unread));
    }
    [[nodiscard]] explanation explain(
        query const& q, stage_step const& step, std::size_t position, explanation given) const {
        return self_->explain(q, step, position, std::move(given));
    }

private:
    struct erased {
        virtual ~erased() = default;
        [[nodiscard]] virtual ranking run(
            query const&, ranking, search_options const&, stage_trace&) const = 0;
        [[nodiscard]] virtual explanation explain(
            query const&, stage_step const&, std::size_t, explanation) const = 0;
    };

    template <class Stage>
    struct model final : erased {
        explicit model(Stage s) : stage(std::move(s)) {}
        [[nodiscard]] ranking run(query const& q, ranking candidates, search_options const& options,
            [[maybe_unused]] stage_trace& trace) const override {
            if constexpr (traced_stage<Stage>) {
                return stage(q, std::move(candidates), options, trace);
            } else {
                return stage(q, std::move(candidates), options);
            }
        }
        [[nodiscard]] explanation explain([[maybe_unused]] query const& q, stage_step const& step,
            std::size_t position, explanation given) const override {
            if constexpr (explaining_stage<Stage>) {
                return stage.explain(q, step, position, std::move(given));
            } else {
                return detail::opaque_score(
                    step.out[position].score, step.trace.name, std::move(given));
            }
        }
        Stage stage;
    };

    std::shared_ptr<erased const> self_;
};

static_assert(traced_stage<any_stage> && explaining_stage<any_stage>);

TRAWL_END_NAMESPACE
