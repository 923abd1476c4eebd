// SPDX-License-Identifier: MIT
#include <trawl/models/late_interaction_encoder.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/thread_executor.hpp>
#include <trawl/rerank/maxsim.hpp>

#include "models/golden_model.hpp"
#include "support/catch.hpp"

using trawl::late_interaction_encoder;
using trawl::text_role;

TEST_CASE("token vectors are the dense layer's over the last states, of unit length", "[models]") {
    std::string const name = "late_interaction";
    auto const with = late_interaction_encoder::open(
        golden::folder(name), {.query_prompt = "", .passage_prompt = ""});
    REQUIRE(with.dim() == 12);
    auto const expected = golden::expected(name, "sentences.npy");
    std::size_t first = 0;
    for (auto const& text : golden::texts(name)) {
        auto const vectors = with.encode(text, text_role::passage);
        REQUIRE(first + vectors.rows <= expected.rows);
        CHECK(golden::largest_difference(
                  vectors.values.data(), expected.values.data() + first * 12, vectors.values.size())
              <= 1e-5);
        first += vectors.rows;
    }
    CHECK(first == expected.rows);
}

TEST_CASE(
    "token vectors do not depend on the batch or on threads, and rank by MaxSim", "[models]") {
    trawl::thread_executor const pool(3);
    auto const folder = golden::folder("late_interaction");
    auto const with = late_interaction_encoder::open(folder);
    auto const threaded = late_interaction_encoder::open(folder, {.pool = &pool});
    CHECK(with.fingerprint() == threaded.fingerprint());
    auto const texts = golden::texts("late_interaction");
    std::vector<trawl::matrix<float>> all(texts.size());
    threaded.encode(golden::views(texts), text_role::passage,
        [&](std::size_t text, trawl::matrix_view<float const> vectors) {
            all[text].values.assign(vectors.data, vectors.data + vectors.rows * vectors.cols);
            all[text].rows = vectors.rows;
            all[text].cols = vectors.cols;
        });
    for (std::size_t i = 0; i < texts.size(); ++i)
        CHECK(all[i] == with.encode(texts[i], text_role::passage));

    // A passage answers its own tokens best.
    auto const tokens = [&](trawl::doc_id id) {
        return trawl::matrix_view<float const>(all[id].view());
    };
    trawl::maxsim const score(tokens);
    std::vector<trawl::candidate> candidates;
    for (std::size_t i = 0; i < texts.size(); ++i)
        candidates.push_back({static_cast<trawl::doc_id>(i), 0, {}});
    std::vector<float> scores(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        score({.token_vectors = all[i].view()}, candidates, scores);
        CHECK(std::max_element(scores.begin(), scores.end()) - scores.begin()
              == static_cast<std::ptrdiff_t>(i));
    }
}
