// SPDX-License-Identifier: MIT
#include <trawl/pipeline/serialised.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"
#include "support/tiny.hpp"

#include <memory>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <trawl/pipeline/hybrid_search.hpp>

using support::error_of;
using namespace trawl;

namespace {

query const question{.text = "question"};
constexpr int rounds = 200;

// A session with a scratch buffer: two calls at once would spoil each other, and the thread
// sanitizer would see them.
struct session {
    int calls = 0;
    std::vector<float> scratch = {};

    void operator()(query const&, std::span<candidate const> batch, std::span<float> out) {
        ++calls;
        scratch.clear();
        for (auto const& c : batch) scratch.push_back(static_cast<float>(c.id));
        std::copy(scratch.begin(), scratch.end(), out.begin());
    }
    [[nodiscard]] std::size_t dim() { return static_cast<std::size_t>(++calls > 0); }
    void embed(std::span<std::string_view const> texts, text_role, matrix_view<float> out) {
        ++calls;
        scratch.assign(texts.size(), 1.0f);
        std::copy(scratch.begin(), scratch.end(), out.data);
    }
    [[nodiscard]] ranking search(query const& q, search_options const&) {
        ++calls;
        return q.vector.empty() ? ranking{} : ranking{{3, 2.0f}, {5, 1.0f}};
    }
    [[nodiscard]] std::vector<hit> score(
        query const&, std::span<doc_id const> ids, search_options const&) {
        ++calls;
        std::vector<hit> hits;
        for (auto const id : ids) hits.push_back({id, 0.0f});
        return hits;
    }
};

std::string_view empty_text(doc_id) { return {}; }

} // namespace

TEST_CASE("a session that only one thread may use serves a pipeline that many search",
    "[pipeline][serialised]") {
    session one;
    serialised const shared(one);
    auto const search = hybrid_search{shared}.embed(shared).rerank(shared, empty_text);
    std::vector<std::thread> threads;
    std::vector<ranking> found(4);
    for (auto& mine : found) {
        threads.emplace_back([&] {
            for (int i = 0; i < rounds; ++i) mine = search(question);
        });
    }
    for (auto& t : threads) t.join();
    for (auto const& mine : found) REQUIRE(mine == ranking{{5, 5.0f}, {3, 3.0f}});
    REQUIRE(one.calls == 4 * rounds * 4); // dim, embed, search, rerank
}

TEST_CASE("it is what the model is, and nothing else", "[pipeline][serialised]") {
    using all = serialised<session>;
    STATIC_REQUIRE(reranker<all>);
    STATIC_REQUIRE(embedder<all>);
    STATIC_REQUIRE(scoring_retriever<all>);
    auto const lambda = [n = 0](query const&, std::span<candidate const>,
                            std::span<float>) mutable { ++n; };
    STATIC_REQUIRE_FALSE(reranker<decltype(lambda)>);
    STATIC_REQUIRE(
        reranker<decltype(serialised(std::declval<std::remove_const_t<decltype(lambda)>>()))>);
    STATIC_REQUIRE_FALSE(embedder<serialised<support::table_arm>>);
    STATIC_REQUIRE_FALSE(scoring_retriever<serialised<support::plain_arm>>);
    STATIC_REQUIRE(retriever<serialised<support::plain_arm&>>);
}

TEST_CASE("an lvalue is borrowed, an rvalue owned, a shared_ptr shared", "[pipeline][serialised]") {
    session lvalue;
    auto const shared = std::make_shared<session>();
    std::vector<float> const vector{1};
    query const q{.vector = vector};
    REQUIRE(serialised(lvalue).search(q, {}).size() == 2);
    REQUIRE(serialised(shared).search(q, {}).size() == 2);
    REQUIRE(lvalue.calls == 1);
    REQUIRE(shared->calls == 1);
    auto moved = serialised(session{});
    auto const kept = std::move(moved);
    REQUIRE(kept.search(q, {}).size() == 2);
    REQUIRE(hybrid_search{serialised(std::shared_ptr<session>(shared))}(q).size() == 2);
    REQUIRE(error_of([] { (void)serialised(std::shared_ptr<session>()); }).code
            == errc::invalid_argument);
}
