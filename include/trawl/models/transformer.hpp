// SPDX-License-Identifier: MIT
#pragma once

/// The encoder of a model of BERT's family: a vector for each token of a text.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <trawl/config.hpp>
#include <trawl/core/executor.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/models/model_folder.hpp>
#include <trawl/models/token_encoding.hpp>
#include <trawl/models/weight_type.hpp>

TRAWL_BEGIN_NAMESPACE

class safetensors;

namespace detail {
class transformer_engine;
}

/// BERT, MiniLM, DistilBERT, RoBERTa, XLM-RoBERTa. Copies share the weights. Const members may run
/// from any number of threads at once.
///
/// What a text becomes does not depend on the texts beside it, on the number of threads, on the
/// machine or on compiler flags: no text is padded, and every output is computed by one chain of
/// operations in a fixed order.
/// @par Source  Devlin and others, "BERT", NAACL 2019; Vaswani and others, "Attention is all you
/// need", NIPS 2017.
class transformer {
public:
    /// Reads the weights by the names that Hugging Face's transformers save, with or without the
    /// prefix of a model with a head: "embeddings.word_embeddings.weight",
    /// "bert.embeddings.word_embeddings.weight", …
    ///
    /// The word embeddings stay in the file, mapped; all other weights are copied in the order of
    /// the kernels.
    /// @throws trawl::error (corrupt) naming the file and the tensor that is missing or has another
    /// shape; (invalid_argument) for a model without an encoder.
    transformer(safetensors const& file, transformer_config const& config,
        weight_type weights = weight_type::float32);

    [[nodiscard]] transformer_config const& config() const noexcept;

    /// The width of a token's vector.
    [[nodiscard]] std::size_t dim() const noexcept;

    /// The outputs of the classification head; 0 if the file has none.
    [[nodiscard]] std::size_t labels() const noexcept;

    /// Whether the file has a pooler, BERT's dense layer over the first token.
    [[nodiscard]] bool has_pooler() const noexcept;

    /// A checksum of everything that decides the outputs.
    /// @par Complexity  O(weights): about 0.1 ns a byte of the file.
    [[nodiscard]] std::uint64_t fingerprint() const;

    /// Receives the last hidden states of a text, [tokens x dim], valid during the call. Which text,
    /// by its place. Calls come in any order, and from several threads if there is an executor.
    using receiver = function_ref<void(std::size_t text, matrix_view<float const> states)>;

    /// Encodes texts. All tokens of a text count; there is no padding.
    /// @throws trawl::error (invalid_argument) naming a text with more tokens than the model has
    /// positions, or with a token id or type beyond the model's.
    /// @par Complexity  O(tokens * layers * dim * (dim + intermediate + longest text)).
    void encode(
        std::span<token_encoding const> texts, receiver use, executor const* pool = nullptr) const;

    /// The hidden states of one text behind the embeddings (layer 0) and behind each layer.
    void encode_layers(token_encoding const& text,
        function_ref<void(std::size_t layer, matrix_view<float const> states)> use) const;

    /// tanh of the pooler's dense layer over the first token's state.
    /// @param state  [dim]
    /// @param out  [dim]
    /// @throws trawl::error (invalid_argument) if there is no pooler; (dimension_mismatch).
    void pool_first(std::span<float const> state, std::span<float> out) const;

    /// The outputs of the classification head, before any sigmoid or softmax.
    /// @param state  [dim], of the first token.
    /// @param out  [labels]
    /// @throws trawl::error (invalid_argument) if there is no head; (dimension_mismatch).
    void classify(std::span<float const> state, std::span<float> out) const;

private:
    std::shared_ptr<detail::transformer_engine const> engine_;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/transformer_inl.hpp>
#endif
