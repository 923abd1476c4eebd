// SPDX-License-Identifier: MIT
#pragma once

/// What the folder of a Hugging Face or sentence-transformers model says about the model: its sizes,
/// how token vectors become one vector, its prompts.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

/// What kind of model it is, by the "model_type" of config.json.
enum class model_type : unsigned char {
    bert,
    distilbert,
    roberta,
    xlm_roberta,
    model2vec, ///< a vector for each token, and their mean: no encoder, no sizes in config.json
};

/// The name of a model type in config.json.
[[nodiscard]] std::string_view name_of(model_type type) noexcept;

enum class activation : unsigned char {
    gelu,      ///< by the error function
    gelu_tanh, ///< the approximation by tanh: "gelu_new", "gelu_pytorch_tanh"
    relu,
    silu,
    tanh,
    identity,
};

/// config.json of an encoder; what it does not name has the default of transformers. All sizes are from
/// 1 to 2^24; hidden is a multiple of heads, positions is more than position_begin.
struct transformer_config {
    model_type type = model_type::bert;
    std::vector<std::string> architectures =
        {};                     ///< "BertModel", "BertForSequenceClassification", …
    std::size_t vocabulary = 0; ///< rows of the word embeddings
    std::size_t hidden = 0;     ///< width of a token's vector
    std::size_t layers = 0;
    std::size_t heads = 0;
    std::size_t intermediate = 0;   ///< width of the feed-forward layer
    std::size_t positions = 0;      ///< rows of the position embeddings
    std::size_t position_begin = 0; ///< the first token's position: RoBERTa's padding id + 1
    std::size_t token_types = 0;    ///< rows of the token type embeddings; 0: there are none
    activation act = activation::gelu;
    float layer_norm_epsilon = 1e-12f;
    std::size_t padding_id = 0;
    std::size_t labels = 0; ///< outputs of the classification head, for a model that has one

    /// The longest input that it has positions for.
    [[nodiscard]] std::size_t max_tokens() const noexcept { return positions - position_begin; }
};

/// How the vectors of a text's tokens become one. Padding never counts.
enum class pooling : unsigned char {
    cls,              ///< the first token's
    mean,             ///< their mean
    max,              ///< the largest value of each dimension
    mean_sqrt_length, ///< their sum, divided by the square root of their number
    last,             ///< the last token's
};

/// A linear layer behind the pooling (behind each token, for late interaction).
struct dense_layer {
    std::string path = {}; ///< of its safetensors file: linear.weight [out x in], linear.bias [out]
    std::size_t in = 0;
    std::size_t out = 0;
    bool bias = true;
    activation act = activation::tanh;
    bool of_tokens = false; ///< it is applied to each token's vector, not to the text's
};

/// A text that is put before texts of a kind: {"query", "query: "}.
struct prompt {
    std::string name = {};
    std::string text = {};
};

/// What the files of a model's folder say.
struct model_folder {
    std::string path = {};    ///< of the folder
    std::string encoder = {}; ///< of the folder with config.json and the tokenizer: it, or below it
    std::string weights = {}; ///< of model.safetensors; empty if it is not there
    transformer_config config = {};
    std::size_t max_tokens =
        0; ///< the longest input that it was meant for; never beyond its positions
    bool lower_case = false; ///< sentence_bert_config.json: texts are lower-cased first
    /// From modules.json; without one, mean, as sentence-transformers does.
    trawl::pooling pooling = trawl::pooling::mean;
    std::vector<dense_layer> dense = {};
    bool normalise = false; ///< whether vectors are divided by their length
    std::vector<prompt> prompts = {};
    std::string default_prompt = {}; ///< the name of the prompt to use where none is asked for
    /// What a cross-encoder applies to its logits: "Sigmoid", "Identity", …; empty if no file says.
    std::string score_activation = {};
    /// Tokens of documents that late interaction leaves out, such as punctuation.
    std::vector<std::string> skipped_words = {};

    /// The text of a prompt; none if the model has none of this name.
    [[nodiscard]] std::optional<std::string_view> find_prompt(std::string_view name) const noexcept;
};

/// Where the weights of a model are.
enum class model_weights : unsigned char {
    safetensors, ///< in model.safetensors
    elsewhere,   ///< there or in another file, which the caller opens
};

/// Reads config.json, modules.json, the config.json of each module, sentence_bert_config.json and
/// config_sentence_transformers.json. Only config.json must be there. Weights are not opened.
/// @throws trawl::error (io) if there is no config.json, or no model.safetensors where the weights
/// must be in it; (parse) naming the file and the value that is missing, out of range or not
/// supported.
[[nodiscard]] model_folder read_model_folder(
    std::string const& path, model_weights where = model_weights::safetensors);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/model_folder_inl.hpp>
#endif
