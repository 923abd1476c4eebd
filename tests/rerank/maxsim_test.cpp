// SPDX-License-Identifier: MIT
#include <trawl/rerank/maxsim.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"
#include "support/tiny.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <trawl/core/matrix.hpp>
#include <trawl/rerank/rerank_stage.hpp>

using support::error_of;
using support::ids_of;
using namespace trawl;

namespace {

struct token_table {
    std::vector<matrix<float>> documents;
    [[nodiscard]] matrix_view<float const> operator()(doc_id id) const {
        return documents.at(id).view();
    }
};

// 0: (1, 0) and (0, 2); 1: (0.5, 0.5); 2: none; 3: (-1, 0).
token_table const table{{{{1, 0, 0, 2}, 2, 2}, {{0.5f, 0.5f}, 1, 2}, {}, {{-1, 0}, 1, 2}}};
std::vector<float> const two_tokens{1, 0, 1, 1};
query const question{.token_vectors = {two_tokens.data(), 2, 2}};
ranking const given{{3, 4.0f}, {2, 3.0f}, {1, 2.0f}, {0, 1.0f}};

} // namespace

TEST_CASE("MaxSim adds, for each token of the question, its best product", "[rerank][maxsim]") {
    // 0: max(1, 0) + max(1, 2) = 3; 1: .5 + 1 = 1.5; 2: nothing, 0; 3: -1 - 1 = -2.
    auto const hits = rerank_stage(maxsim(table), no_text{})(question, given);
    REQUIRE(hits == ranking{{0, 3.0f}, {1, 1.5f}, {2, 0.0f}, {3, -2.0f}});
}

TEST_CASE("MaxSim is what a plain loop in double gives", "[rerank][maxsim]") {
    detail::random random(5);
    for (std::size_t const dim : {1u, 15u, 16u, 17u, 128u}) {
        CAPTURE(dim);
        auto const made = [&](std::size_t rows) {
            matrix<float> m{{}, rows, dim};
            for (std::size_t i = 0; i < rows * dim; ++i)
                m.values.push_back(static_cast<float>(random.normal()));
            return m;
        };
        auto const asked = made(7);
        token_table const documents{{made(1), made(40), made(9)}};
        std::vector<candidate> const batch{{0, 0, {}}, {1, 0, {}}, {2, 0, {}}};
        std::vector<float> scores(3);
        maxsim const model(documents);
        query const q{.token_vectors = asked.view()};
        model(q, batch, scores);
        for (doc_id id = 0; id < 3; ++id) {
            double total = 0;
            for (std::size_t t = 0; t < 7; ++t) {
                double best = -1e30;
                for (std::size_t r = 0; r < documents.documents[id].rows; ++r) {
                    double dot = 0;
                    for (std::size_t i = 0; i < dim; ++i) {
                        dot += static_cast<double>(asked.view().row(t)[i])
                               * static_cast<double>(documents.documents[id].view().row(r)[i]);
                    }
                    best = (std::max)(best, dot);
                }
                total += best;
            }
            REQUIRE_THAT(static_cast<double>(scores[id]),
                WithinAbs(total, 1e-5 * static_cast<double>(dim + 10)));
            // One by one, and explained, to the bit.
            float alone = 0;
            model(q, std::span(batch).subspan(id, 1), std::span(&alone, 1));
            REQUIRE(alone == scores[id]);
            auto const tree = model.explain(q, batch[id]);
            REQUIRE(tree.value == static_cast<double>(scores[id]));
            REQUIRE(adds_up(tree));
        }
    }
}

TEST_CASE("an explanation names the tokens that met", "[rerank][maxsim][explain]") {
    rerank_stage const stage{maxsim{table}, no_text{}};
    stage_trace trace;
    auto const hits = stage(question, given, {}, trace);
    auto const tree = stage.explain(question, {given, hits, trace}, 0, {.label = "before"});
    REQUIRE(to_text(tree)
            == "3 opaque: rerank: the model's score\n"
               "  3 round: maxsim\n"
               "    3 sum: maxsim: the query's tokens\n"
               "      1 token 0: best is token 0 of the document\n"
               "      2 token 1: best is token 1 of the document\n"
               "  0 before\n");
}

TEST_CASE("MaxSim refuses what it cannot compare", "[rerank][maxsim]") {
    std::vector<candidate> const batch{{0, 0, {}}};
    std::vector<float> score(1);
    maxsim const model(table);
    REQUIRE(error_of([&] { model({.text = "words"}, batch, score); }).names("no token vectors"));
    std::vector<float> const three{1, 2, 3};
    REQUIRE(error_of([&] {
        model({.token_vectors = {three.data(), 1, 3}}, batch, score);
    }).code == errc::dimension_mismatch);
    std::vector<float> const bad{1, std::numeric_limits<float>::infinity()};
    REQUIRE(error_of([&] {
        model({.token_vectors = {bad.data(), 1, 2}}, batch, score);
    }).code == errc::not_finite);
    std::vector<float> const huge{3e38f, 3e38f};
    auto const overflow = error_of([&] {
        model({.token_vectors = {huge.data(), 1, 2}}, batch, score);
    });
    REQUIRE(overflow.code == errc::not_finite);
    REQUIRE(overflow.names("document 0"));
    std::vector<float> none;
    REQUIRE(error_of([&] { model(question, batch, none); }).code == errc::dimension_mismatch);
}
