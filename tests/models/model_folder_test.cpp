// SPDX-License-Identifier: MIT
#include <trawl/models/model_folder.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/storage/file.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

using trawl::read_model_folder;

namespace {

std::string const golden = "tests/golden/models/";

// A folder of its own for a test, with a config.json and an empty model.safetensors.
class folder {
public:
    explicit folder(std::string const& config = R"({"model_type":"bert"})") {
        std::filesystem::remove_all(path);
        std::filesystem::create_directory(path);
        write("config.json", config);
        write("model.safetensors", "");
    }
    folder(folder const&) = delete;
    ~folder() { std::filesystem::remove_all(path); }

    void write(std::string const& name, std::string const& text) const {
        std::filesystem::create_directories(std::filesystem::path(path + "/" + name).parent_path());
        trawl::write_file(path + "/" + name, text);
    }
    [[nodiscard]] trawl::model_folder read() const { return read_model_folder(path); }
    [[nodiscard]] std::string refused(trawl::errc code = trawl::errc::parse) const {
        auto const e = support::error_of([&] { static_cast<void>(read()); });
        CHECK(e.code == code);
        return e.text;
    }

    std::string const path = "model_folder_test.tmp";
};

std::string config_error(std::string const& config) { return folder(config).refused(); }

} // namespace

// The folders are written by transformers and sentence-transformers; the sizes are those of make_models.py.
TEST_CASE("folders of transformers are read", "[models][model_folder]") {
    auto const bert = read_model_folder(golden + "bert");
    CHECK(bert.config.type == trawl::model_type::bert);
    CHECK(bert.config.architectures == std::vector<std::string>{"BertModel"});
    CHECK(bert.config.hidden == 32);
    CHECK(bert.config.layers == 2);
    CHECK(bert.config.token_types == 2);
    CHECK(bert.config.position_begin == 0);
    CHECK(bert.config.labels == 0);
    CHECK(bert.config.act == trawl::activation::gelu);
    CHECK(bert.config.layer_norm_epsilon == 1e-12f);
    CHECK(bert.max_tokens == 48); // tokenizer_config.json
    CHECK(bert.pooling == trawl::pooling::mean);
    CHECK_FALSE(bert.normalise);
    CHECK(bert.prompts.empty());
    CHECK(bert.weights == golden + "bert/model.safetensors");

    auto const roberta = read_model_folder(golden + "xlm_roberta");
    CHECK(roberta.config.type == trawl::model_type::xlm_roberta);
    CHECK(roberta.config.vocabulary == 302);
    CHECK(roberta.config.hidden == 36);
    CHECK(roberta.config.heads == 3);
    CHECK(roberta.config.intermediate == 40);
    CHECK(roberta.config.positions == 50);
    CHECK(roberta.config.position_begin == 2);
    CHECK(roberta.config.padding_id == 1);
    CHECK(roberta.config.token_types == 1);
    CHECK(roberta.config.layer_norm_epsilon == 1e-5f);
    CHECK(roberta.max_tokens == 48);

    auto const distilbert = read_model_folder(golden + "distilbert");
    CHECK(distilbert.config.type == trawl::model_type::distilbert);
    CHECK(distilbert.config.token_types == 0);
    CHECK(distilbert.config.hidden % distilbert.config.heads == 0);

    CHECK(read_model_folder(golden + "bert_classifier").config.labels == 1);
    CHECK(read_model_folder(golden + "roberta_classifier").config.labels == 1);
}

TEST_CASE("folders of sentence-transformers are read", "[models][model_folder]") {
    auto const sentence = read_model_folder(golden + "sentence_bert");
    CHECK(sentence.pooling == trawl::pooling::mean);
    CHECK(sentence.normalise);
    CHECK(sentence.max_tokens == 16);
    REQUIRE(sentence.prompts.size() == 2);
    CHECK(sentence.find_prompt("passage") == "passage: ");
    CHECK_FALSE(sentence.find_prompt("other"));
    CHECK(sentence.default_prompt.empty());
    CHECK(sentence.dense.empty());

    CHECK(read_model_folder(golden + "sentence_cls").pooling == trawl::pooling::cls);
    CHECK_FALSE(read_model_folder(golden + "sentence_cls").normalise);
    CHECK(read_model_folder(golden + "sentence_max").pooling == trawl::pooling::max);

    auto const tokens = read_model_folder(golden + "late_interaction");
    REQUIRE(tokens.dense.size() == 1);
    CHECK(tokens.dense[0].in == 32);
    CHECK(tokens.dense[0].out == 12);
    CHECK_FALSE(tokens.dense[0].bias);
    CHECK(tokens.dense[0].act == trawl::activation::identity);
    CHECK(tokens.dense[0].path == golden + "late_interaction/1_Dense/model.safetensors");

    auto const fixed = read_model_folder(golden + "static");
    CHECK(fixed.config.type == trawl::model_type::model2vec);
    CHECK(fixed.normalise);
    CHECK(fixed.max_tokens == 512);
    CHECK(fixed.encoder == golden + "static");
}

