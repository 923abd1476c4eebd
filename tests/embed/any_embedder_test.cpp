// SPDX-License-Identifier: MIT
#include <trawl/embed/any_embedder.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <trawl/embed/lsa.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace {

// A text is its length, and the role.
struct length_model {
    std::shared_ptr<std::vector<std::size_t>> batches =
        std::make_shared<std::vector<std::size_t>>();
    bool broken = false;

    [[nodiscard]] std::size_t dim() const { return 2; }
    void embed(std::span<std::string_view const> texts, trawl::text_role role,
        trawl::matrix_view<float> out) const {
        batches->push_back(texts.size());
        for (std::size_t i = 0; i < texts.size(); ++i) {
            if (texts[i] == "throw") throw std::runtime_error("the model is tired");
            out.row(i)[0] = broken ? std::numeric_limits<float>::quiet_NaN()
                                   : static_cast<float>(texts[i].size());
            out.row(i)[1] = role == trawl::text_role::query ? 1.0f : 0.0f;
        }
    }
};

struct known_model : length_model {
    [[nodiscard]] std::uint64_t fingerprint() const { return 77; }
};

struct only_moved : length_model {
    only_moved() = default;
    only_moved(only_moved&&) = default;
};

static_assert(!std::is_constructible_v<trawl::any_embedder, length_model>,
    "a model without a fingerprint needs a name");
static_assert(!std::is_constructible_v<trawl::any_embedder, std::string_view, int>);

std::vector<std::string_view> const texts = {"a", "bb", "ccc", "dddd", "eeeee"};

} // namespace

TEST_CASE("an embedder of any type embeds as it does itself", "[embed][any_embedder]") {
    length_model const model;
    trawl::any_embedder const held("lengths", model);
    std::vector<float> out(10);
    held.embed(texts, trawl::text_role::query, {out.data(), 5, 2});
    CHECK(out == std::vector<float>{1, 1, 2, 1, 3, 1, 4, 1, 5, 1});
    CHECK(held.dim() == 2);
    auto const copy = held;
    copy.embed(texts, trawl::text_role::passage, {out.data(), 5, 2});
    CHECK(out[9] == 0);
    trawl::any_embedder const moved("lengths", only_moved());
    trawl::any_embedder const shared("lengths", std::make_shared<length_model>());
    CHECK((moved.fingerprint() == shared.fingerprint() && moved.dim() == 2));
}

TEST_CASE("texts are embedded in batches, with progress", "[embed][any_embedder]") {
    length_model const model;
    trawl::any_embedder const held("lengths", model);
    std::vector<float> out(10);
    std::vector<std::pair<std::size_t, std::size_t>> reports;
    auto const report = [&](std::size_t done, std::size_t all) { reports.emplace_back(done, all); };
    held.embed_all(texts, trawl::text_role::query, {out.data(), 5, 2}, 2, report);
    CHECK(out == std::vector<float>{1, 1, 2, 1, 3, 1, 4, 1, 5, 1});
    CHECK(*model.batches == std::vector<std::size_t>{2, 2, 1});
    CHECK(reports == std::vector<std::pair<std::size_t, std::size_t>>{{2, 5}, {4, 5}, {5, 5}});
    held.embed_all({}, trawl::text_role::query, {nullptr, 0, 2});
    held.embed_all(texts, trawl::text_role::query, {out.data(), 5, 2});
    CHECK(model.batches->back() == 5);
}

TEST_CASE("a fingerprint is the model's, or that of a name", "[embed][any_embedder]") {
    CHECK(trawl::any_embedder(known_model()).fingerprint() == 77);
    trawl::any_embedder const a("a", length_model());
    CHECK(a.fingerprint() == trawl::any_embedder("a", length_model()).fingerprint());
    CHECK(a.fingerprint() != trawl::any_embedder("b", length_model()).fingerprint());
    std::string_view const lines[] = {"one two", "two three", "three one"};
    auto const lsa = trawl::lsa_embedder::fit(lines, {.dim = 2});
    CHECK(trawl::any_embedder(lsa).fingerprint() == lsa.fingerprint());
}

TEST_CASE("what is wrong with an embedder is said", "[embed][any_embedder]") {
    trawl::any_embedder const none;
    CHECK_FALSE(static_cast<bool>(none));
    std::vector<float> out(10);
    trawl::matrix_view<float> const view{out.data(), 5, 2};
    CHECK(support::error_of([&] { static_cast<void>(none.dim()); }).names("holds no embedder"));
    CHECK(support::error_of([&] { static_cast<void>(none.fingerprint()); }).names("no embedder"));
    CHECK(support::error_of([&] {
        none.embed(texts, trawl::text_role::query, view);
    }).names("no embedder"));
    CHECK(
        support::error_of([] { trawl::any_embedder("", length_model()); }).names("name is empty"));
    CHECK(support::error_of([] {
        trawl::any_embedder("a", std::shared_ptr<length_model>());
    }).names("null shared_ptr"));
    trawl::any_embedder const held("lengths", length_model());
    CHECK(static_cast<bool>(held));
    auto const shape = support::error_of([&] {
        held.embed(texts, trawl::text_role::query, {out.data(), 2, 5});
    });
    CHECK((shape.code == trawl::errc::dimension_mismatch && shape.names("2 x 5")
           && shape.names("5 x 2")));
    CHECK(support::error_of([&] {
        held.embed_all(texts, trawl::text_role::query, {out.data(), 4, 2});
    }).code
          == trawl::errc::dimension_mismatch);
    CHECK(support::error_of([&] {
        held.embed_all(texts, trawl::text_role::query, view, 0);
    }).names("batch is 0"));
    length_model broken;
    broken.broken = true;
    trawl::any_embedder const bad("lengths", broken);
    auto const nan = support::error_of([&] { bad.embed(texts, trawl::text_role::query, view); });
    CHECK((nan.code == trawl::errc::model && nan.names("value 0 of the embedding of text 0")));
    std::string_view const tired[] = {"throw"};
    CHECK_THROWS_AS(
        held.embed(tired, trawl::text_role::query, {out.data(), 1, 2}), std::runtime_error);
}
