// SPDX-License-Identifier: MIT
#pragma once

/// Embeddings of texts by a sentence-transformers model, in process.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <trawl/config.hpp>
#include <trawl/core/executor.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/words.hpp>
#include <trawl/embed/any_embedder.hpp>
#include <trawl/models/model_folder.hpp>
#include <trawl/models/weight_type.hpp>

TRAWL_BEGIN_NAMESPACE

struct sentence_encoder_options {
    weight_type weights = weight_type::float32;
    /// The most tokens of a text, its prompt and special tokens included; what follows is cut off. 0:
    /// what the model's folder says.
    std::size_t max_tokens = 0;
    /// Put before each query ("query: " for e5). None: the model's prompt named "query", else its
    /// default prompt, else nothing.
    std::optional<std::string> query_prompt = {};
    /// Put before each passage ("passage: "). None: the model's prompt named "document", "passage" or
    /// "corpus", else its default prompt, else nothing.
    std::optional<std::string> passage_prompt = {};
    std::optional<trawl::pooling> pooling = {}; ///< none: what the model's folder says
    std::optional<bool> normalise = {};         ///< none: what the model's folder says
    executor const* pool = nullptr;             ///< borrowed; null: the calling thread
};

namespace detail {
class sentence_engine;
}

/// An embedder for hybrid_search, collections and any_embedder: tokenizes texts, runs the encoder,
/// pools the vectors of the tokens, applies dense layers, and normalises, as the model's folder says.
///
/// Copies share the weights. Const members may run from any number of threads at once. A text's
/// vector has the same bits in any batch, on any number of threads and on every machine with FMA.
class sentence_encoder {
public:
    /// Texts embedded so far, and all of them.
    using progress = any_embedder::progress;

    /// Opens a model's folder: config.json, model.safetensors and a tokenizer; modules.json and what
    /// it names, if they are there.
    /// @throws trawl::error (io, parse, corrupt) naming the file and what is wrong or not supported;
    /// (invalid_argument) if max_tokens is more than the model has positions.
    [[nodiscard]] static sentence_encoder open(
        std::string const& folder, sentence_encoder_options const& options = {});

    /// The width of an embedding.
    [[nodiscard]] std::size_t dim() const noexcept;

    /// The most tokens of a text.
    [[nodiscard]] std::size_t max_tokens() const noexcept;

    /// What the model's folder says.
    [[nodiscard]] model_folder const& folder() const noexcept;

    /// A checksum of everything that decides an embedding: weights, tokenizer, prompts, pooling, the
    /// type of weights in memory and the most tokens.
    /// @par Complexity  O(weights): about 0.1 ns a byte of the file.
    [[nodiscard]] std::uint64_t fingerprint() const;

    /// Embeds texts, all in one call: texts are grouped for the processor's caches inside.
    /// @param out  [texts x dim]
    /// @throws trawl::error (dimension_mismatch) if out has another shape; (model) naming a text whose
    /// embedding is not finite.
    void embed(
        std::span<std::string_view const> texts, text_role role, matrix_view<float> out) const;

    /// The same, and reports after some hundred texts, on the calling thread.
    void embed(std::span<std::string_view const> texts, text_role role, matrix_view<float> out,
        progress report) const;

    /// Whether the model reads only a part of this text.
    [[nodiscard]] bool truncates(std::string_view text, text_role role = text_role::passage) const;

private:
    sentence_encoder() = default;

    std::shared_ptr<detail::sentence_engine const> engine_;
};

static_assert(fingerprinted_embedder<sentence_encoder>);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/sentence_encoder_inl.hpp>
#endif