TEST_CASE("what a config.json does not name is as in transformers", "[models][model_folder]") {
    auto const bert = folder().read();
    CHECK(bert.config.vocabulary == 30522);
    CHECK(bert.config.hidden == 768);
    CHECK(bert.config.intermediate == 3072);
    CHECK(bert.max_tokens == 512);
    auto const roberta =
        folder(R"({"model_type":"roberta","architectures":["RobertaForSequenceClassification"]})")
            .read();
    CHECK(roberta.config.vocabulary == 50265);
    CHECK(roberta.max_tokens == 510);
    CHECK(roberta.config.labels == 2);
    auto const ranker =
        folder(R"({"model_type":"bert","architectures":["BertForSequenceClassification"],
        "id2label":{"0":"LABEL_0"},"sentence_transformers":{"activation_fn":"torch.nn.modules.linear.Identity",
        "version":"4"}})")
            .read();
    CHECK(ranker.config.labels == 1);
    CHECK(ranker.score_activation == "Identity");
    folder const limits(R"({"model_type":"bert","max_position_embeddings":100})");
    limits.write(
        "tokenizer_config.json", R"({"model_max_length":1000000000000000019884624838656})");
    CHECK(limits.read().max_tokens == 100);
    limits.write("sentence_bert_config.json", R"({"max_seq_length":200,"do_lower_case":true})");
    CHECK(limits.read().max_tokens == 100);
    CHECK(limits.read().lower_case);
    limits.write("sentence_bert_config.json", R"({"max_seq_length":20,"do_lower_case":false})");
    CHECK(limits.read().max_tokens == 20);
}

TEST_CASE("a model's parts may lie in folders of their own", "[models][model_folder]") {
    folder const model;
    model.write("modules.json",
        R"([{"path":"0_Transformer","type":"sentence_transformers.base.modules.transformer.Transformer"},
            {"path":"1_Pooling","type":"sentence_transformers.sentence_transformer.modules.pooling.Pooling"},
            {"path":"2_MultiVectorMask","type":"sentence_transformers.multi_vector_encoder.modules.MultiVectorMask"}])");
    model.write("0_Transformer/config.json", R"({"model_type":"bert","hidden_size":48})");
    model.write("0_Transformer/model.safetensors", "");
    model.write(
        "1_Pooling/config.json", R"({"embedding_dimension":48,"pooling_mode":"lasttoken"})");
    model.write("2_MultiVectorMask/config.json",
        R"({"skiplist_words":["!",","],"skiplist_tasks":["document"],
        "keep_only_token_ids":null})");
    auto const read = model.read();
    CHECK(read.config.hidden == 48);
    CHECK(read.encoder == model.path + "/0_Transformer");
    CHECK(read.weights == model.path + "/0_Transformer/model.safetensors");
    CHECK(read.pooling == trawl::pooling::last);
    CHECK(read.skipped_words == std::vector<std::string>{"!", ","});
}

