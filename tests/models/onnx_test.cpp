// SPDX-License-Identifier: MIT
#include <trawl/models/onnx.hpp>

#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <trawl/core/matrix.hpp>
#include <trawl/formats/npy.hpp>
#include <trawl/storage/file.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace {

std::string const golden = "tests/golden/models/";

// What a model was given: "texts" or "pairs".
std::vector<std::vector<std::string>> cases_of(std::string const& model, char const* kind) {
    std::vector<std::vector<std::string>> out;
    auto const all = nlohmann::json::parse(trawl::read_file(golden + model + "/golden/cases.json"));
    for (auto const& one : all.at(kind)) {
        if (one.is_string()) {
            out.push_back({one.get<std::string>()});
        } else {
            out.push_back(one.get<std::vector<std::string>>());
        }
    }
    return out;
}

void check_near(trawl::matrix_view<float const> found, trawl::matrix_view<float const> expected) {
    REQUIRE(found.rows == expected.rows);
    REQUIRE(found.cols == expected.cols);
    for (std::size_t i = 0; i < found.rows; ++i) {
        for (std::size_t j = 0; j < found.cols; ++j) {
            CAPTURE(i, j);
            CHECK(std::fabs(found.row(i)[j] - expected.row(i)[j]) <= 1e-4f);
        }
    }
}

template <class Model>
void check_embeds(
    Model const& model, std::string const& folder, trawl::text_role role, std::string const& file) {
    auto const cases = cases_of(folder, "texts");
    std::vector<std::string_view> texts;
    for (auto const& one : cases) texts.push_back(one[0]);
    trawl::matrix<float> out{
        std::vector<float>(texts.size() * model.dim()), texts.size(), model.dim()};
    model.embed(texts, role, out.view());
    auto const expected = trawl::read_npy(golden + folder + "/golden/" + file);
    check_near(out.view(), expected.view());
}

} // namespace

// Expected: sentence_transformers on the same folder.
TEST_CASE(
    "A sentence encoder by ONNX Runtime embeds as sentence-transformers does", "[models][onnx]") {
    auto const batch = GENERATE(std::size_t{1}, std::size_t{3}, std::size_t{32});
    auto const plain = trawl::onnx_sentence_encoder::open(
        golden + "sentence_bert", {.batch_size = batch, .query_prompt = "", .passage_prompt = ""});
    CHECK(plain.dim() == 32);
    check_embeds(plain, "sentence_bert", trawl::text_role::passage, "sentences.npy");
    auto const prompted =
        trawl::onnx_sentence_encoder::open(golden + "sentence_bert", {.batch_size = batch});
    check_embeds(prompted, "sentence_bert", trawl::text_role::query, "queries.npy");
    CHECK(plain.fingerprint() != prompted.fingerprint());
    CHECK(prompted.fingerprint()
          == trawl::onnx_sentence_encoder::open(golden + "sentence_bert").fingerprint());
}

// Expected: transformers' logits of the pairs.
TEST_CASE("A cross-encoder by ONNX Runtime gives the logits of transformers", "[models][onnx]") {
    auto const model = trawl::onnx_cross_encoder::open(
        golden + "bert_classifier", {.batch_size = GENERATE(std::size_t{1}, std::size_t{2})});
    auto const expected = trawl::read_npy(golden + "bert_classifier/golden/logits.npy");
    auto const pairs = cases_of("bert_classifier", "pairs");
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        std::vector<trawl::candidate> const batch(3, {0, 0, pairs[i][1]});
        std::vector<float> out(3);
        model({.text = pairs[i][0]}, batch, out);
        for (auto const logit : out) CHECK(std::fabs(logit - expected.values[i]) <= 1e-4f);
    }
    std::vector<float> none;
    model({.text = "nothing to score"}, {}, none);
    std::string const longer(1000, 'x');
    CHECK(
        model.truncates({.text = "a"}, longer + " y z " + longer + " and more " + longer
                                           + " 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 "
                                             "21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37"));
    CHECK_FALSE(model.truncates({.text = "a"}, "b"));
}

// Expected: the projection of transformers' hidden states, divided by their lengths.
TEST_CASE("Late interaction by ONNX Runtime gives a vector for each token", "[models][onnx]") {
    auto const model = trawl::onnx_late_interaction_encoder::open(
        golden + "late_interaction", {.batch_size = 3, .query_prompt = "", .passage_prompt = ""});
    CHECK(model.dim() == 12);
    auto const cases = cases_of("late_interaction", "texts");
    std::vector<std::string_view> texts;
    for (auto const& one : cases) texts.push_back(one[0]);
    trawl::matrix<float> all{{}, 0, 12};
    std::vector<trawl::matrix<float>> found(texts.size());
    model.encode(texts, trawl::text_role::passage,
        [&](std::size_t text, trawl::matrix_view<float const> vectors) {
            found[text] = {std::vector<float>(vectors.data, vectors.data + vectors.rows * 12),
                vectors.rows, 12};
        });
    for (auto const& tokens : found) {
        all.values.insert(all.values.end(), tokens.values.begin(), tokens.values.end());
        all.rows += tokens.rows;
    }
    check_near(model.encode(texts[0], trawl::text_role::passage).view(), found[0].view());
    auto const expected = trawl::read_npy(golden + "late_interaction/golden/sentences.npy");
    check_near(all.view(), expected.view());
}

// Expected: model2vec on the same folder.
TEST_CASE("Static token vectors by ONNX Runtime embed as model2vec does", "[models][onnx]") {
    auto const model = trawl::onnx_static_embedding::open(golden + "static");
    CHECK(model.dim() == 24);
    check_embeds(model, "static", trawl::text_role::passage, "sentences.npy");
}

TEST_CASE("Without its files, or with another model's, a model of ONNX Runtime is refused",
    "[models][onnx][bad]") {
    auto const refused = [](auto const& call) { return support::error_of(call).text; };
    auto const sentences = [&](std::string const& folder) {
        return refused(
            [&] { static_cast<void>(trawl::onnx_sentence_encoder::open(golden + folder)); });
    };
    auto const pairs = [&](std::string const& folder, trawl::onnx_options const& options) {
        return refused(
            [&] { static_cast<void>(trawl::onnx_cross_encoder::open(golden + folder, options)); });
    };
    CHECK(sentences("nothing").find("nothing/config.json") != std::string::npos);
    CHECK(sentences("bert") == golden + "bert/onnx/model.onnx: is not there");
    CHECK(sentences("bert_classifier")
          == golden
                 + "bert_classifier/onnx/model.onnx: has the outputs logits, none of "
                   "sentence_embedding, last_hidden_state, token_embeddings");
    CHECK(pairs("sentence_bert", {}).find("none of logits") != std::string::npos);
    CHECK(pairs("bert", {.file = "vocab.txt"})
              .starts_with(golden + "bert/vocab.txt: ONNX Runtime: "));
    CHECK(pairs("bert_classifier", {.batch_size = 0})
          == "onnx_cross_encoder: batch_size is 0, must be 1 or more");
    auto const model = trawl::onnx_sentence_encoder::open(golden + "sentence_bert");
    std::vector<float> values(31);
    std::string_view const text = "a";
    CHECK(refused([&] {
        model.embed({&text, 1}, trawl::text_role::query, {values.data(), 1, 31});
    }) == "onnx_sentence_encoder::embed: out is 1 x 31, must be 1 x 32");
}
