// SPDX-License-Identifier: MIT
#include <trawl/models/transformer.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <trawl/core/thread_executor.hpp>
#include <trawl/error.hpp>
#include <trawl/models/model_folder.hpp>
#include <trawl/models/safetensors.hpp>

#include "models/golden_model.hpp"
#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace {

struct model {
    explicit model(
        std::string const& called, trawl::weight_type weights = trawl::weight_type::float32)
        : name(called),
          folder(golden::folder(called)),
          encoder(trawl::safetensors(folder + "/model.safetensors"),
              trawl::read_model_folder(folder).config, weights) {
        auto const cases = golden::cases(called);
        for (std::size_t i = 0; i < cases["ids"].size(); ++i) {
            trawl::token_encoding text;
            text.ids = cases["ids"][i].get<std::vector<std::uint32_t>>();
            text.types = cases.contains("types")
                             ? cases["types"][i].get<std::vector<std::uint32_t>>()
                             : std::vector<std::uint32_t>(text.ids.size());
            texts.push_back(text);
        }
    }

    [[nodiscard]] trawl::matrix<float> expected(std::string const& file) const {
        return golden::expected(name, file);
    }
    /// The states of each text.
    [[nodiscard]] std::vector<std::vector<float>> states(
        std::vector<trawl::token_encoding> const& of, trawl::executor const* pool = nullptr) const {
        std::vector<std::vector<float>> all(of.size());
        encoder.encode(
            of,
            [&](std::size_t text, trawl::matrix_view<float const> states) {
                all[text].assign(states.data, states.data + states.rows * states.cols);
            },
            pool);
        return all;
    }

    std::string name;
    std::string folder;
    trawl::transformer encoder;
    std::vector<trawl::token_encoding> texts;
};

} // namespace

TEST_CASE("each layer of a small random model is what transformers computes", "[models]") {
    auto const name = GENERATE("bert", "xlm_roberta", "distilbert", "bert_classifier",
        "roberta_classifier", "sentence_bert", "late_interaction");
    CAPTURE(name);
    model const with(name);
    std::vector<trawl::matrix<float>> expected;
    for (int layer = 0; layer < 3; ++layer)
        expected.push_back(with.expected("hidden_" + std::to_string(layer) + ".npy"));
    std::size_t first = 0;
    for (auto const& text : with.texts) {
        std::size_t layers = 0;
        with.encoder.encode_layers(
            text, [&](std::size_t layer, trawl::matrix_view<float const> states) {
                REQUIRE(layer == layers++);
                REQUIRE((states.rows == text.size() && states.cols == with.encoder.dim()));
                auto const& whole = expected[layer];
                REQUIRE(first + states.rows <= whole.rows);
                CAPTURE(layer, first);
                CHECK(golden::largest_difference(states.data,
                          whole.values.data() + first * whole.cols, states.rows * states.cols)
                      <= 1e-5);
            });
        CHECK(layers == 3);
        first += text.size();
    }
    CHECK(first == expected[0].rows);
}

TEST_CASE("a text's states do not depend on the batch or on threads", "[models]") {
    auto const name = GENERATE("bert", "xlm_roberta");
    auto const weights = GENERATE(trawl::weight_type::float32, trawl::weight_type::int8);
    model const with(name, weights);
    auto many = with.texts; // 41 texts: several groups
    for (int i = 0; i < 33; ++i) many.push_back(with.texts[static_cast<std::size_t>(i) % 8]);
    auto const together = with.states(many);
    trawl::thread_executor const pool(3);
    CHECK(with.states(many, &pool) == together);
    for (std::size_t i = 0; i < many.size(); ++i) {
        auto const alone = with.states({many[i]}, i % 2 == 0 ? nullptr : &pool);
        CHECK((alone[0].size() == many[i].size() * with.encoder.dim() && alone[0] == together[i]));
    }
    CHECK(with.states({}).empty());
    CHECK(with.states({trawl::token_encoding{}})[0].empty());
}

