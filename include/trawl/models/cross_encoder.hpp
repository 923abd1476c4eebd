// SPDX-License-Identifier: MIT
#pragma once

/// Reranking by a cross-encoder, in process: a model that reads query and passage together.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <trawl/config.hpp>
#include <trawl/core/concepts.hpp>
#include <trawl/core/executor.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/words.hpp>
#include <trawl/models/model_folder.hpp>
#include <trawl/models/weight_type.hpp>

TRAWL_BEGIN_NAMESPACE

struct cross_encoder_options {
    weight_type weights = weight_type::float32;
    /// The most tokens of a pair, special tokens included; the longer text is cut first. 0: what the
    /// model's folder says.
    std::size_t max_tokens = 0;
    /// Which output of the classification head is the score. None: the only one.
    std::optional<std::size_t> label = {};
    executor const* pool = nullptr; ///< borrowed; null: the calling thread
};

namespace detail {
class cross_engine;
}

/// A reranker for pipelines and rerank_stage. A score is the model's logit: see rerank_stage why not
/// its sigmoid. Batches and the time limit are the stage's: rerank_options::batch_size,
/// by_length, time_limit.
///
/// Copies share the weights. Const members may run from any number of threads at once. A pair's
/// score has the same bits in any batch, on any number of threads and on every machine with FMA.
/// @par Source  Nogueira, Cho, "Passage re-ranking with BERT", arXiv:1901.04085.
class cross_encoder {
public:
    /// Opens the folder of a model for sequence classification: config.json, model.safetensors and a
    /// tokenizer.
    /// @throws trawl::error (io, parse, corrupt) naming the file and what is wrong or not supported;
    /// (invalid_argument) if the model has no classification head, label is not one of its
    /// outputs or is missing where it has several, or max_tokens is more than it has positions.
    [[nodiscard]] static cross_encoder open(
        std::string const& folder, cross_encoder_options options = {});

    /// The outputs of the classification head.
    [[nodiscard]] std::size_t labels() const noexcept;

    [[nodiscard]] std::size_t max_tokens() const noexcept;

    /// What the model's folder says.
    [[nodiscard]] model_folder const& folder() const noexcept;

    /// A checksum of everything that decides a score.
    /// @par Complexity  O(weights): about 0.1 ns a byte of the file.
    [[nodiscard]] std::uint64_t fingerprint() const;

    /// All outputs for each pair of the query and a text.
    /// @param out  [texts x labels]
    /// @throws trawl::error (dimension_mismatch) if out has another shape; (model) naming a text whose
    /// outputs are not finite.
    void logits(std::string_view query, std::span<std::string_view const> texts,
        matrix_view<float> out) const;

    /// The score of each text; higher is better.
    /// @param out  [texts]
    /// @throws trawl::error as logits().
    void score(std::string_view query, std::span<std::string_view const> texts,
        std::span<float> out) const;

    /// The same for candidates, of which only the text is read.
    void operator()(query const& q, std::span<candidate const> batch, std::span<float> out) const;

    /// Whether the model reads only a part of the pair.
    [[nodiscard]] bool truncates(query const& q, std::string_view text) const;

private:
    cross_encoder() = default;

    std::shared_ptr<detail::cross_engine const> engine_;
};

static_assert(reranker<cross_encoder>);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/cross_encoder_inl.hpp>
#endif