TEST_CASE(
    "what is not supported, missing or out of range is named", "[models][model_folder][bad]") {
    CHECK(config_error("{}") == "model_folder_test.tmp/config.json: lacks model_type");
    CHECK(config_error(R"({"model_type":"t5"})")
          == "model_folder_test.tmp/config.json: byte 14: model_type 't5' is not supported, only "
             "bert, "
             "distilbert, roberta, xlm-roberta, camembert and model2vec");
    CHECK(config_error(R"({"model_type":"bert","hidden_size":0})")
          == "model_folder_test.tmp/config.json: byte 35: is 0, must be 1 or more");
    CHECK(config_error(R"({"model_type":"bert","hidden_size":99999999999})")
          == "model_folder_test.tmp/config.json: byte 35: is 99999999999, must be a whole number "
             "from 0 "
             "to 16777216");
    CHECK(config_error(R"({"model_type":"bert","hidden_size":100})")
          == "model_folder_test.tmp/config.json: hidden size 100 is no multiple of 12 heads");
    CHECK(config_error(R"({"model_type":"bert","hidden_act":"mish"})")
          == "model_folder_test.tmp/config.json: byte 34: activation 'mish' is not supported");
    CHECK(config_error(R"({"model_type":"bert","position_embedding_type":"relative_key"})")
          == "model_folder_test.tmp/config.json: byte 47: only positions of type 'absolute' are "
             "supported");
    CHECK(config_error(R"({"model_type":"bert","is_decoder":true})")
          == "model_folder_test.tmp/config.json: byte 34: is_decoder: true is not supported");
    CHECK(config_error(R"({"model_type":"roberta","max_position_embeddings":2})")
          == "model_folder_test.tmp/config.json: has 2 positions, of which the first 2 are for no "
             "token");
    CHECK(config_error(R"({"model_type":"bert","pad_token_id":30522})")
          == "model_folder_test.tmp/config.json: pad_token_id is 30522, must be below vocab_size "
             "30522");
    CHECK(config_error(R"({"model_type":"bert","layer_norm_eps":-1})")
          == "model_folder_test.tmp/config.json: byte 38: layer_norm_eps must be from 0 to 1");
    CHECK(config_error("[]") == "model_folder_test.tmp/config.json: byte 0: expected is an object");

    auto const modules = [](std::string const& text) {
        folder const model;
        model.write("modules.json", text);
        return model.refused();
    };
    CHECK(modules(R"([{"type":"sentence_transformers.models.LSTM","path":""}])")
          == "model_folder_test.tmp/modules.json: byte 54: a module of type "
             "'sentence_transformers.models.LSTM' is not supported, only Transformer, "
             "StaticEmbedding, "
             "Pooling, Dense, Normalize and MultiVectorMask");
    for (std::string const path : {"../other", "/etc", "a/../../b", "..", "c:\\\\x"}) {
        auto const text = modules(R"([{"path":")" + path + R"(","type":"x.Normalize"}])");
        CHECK(text.find("is not a folder below the model's") != std::string::npos);
    }

    CHECK(modules(R"([{"path":"a\u0000b","type":"x.Normalize"}])")
          == "model_folder_test.tmp/modules.json: byte 9: the path has a NUL byte");

    folder const pooled;
    pooled.write("modules.json", R"([{"path":"1_Pooling","type":"x.Pooling"}])");
    CHECK(pooled.refused(trawl::errc::io)
              .starts_with("model_folder_test.tmp/1_Pooling/config.json: "));
    pooled.write("1_Pooling/config.json",
        R"({"pooling_mode_mean_tokens":true,"pooling_mode_max_tokens":true})");
    CHECK(pooled.refused()
          == "model_folder_test.tmp/1_Pooling/config.json: names 2 ways of pooling, only 1 is "
             "supported");
    pooled.write("1_Pooling/config.json", R"({"pooling_mode_weightedmean_tokens":true})");
    CHECK(pooled.refused()
          == "model_folder_test.tmp/1_Pooling/config.json: byte 36: pooling 'weightedmean_tokens' "
             "is not "
             "supported");
    pooled.write("1_Pooling/config.json", R"({"pooling_mode":"cls","include_prompt":false})");
    CHECK(pooled.refused()
          == "model_folder_test.tmp/1_Pooling/config.json: byte 39: include_prompt: false is not "
             "supported");

    folder const prompts;
    prompts.write(
        "config_sentence_transformers.json", R"({"prompts":{},"default_prompt_name":"query"})");
    CHECK(prompts.refused()
          == "model_folder_test.tmp/config_sentence_transformers.json: default_prompt_name 'query' "
             "is none "
             "of the prompts");
}

TEST_CASE("weights that are missing are named", "[models][model_folder][bad]") {
    folder const model;
    std::filesystem::remove(model.path + "/model.safetensors");
    CHECK(
        model.refused(trawl::errc::io) == "model_folder_test.tmp/model.safetensors: is not there");
    model.write("pytorch_model.bin", "");
    CHECK(model.refused(trawl::errc::io)
          == "model_folder_test.tmp/model.safetensors: is not there; pytorch_model.bin is not "
             "supported, "
             "save the model with safe_serialization=True");
    model.write("model.safetensors.index.json", "");
    CHECK(model.refused(trawl::errc::io)
          == "model_folder_test.tmp/model.safetensors: is not there; weights in several files are "
             "not "
             "supported");
    CHECK(read_model_folder(model.path, trawl::model_weights::elsewhere).weights.empty());
    CHECK(support::error_of([] { static_cast<void>(read_model_folder("no such folder")); }).code
          == trawl::errc::io);
}
