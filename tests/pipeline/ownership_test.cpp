// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/error_of.hpp"
#include "support/tiny.hpp"

#include <concepts>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include <trawl/pipeline/any_pipeline.hpp>
#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/rerank/mmr.hpp>

using support::error_of;
using support::ids_of;
using support::point_source;
using support::table_arm;
using namespace trawl;

namespace {

query const question{.text = "question"};

// Tells where it is, and can only be moved.
struct located {
    located const** where;

    explicit located(located const** w) : where(w) {}
    located(located&&) = default;
    located(located const&) = delete;
    located& operator=(located&&) = default;
    located& operator=(located const&) = delete;
    ~located() = default;

    [[nodiscard]] ranking search(query const&, search_options const&) const {
        *where = this;
        return {{1, 1.0f}};
    }
    void operator()(query const&, std::span<candidate const>, std::span<float> out) const {
        *where = this;
        for (auto& x : out) x = 1;
    }
    [[nodiscard]] std::string_view text(doc_id) const {
        *where = this;
        return {};
    }
    [[nodiscard]] std::size_t dim() const { return 1; }
    bool copy_vector(doc_id, std::span<float>) const {
        *where = this;
        return false;
    }
    void embed(std::span<std::string_view const>, text_role, matrix_view<float> out) const {
        *where = this;
        out.row(0)[0] = 1;
    }
    [[nodiscard]] ranking operator()(query const&, ranking hits, search_options const&) const {
        *where = this;
        return hits;
    }
};

template <class Pipeline>
bool lies_in(Pipeline const& pipeline, located const* part) {
    auto const begin = reinterpret_cast<std::uintptr_t>(&pipeline);
    auto const at = reinterpret_cast<std::uintptr_t>(part);
    return at >= begin && at < begin + sizeof(Pipeline);
}

void scores_nothing(query const&, std::span<candidate const>, std::span<float> out) {
    for (auto& x : out) x = 0;
}

} // namespace

TEST_CASE("an lvalue is borrowed: arm, model, texts, vectors, embedder and stage",
    "[pipeline][ownership]") {
    located const* seen[6] = {};
    located const arm(&seen[0]);
    located const model(&seen[1]);
    located const texts(&seen[2]);
    located const vectors(&seen[3]);
    located const embedder(&seen[4]);
    located const stage(&seen[5]);
    auto const search = hybrid_search{arm}
                            .embed(embedder)
                            .rerank(model, texts)
                            .diversify(mmr{}, vectors)
                            .then(stage);
    REQUIRE(search(question).size() == 1);
    REQUIRE(seen[0] == &arm);
    REQUIRE(seen[1] == &model);
    REQUIRE(seen[2] == &texts);
    REQUIRE(seen[3] == &vectors);
    REQUIRE(seen[4] == &embedder);
    REQUIRE(seen[5] == &stage);
}

TEST_CASE("an rvalue is owned, also one that can only be moved, and moves with the pipeline",
    "[pipeline][ownership]") {
    located const* seen[6] = {};
    auto search = hybrid_search{located(&seen[0])}
                      .embed(located(&seen[4]))
                      .rerank(located(&seen[1]), located(&seen[2]))
                      .diversify(mmr{}, located(&seen[3]))
                      .then(located(&seen[5]));
    auto const moved = std::move(search);
    REQUIRE(moved(question).size() == 1);
    for (auto const* part : seen) REQUIRE(lies_in(moved, part));
    STATIC_REQUIRE_FALSE(std::copy_constructible<decltype(moved)>);
}

TEST_CASE("a shared_ptr is shared, const or not, by lvalue or rvalue", "[pipeline][ownership]") {
    auto const arm = std::make_shared<table_arm const>(table_arm{{{1, 1.0f}}});
    auto changeable = std::make_shared<table_arm>(table_arm{{{2, 1.0f}}});
    {
        auto const search = hybrid_search{arm, changeable, std::make_shared<table_arm>()};
        REQUIRE(arm.use_count() == 2);
        REQUIRE(changeable.use_count() == 2);
        auto const copy = search;
        REQUIRE(arm.use_count() == 3);
        REQUIRE(ids_of(copy(question)) == std::vector<doc_id>{1, 2});
        changeable->matches = {{7, 1.0f}};
        REQUIRE(ids_of(search(question)) == std::vector<doc_id>{1, 7});
    }
    REQUIRE(arm.use_count() == 1);
    REQUIRE(changeable.use_count() == 1);
}

