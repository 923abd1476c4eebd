// SPDX-License-Identifier: MIT
// For each concept the least that passes and, by one difference each, what is refused.
#include <trawl/core/concepts.hpp>

#include <string>

#include "support/catch.hpp"

namespace {

using namespace trawl;

struct least_analyzer {
    void analyze(std::string_view, token_sink) const {}
};
struct analyzer_not_const {
    void analyze(std::string_view, token_sink) {}
};
struct analyzer_returning {
    int analyze(std::string_view, token_sink) const { return 0; }
};
static_assert(analyzer<least_analyzer>);
static_assert(!analyzer<analyzer_not_const> && !analyzer<analyzer_returning> && !analyzer<int>);

struct least_embedder {
    std::size_t dim() const { return 1; }
    void embed(std::span<std::string_view const>, text_role, matrix_view<float>) const {}
};
struct embedder_without_dim {
    void embed(std::span<std::string_view const>, text_role, matrix_view<float>) const {}
};
struct embedder_without_role {
    std::size_t dim() const { return 1; }
    void embed(std::span<std::string_view const>, matrix_view<float>) const {}
};
static_assert(embedder<least_embedder>);
static_assert(!embedder<embedder_without_dim> && !embedder<embedder_without_role>);

struct least_retriever {
    ranking search(query const&, search_options const&) const { return {}; }
};
struct move_only_retriever : least_retriever {
    move_only_retriever() = default;
    move_only_retriever(move_only_retriever&&) = default;
};
struct retriever_not_const {
    ranking search(query const&, search_options const&) { return {}; }
};
struct retriever_of_ids {
    std::vector<doc_id> search(query const&, search_options const&) const { return {}; }
};
static_assert(retriever<least_retriever> && retriever<move_only_retriever>);
static_assert(!retriever<retriever_not_const> && !retriever<retriever_of_ids>);

struct least_scoring : least_retriever {
    std::vector<hit> score(query const&, std::span<doc_id const>, search_options const&) const {
        return {};
    }
};
struct scores_without_search {
    std::vector<hit> score(query const&, std::span<doc_id const>, search_options const&) const {
        return {};
    }
};
struct scores_without_ids : least_retriever {
    std::vector<float> score(query const&, std::span<doc_id const>, search_options const&) const {
        return {};
    }
};
static_assert(scoring_retriever<least_scoring>);
static_assert(!scoring_retriever<least_retriever> && !scoring_retriever<scores_without_search>
              && !scoring_retriever<scores_without_ids>);

struct least_fusion {
    ranking operator()(std::span<ranking const>) const { return {}; }
    void validate(std::size_t) const {}
};
struct fusion_without_validate {
    ranking operator()(std::span<ranking const>) const { return {}; }
};
struct fusion_not_copyable : least_fusion {
    fusion_not_copyable() = default;
    fusion_not_copyable(fusion_not_copyable&&) = default;
};
static_assert(fusion_rule<least_fusion>);
static_assert(!fusion_rule<fusion_without_validate> && !fusion_rule<fusion_not_copyable>);

auto const lambda_reranker = [](query const&, std::span<candidate const>, std::span<float>) {};
auto const one_by_one = [](query const&, candidate const&) { return 0.0f; };
static_assert(reranker<decltype(lambda_reranker)>);
static_assert(!reranker<decltype(one_by_one)>);

struct least_diversifier {
    ranking operator()(
        query const&, std::span<hit const>, matrix_view<float const>, std::size_t) const {
        return {};
    }
};
struct diversifier_without_k {
    ranking operator()(query const&, std::span<hit const>, matrix_view<float const>) const {
        return {};
    }
};
static_assert(diversifier<least_diversifier>);
static_assert(!diversifier<diversifier_without_k> && !diversifier<least_fusion>);

struct least_text_source {
    std::string_view text(doc_id) const { return {}; }
};
auto const owning_text_source = [](doc_id) { return std::string(); };
auto const numbers = [](doc_id) { return 1; };
static_assert(text_source<least_text_source> && text_source<decltype(owning_text_source)>);
static_assert(!text_source<decltype(numbers)> && !text_source<int>);

struct least_vector_source {
    std::size_t dim() const { return 1; }
    bool copy_vector(doc_id, std::span<float>) const { return false; }
};
struct vector_source_that_cannot_lack {
    std::size_t dim() const { return 1; }
    void copy_vector(doc_id, std::span<float>) const {}
};
static_assert(vector_source<least_vector_source>);
static_assert(!vector_source<vector_source_that_cannot_lack>);

} // namespace

TEST_CASE("The least that each concept asks for can be called", "[core][concepts]") {
    float score = 0;
    least_analyzer{}.analyze("text", [](token const&) {});
    least_embedder{}.embed({}, text_role::query, {});
    CHECK(least_embedder{}.dim() == 1);
    CHECK(move_only_retriever{}.search({}, {}).empty());
    CHECK(least_scoring{}.score({}, {}, {}).empty());
    least_fusion{}.validate(0);
    CHECK(least_fusion{}({}).empty());
    lambda_reranker({}, {}, {&score, 1});
    CHECK(least_diversifier{}({}, {}, {}, 1).empty());
    CHECK(least_text_source{}.text(0).empty());
    CHECK(owning_text_source(0).empty());
    CHECK_FALSE(least_vector_source{}.copy_vector(0, {&score, 1}));
    CHECK(least_vector_source{}.dim() == 1);
}
