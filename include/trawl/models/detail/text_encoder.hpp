// SPDX-License-Identifier: MIT
#pragma once

/// What the users' classes share: a model's folder with its tokenizer and encoder. Bodies are in
/// text_encoder_inl.hpp.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/config.hpp>
#include <trawl/core/executor.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/models/detail/linear_layer.hpp>
#include <trawl/models/model_folder.hpp>
#include <trawl/models/tokenizer.hpp>
#include <trawl/models/transformer.hpp>
#include <trawl/models/weight_type.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class text_encoder {
public:
    /// @param max_tokens  0: what the folder says.
    /// @param who  The class, for error messages.
    text_encoder(std::string const& folder, weight_type weights, std::size_t max_tokens,
        executor const* pool, std::string_view who);

    [[nodiscard]] model_folder const& folder() const noexcept { return folder_; }
    [[nodiscard]] trawl::tokenizer const& tokens() const noexcept { return tokenizer_; }
    [[nodiscard]] transformer const& encoder() const noexcept { return transformer_; }
    [[nodiscard]] executor const* pool() const noexcept { return pool_; }
    [[nodiscard]] std::size_t max_tokens() const noexcept { return max_tokens_; }
    [[nodiscard]] std::uint64_t fingerprint() const;

    /// The prompt of a role: the one given, else the model's.
    [[nodiscard]] std::string prompt_of(
        text_role role, std::optional<std::string> const& given) const;

    /// The tokens of a text with its prompt.
    void tokenize(std::string_view prompt, std::string_view text, token_encoding& out) const;

    /// The width behind the dense layers.
    [[nodiscard]] std::size_t dim() const noexcept;

    /// Applies the dense layers to rows [count x hidden] and writes [count x dim].
    void apply_dense(float const* rows, std::size_t count, float* out) const;

private:
    struct dense {
        linear_layer layer = {};
        activation act = activation::identity;
    };

    model_folder folder_;
    trawl::tokenizer tokenizer_;
    transformer transformer_;
    buffer<dense> dense_ = {};
    std::uint64_t dense_fingerprint_ = 0;
    std::size_t max_tokens_ = 0;
    executor const* pool_ = nullptr;
};

/// Scales a vector to length 1, or leaves it if it is zero.
void normalise_length(float* vector, std::size_t dim);

/// Texts that are tokenized and encoded in one go; reports come in between.
inline constexpr std::size_t texts_at_once = 256;

/// Calls task(i) for i in [0, count) on the pool, in runs of neighbours.
void run_each(executor const* pool, std::size_t count, function_ref<void(std::size_t)> task);

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/text_encoder_inl.hpp>
#endif
