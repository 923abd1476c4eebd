// SPDX-License-Identifier: MIT
#pragma once

/// Token vectors of texts for MaxSim, by a late-interaction model (ColBERT), in process.

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
#include <trawl/core/matrix.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/words.hpp>
#include <trawl/models/model_folder.hpp>
#include <trawl/models/weight_type.hpp>

TRAWL_BEGIN_NAMESPACE

struct late_interaction_options {
    weight_type weights = weight_type::float32;
    /// The most tokens of a text, its prompt and special tokens included. 0: what the model's folder
    /// says.
    std::size_t max_tokens = 0;
    /// Put before each query and each passage ("[Q] ", "[D] "). None: the model's prompt, as
    /// sentence_encoder_options has it.
    std::optional<std::string> query_prompt = {};
    std::optional<std::string> passage_prompt = {};
    bool normalise = true;          ///< each token's vector is divided by its length
    executor const* pool = nullptr; ///< borrowed; null: the calling thread
};

namespace detail {
class late_interaction_engine;
}

/// Makes the token vectors that maxsim and maxsim_index compare: the encoder's last states, behind the
/// model's dense layers, special tokens included. Queries are not filled up with mask tokens.
///
/// Copies share the weights. Const members may run from any number of threads at once. A text's
/// vectors have the same bits in any batch, on any number of threads and on every machine with FMA.
/// @par Source  Khattab, Zaharia, "ColBERT: efficient and effective passage search via
/// contextualized late interaction over BERT", SIGIR 2020.
class late_interaction_encoder {
public:
    /// Opens a model's folder.
    /// @throws trawl::error as sentence_encoder::open.
    [[nodiscard]] static late_interaction_encoder open(
        std::string const& folder, late_interaction_options const& options = {});

    /// The width of a token's vector.
    [[nodiscard]] std::size_t dim() const noexcept;

    [[nodiscard]] std::size_t max_tokens() const noexcept;

    /// What the model's folder says.
    [[nodiscard]] model_folder const& folder() const noexcept;

    /// A checksum of everything that decides the vectors.
    /// @par Complexity  O(weights): about 0.1 ns a byte of the file.
    [[nodiscard]] std::uint64_t fingerprint() const;

    /// The token vectors of a text, [tokens x dim].
    /// @throws trawl::error (model) naming a token whose vector is not finite.
    [[nodiscard]] matrix<float> encode(std::string_view text, text_role role) const;

    /// Receives the vectors of a text, [tokens x dim], valid during the call. Which text, by its
    /// place. Calls come in any order, and from several threads if there is an executor.
    using receiver = function_ref<void(std::size_t text, matrix_view<float const> vectors)>;

    /// Encodes texts, all in one call.
    /// @throws trawl::error (model) naming a text with a vector that is not finite.
    void encode(std::span<std::string_view const> texts, text_role role, receiver use) const;

private:
    late_interaction_encoder() = default;

    std::shared_ptr<detail::late_interaction_engine const> engine_;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/late_interaction_encoder_inl.hpp>
#endif