TEST_CASE("poolers and heads are what transformers computes", "[models]") {
    for (auto const* const name : {"bert", "xlm_roberta"}) {
        model const with(name);
        REQUIRE(with.encoder.has_pooler());
        CHECK(with.encoder.labels() == 0);
        auto const expected = with.expected("pooler.npy");
        auto const states = with.states(with.texts);
        std::vector<float> out(with.encoder.dim());
        for (std::size_t i = 0; i < states.size(); ++i) {
            with.encoder.pool_first({states[i].data(), out.size()}, out);
            CHECK(golden::largest_difference(out.data(), expected.view().row(i).data(), out.size())
                  <= 1e-5);
        }
        CHECK(support::error_of([&] {
            with.encoder.classify({states[0].data(), out.size()}, out);
        }).code
              == trawl::errc::invalid_argument);
    }
    for (auto const* const name : {"bert_classifier", "roberta_classifier"}) {
        model const with(name);
        REQUIRE(with.encoder.labels() == 1);
        auto const expected = with.expected("logits.npy");
        auto const states = with.states(with.texts);
        for (std::size_t i = 0; i < states.size(); ++i) {
            float logit = 0;
            with.encoder.classify({states[i].data(), with.encoder.dim()}, {&logit, 1});
            CHECK(std::abs(logit - expected.values[i]) <= 1e-5f);
        }
    }
}

TEST_CASE("int8 weights give nearly the same directions", "[models]") {
    auto const name = GENERATE("bert", "xlm_roberta", "distilbert");
    model const exact(name), bytes(name, trawl::weight_type::int8);
    auto const a = exact.states(exact.texts), b = bytes.states(exact.texts);
    auto const dim = exact.encoder.dim();
    double least = 1;
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t t = 0; t < a[i].size(); t += dim)
            least = (std::min)(least, golden::cosine(a[i].data() + t, b[i].data() + t, dim));
    }
    CHECK((least >= 0.99 && least < 1));
    CHECK(exact.encoder.fingerprint() != bytes.encoder.fingerprint());
    CHECK(exact.encoder.fingerprint() == model(name).encoder.fingerprint());
}

TEST_CASE("a transformer refuses what its model cannot read, naming it", "[models]") {
    model const with("bert");
    auto const refused = [&](trawl::token_encoding const& text) {
        auto const e = support::error_of([&] {
            static_cast<void>(with.states({with.texts[0], text}));
        });
        CHECK(e.code == trawl::errc::invalid_argument);
        return e.text;
    };
    trawl::token_encoding text;
    text.ids = {2, 300, 3};
    text.types = {0, 0, 0};
    CHECK(refused(text) == "transformer: text 1 has token 300, the model has 300 word embeddings");
    text.ids = {2, 299, 3};
    text.types = {0, 2, 0};
    CHECK(refused(text) == "transformer: text 1 has token type 2, the model has 2");
    text.ids.assign(49, 5);
    text.types.assign(49, 0);
    CHECK(refused(text) == "transformer: text 1 has 49 tokens, the model has positions for 48");
}

TEST_CASE("weights that contradict the configuration are refused, naming the tensor", "[models]") {
    std::string const path = golden::folder("bert") + "/model.safetensors";
    auto config = trawl::read_model_folder(golden::folder("bert")).config;
    auto const refused = [&](auto const& change) {
        auto other = config;
        change(other);
        auto const e =
            support::error_of([&] { trawl::transformer(trawl::safetensors(path), other); });
        return e.text;
    };
    using config_type = trawl::transformer_config;
    CHECK(refused([](config_type& c) { c.layers = 3; }).find("encoder.layer.2.attention")
          != std::string::npos);
    CHECK(
        refused([](config_type& c) { c.intermediate = 1u << 23; }).find("intermediate.dense.weight")
        != std::string::npos);
    CHECK(refused([](config_type& c) { c.vocabulary = 301; }).find("word_embeddings")
          != std::string::npos);
    CHECK(refused([](config_type& c) { c.positions = 4096; }).find("position_embeddings")
          != std::string::npos);
    CHECK(refused([](config_type& c) { c.token_types = 3; }).find("token_type_embeddings")
          != std::string::npos);
    CHECK(refused([](config_type& c) { c.hidden = 36; }).find("word_embeddings")
          != std::string::npos);
    CHECK(refused([](config_type& c) { c.heads = 5; }).find("multiple of the heads")
          != std::string::npos);
}