TEST_CASE("a borrowed arm is not copied: what is added later is found", "[pipeline][ownership]") {
    table_arm arm;
    auto const search = hybrid_search{arm};
    REQUIRE(search(question).empty());
    arm.matches.push_back({5, 1.0f});
    REQUIRE(ids_of(search(question)) == std::vector<doc_id>{5});
}

TEST_CASE("a null shared_ptr is refused when the pipeline is built", "[pipeline][ownership]") {
    table_arm const arm;
    std::shared_ptr<table_arm> const none;
    std::shared_ptr<located> const nothing;
    auto const refused = [](auto&& build, char const* name) {
        auto const e = error_of(build);
        return e.code == errc::invalid_argument && e.names(name);
    };
    REQUIRE(refused([&] { (void)hybrid_search{arm, none}; }, "arm 1"));
    REQUIRE(refused([&] { (void)hybrid_search{arm}.rerank(nothing, located(nullptr)); }, "model"));
    REQUIRE(refused(
        [&] { (void)hybrid_search{arm}.rerank(located(nullptr), nothing); }, "text source"));
    REQUIRE(refused([&] { (void)hybrid_search{arm}.diversify(mmr{}, nothing); }, "vector source"));
    REQUIRE(refused([&] { (void)hybrid_search{arm}.embed(nothing); }, "embed"));
    REQUIRE(refused([&] { (void)hybrid_search{arm}.then(nothing); }, "stage"));
}

TEST_CASE("a function is a model", "[pipeline][ownership]") {
    table_arm const arm{{{1, 1.0f}}};
    auto const texts = [](doc_id) { return std::string_view{}; };
    REQUIRE(hybrid_search{arm}.rerank(scores_nothing, texts)(question) == ranking{{1, 0.0f}});
    REQUIRE(hybrid_search{arm}.rerank(&scores_nothing, texts)(question) == ranking{{1, 0.0f}});
}

TEST_CASE(
    "a pipeline is movable, storable, and copyable if its parts are", "[pipeline][ownership]") {
    table_arm const arm{{{1, 1.0f}}};
    auto search = hybrid_search{arm, table_arm{{{2, 1.0f}}}}.fuse(rrf{.weights = {2, 1}});
    STATIC_REQUIRE(std::is_copy_constructible_v<decltype(search)>);
    STATIC_REQUIRE(std::is_nothrow_move_constructible_v<decltype(search)>);
    std::vector<decltype(search)> stored;
    stored.push_back(search);
    stored.push_back(std::move(search));
    REQUIRE(stored[0](question) == stored[1](question));
    stored[0] = stored[1];
    REQUIRE(ids_of(stored[0](question)) == std::vector<doc_id>{1, 2});
}

TEST_CASE("any_pipeline stores pipelines of different types, and copies share one",
    "[pipeline][any_pipeline]") {
    table_arm const arm{{{1, 2.0f}, {2, 1.0f}}};
    located const* seen = nullptr;
    std::vector<any_pipeline> all;
    all.emplace_back(hybrid_search{arm});
    all.emplace_back(hybrid_search{located(&seen)}); // move-only
    auto const shared = all[1];
    (void)shared(question);
    auto const* once = seen;
    (void)all[1](question);
    REQUIRE(seen == once);

    auto const direct = hybrid_search{arm};
    REQUIRE(all[0](question, 1) == direct(question, 1));
    REQUIRE(all[0].search(question, {.k = 1}) == direct(question, 1));
    REQUIRE(all[0].report(question).ranking == direct(question));
    REQUIRE(to_text(all[0].explain(question, 2)) == to_text(direct.explain(question, 2)));
    REQUIRE(hybrid_search{all[0], arm}(question).size() == 2);
}
