// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of transformer.hpp.

#include <trawl/models/transformer.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <trawl/models/detail/transformer_engine.hpp>
#include <trawl/models/safetensors.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE transformer::transformer(
    safetensors const& file, transformer_config const& config, weight_type weights)
    : engine_(std::make_shared<detail::transformer_engine const>(file, config, weights)) {}

TRAWL_INLINE transformer_config const& transformer::config() const noexcept {
    return engine_->config();
}
TRAWL_INLINE std::size_t transformer::dim() const noexcept { return engine_->config().hidden; }
TRAWL_INLINE std::size_t transformer::labels() const noexcept { return engine_->labels(); }
TRAWL_INLINE bool transformer::has_pooler() const noexcept { return engine_->has_pooler(); }
TRAWL_INLINE std::uint64_t transformer::fingerprint() const { return engine_->fingerprint(); }

TRAWL_INLINE void transformer::encode(
    std::span<token_encoding const> texts, receiver use, executor const* pool) const {
    engine_->encode(texts, use, pool);
}

TRAWL_INLINE void transformer::encode_layers(token_encoding const& text,
    function_ref<void(std::size_t layer, matrix_view<float const> states)> use) const {
    engine_->encode_layers(text, use);
}

TRAWL_INLINE void transformer::pool_first(
    std::span<float const> state, std::span<float> out) const {
    engine_->pool_first(state, out);
}

TRAWL_INLINE void transformer::classify(std::span<float const> state, std::span<float> out) const {
    engine_->classify(state, out);
}

TRAWL_END_NAMESPACE
