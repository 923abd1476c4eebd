// SPDX-License-Identifier: MIT
// What a pipeline accepts and what it refuses, decided by the compiler.
#include "support/catch.hpp"
#include "support/tiny.hpp"

#include <concepts>
#include <memory>
#include <string_view>
#include <utility>

#include <trawl/fusion/weighted_sum.hpp>
#include <trawl/pipeline/any_pipeline.hpp>
#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/rerank/mmr.hpp>

using support::point_source;
using support::table_arm;
using namespace trawl;

namespace {

struct not_const {
    ranking search(query const&, search_options const&);
};
struct returns_hits_in_a_list {
    std::initializer_list<hit> search(query const&, search_options const&) const;
};
struct least_model {
    void operator()(query const&, std::span<candidate const>, std::span<float>) const {}
};
struct least_texts {
    std::string_view operator()(doc_id) const { return {}; }
};
struct least_embedder {
    std::size_t dim() const { return 1; }
    void embed(std::span<std::string_view const>, text_role, matrix_view<float>) const {}
};
struct least_stage {
    ranking operator()(query const&, ranking, search_options const&) const;
};
struct stage_that_returns_nothing {
    void operator()(query const&, ranking&, search_options const&) const;
};
struct rule_without_validate {
    ranking operator()(std::span<ranking const>) const;
};
struct move_only_rule : rrf {
    move_only_rule() = default;
    move_only_rule(move_only_rule&&) = default;
    move_only_rule(move_only_rule const&) = delete;
};

template <class... Arms>
concept arms_of_a_pipeline =
    requires(Arms&&... arms) { hybrid_search{std::forward<Arms>(arms)...}; };
template <class P, class Rule>
concept fuses_by = requires(P p, Rule rule) { std::move(p).fuse(rule); };
template <class P, class M, class T>
concept reranks_by = requires(P p, M model, T texts) { std::move(p).rerank(model, texts); };
template <class P, class D, class V>
concept diversifies_by =
    requires(P p, D rule, V vectors) { std::move(p).diversify(rule, vectors); };
template <class P, class M>
concept embeds_by = requires(P p, M model) { std::move(p).embed(model); };
template <class P, class S>
concept continues_by = requires(P p, S stage) { std::move(p).then(stage); };
template <class P>
concept grows = requires(P&& p) { std::forward<P>(p).window(5); };

using plain = decltype(hybrid_search{std::declval<table_arm>()});
using fused = decltype(std::declval<plain>().fuse(weighted_sum{}));
using embedded = decltype(std::declval<plain>().embed(least_embedder{}));
using reranked = decltype(std::declval<plain>().rerank(least_model{}, least_texts{}));

} // namespace

TEST_CASE("arms are retrievers, one or more", "[pipeline][concepts]") {
    STATIC_REQUIRE(arms_of_a_pipeline<table_arm>);
    STATIC_REQUIRE(arms_of_a_pipeline<table_arm&, table_arm const&, table_arm, support::plain_arm>);
    STATIC_REQUIRE(
        arms_of_a_pipeline<std::shared_ptr<table_arm>, std::shared_ptr<table_arm const>&>);
    STATIC_REQUIRE_FALSE(arms_of_a_pipeline<>);
    STATIC_REQUIRE_FALSE(arms_of_a_pipeline<not_const&>);
    STATIC_REQUIRE_FALSE(arms_of_a_pipeline<table_arm, not_const>);
    STATIC_REQUIRE_FALSE(arms_of_a_pipeline<returns_hits_in_a_list>);
    STATIC_REQUIRE_FALSE(arms_of_a_pipeline<int>);
    STATIC_REQUIRE_FALSE(arms_of_a_pipeline<std::unique_ptr<table_arm>>);
}

TEST_CASE("a pipeline is a retriever and a pipeline, whatever its parts", "[pipeline][concepts]") {
    STATIC_REQUIRE(retriever<plain>);
    STATIC_REQUIRE(pipeline<plain>);
    STATIC_REQUIRE(pipeline<fused>);
    STATIC_REQUIRE(pipeline<embedded>);
    STATIC_REQUIRE(pipeline<reranked>);
    STATIC_REQUIRE(pipeline<any_pipeline>);
    STATIC_REQUIRE_FALSE(pipeline<table_arm>);
    STATIC_REQUIRE_FALSE(scoring_retriever<plain>);
    STATIC_REQUIRE(std::convertible_to<plain, any_pipeline>);
    STATIC_REQUIRE_FALSE(std::convertible_to<table_arm, any_pipeline>);
}

TEST_CASE("a fusion rule is chosen once, and before the stages", "[pipeline][concepts]") {
    STATIC_REQUIRE(fuses_by<plain, rrf>);
    STATIC_REQUIRE(fuses_by<embedded, weighted_sum>);
    STATIC_REQUIRE_FALSE(fuses_by<fused, rrf>);
    STATIC_REQUIRE_FALSE(fuses_by<reranked, rrf>);
    STATIC_REQUIRE_FALSE(fuses_by<plain, rule_without_validate>);
    STATIC_REQUIRE_FALSE(fuses_by<plain, move_only_rule>);
}

TEST_CASE("a model that embeds is chosen once", "[pipeline][concepts]") {
    STATIC_REQUIRE(embeds_by<plain, least_embedder>);
    STATIC_REQUIRE(embeds_by<reranked, least_embedder>);
    STATIC_REQUIRE_FALSE(embeds_by<embedded, least_embedder>);
    STATIC_REQUIRE_FALSE(embeds_by<plain, least_model>);
}

TEST_CASE("stages take what their concepts ask for, and no less", "[pipeline][concepts]") {
    STATIC_REQUIRE(reranks_by<plain, least_model, least_texts>);
    STATIC_REQUIRE(reranks_by<reranked, least_model, least_texts>);
    STATIC_REQUIRE_FALSE(reranks_by<plain, least_texts, least_texts>);
    STATIC_REQUIRE_FALSE(reranks_by<plain, least_model, least_model>);
    STATIC_REQUIRE(diversifies_by<plain, mmr, point_source>);
    STATIC_REQUIRE_FALSE(diversifies_by<plain, mmr, least_texts>);
    STATIC_REQUIRE_FALSE(diversifies_by<plain, rrf, point_source>);
    STATIC_REQUIRE(continues_by<plain, least_stage>);
    STATIC_REQUIRE_FALSE(continues_by<plain, stage_that_returns_nothing>);
}

TEST_CASE(
    "building takes the pipeline by its rvalue: a finished one is const", "[pipeline][concepts]") {
    STATIC_REQUIRE(grows<plain>);
    STATIC_REQUIRE_FALSE(grows<plain&>);
    STATIC_REQUIRE_FALSE(grows<plain const>);
}
