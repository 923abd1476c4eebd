// SPDX-License-Identifier: MIT
#include <trawl/models/static_embedding.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/thread_executor.hpp>
#include <trawl/error.hpp>

#include "models/golden_model.hpp"
#include "support/catch.hpp"
#include "support/error_of.hpp"

using trawl::static_embedding;
using trawl::text_role;

TEST_CASE("static embeddings are what model2vec computes", "[models]") {
    auto const with = static_embedding::open(golden::folder("static"));
    auto const expected = golden::expected("static", "sentences.npy");
    REQUIRE(with.dim() == expected.cols);
    auto const texts = golden::texts("static");
    std::vector<float> out(expected.values.size());
    with.embed(golden::views(texts), text_role::passage, {out.data(), texts.size(), with.dim()});
    CHECK(golden::largest_difference(out.data(), expected.values.data(), out.size()) <= 1e-6);

    trawl::thread_executor const pool(3);
    auto const threaded = static_embedding::open(golden::folder("static"), {.pool = &pool});
    std::vector<std::string_view> many;
    for (std::size_t i = 0; i < 100; ++i) many.push_back(texts[i % texts.size()]);
    std::vector<float> rows(many.size() * with.dim());
    threaded.embed(many, text_role::query, {rows.data(), many.size(), with.dim()});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] != out[i % out.size()]) FAIL("value " << i << " depends on the batch");
    }
    CHECK(threaded.fingerprint() == with.fingerprint());
}

TEST_CASE("a static embedding is the mean of its tokens, normalised if asked", "[models]") {
    auto const folder = golden::folder("static");
    auto const raw = static_embedding::open(folder, {.normalise = false});
    auto const unit = static_embedding::open(folder);
    CHECK(raw.fingerprint() != unit.fingerprint());
    auto const of = [](static_embedding const& with, std::string_view text) {
        std::vector<float> out(with.dim());
        with.embed({&text, 1}, text_role::passage, {out.data(), 1, out.size()});
        return out;
    };
    auto const a = of(raw, "the"), b = of(raw, "orders"), both = of(raw, "the orders");
    auto const twice = of(raw, "the the orders orders");
    CHECK(golden::largest_difference(both.data(), twice.data(), both.size()) <= 1e-6);
    CHECK(golden::cosine(a.data(), of(unit, "the").data(), a.size()) >= 0.9999999);
    CHECK(of(unit, "") == std::vector<float>(raw.dim()));
    CHECK(b != a);
    std::vector<float> out(7);
    std::string_view const text = "a";
    CHECK(support::error_of([&] {
        raw.embed({&text, 1}, text_role::query, {out.data(), 1, 7});
    }).code
          == trawl::errc::dimension_mismatch);
    CHECK(support::error_of([&] {
        static_cast<void>(static_embedding::open(golden::folder("absent")));
    }).code
          == trawl::errc::io);
}
