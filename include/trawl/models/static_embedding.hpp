// SPDX-License-Identifier: MIT
#pragma once

/// Embeddings by a table of token vectors, without an encoder: model2vec, potion.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <trawl/config.hpp>
#include <trawl/core/executor.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/words.hpp>
#include <trawl/embed/any_embedder.hpp>

TRAWL_BEGIN_NAMESPACE

struct static_embedding_options {
    /// The most tokens of a text that count.
    std::size_t max_tokens = 512;
    std::optional<bool> normalise = {}; ///< none: what the model's folder says
    executor const* pool = nullptr;     ///< borrowed; null: the calling thread
};

namespace detail {
class static_engine;
}

/// The mean of the vectors of a text's tokens; unknown tokens do not count. A text without a known
/// token has the vector 0. Hundreds of times faster than an encoder, and weaker.
///
/// Copies share the table, which stays in the file, mapped. Const members may run from any number of
/// threads at once. A vector has the same bits on every machine with FMA.
/// @par Source  Tulkens, van Dongen, "Model2Vec", https://github.com/MinishLab/model2vec.
class static_embedding {
public:
    /// Opens a model's folder: the tensors "embeddings" [tokens x dim] (or "embedding.weight"), and, if
    /// they are there, "weights" [tokens] and "mapping" [tokens], the row of each token.
    /// @throws trawl::error (io, parse, corrupt) naming the file and what is wrong or not supported.
    [[nodiscard]] static static_embedding open(
        std::string const& folder, static_embedding_options options = {});

    /// The width of an embedding.
    [[nodiscard]] std::size_t dim() const noexcept;

    /// A checksum of everything that decides an embedding.
    /// @par Complexity  O(table): about 0.1 ns a byte of the file.
    [[nodiscard]] std::uint64_t fingerprint() const;

    /// @param out  [texts x dim]
    /// @throws trawl::error (dimension_mismatch) if out has another shape; (model) naming a text whose
    /// embedding is not finite.
    void embed(
        std::span<std::string_view const> texts, text_role role, matrix_view<float> out) const;

private:
    static_embedding() = default;

    std::shared_ptr<detail::static_engine const> engine_;
};

static_assert(fingerprinted_embedder<static_embedding>);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/static_embedding_inl.hpp>
#endif
