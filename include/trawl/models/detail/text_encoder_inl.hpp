// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of text_encoder.hpp.

#include <trawl/models/detail/text_encoder.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <trawl/detail/cosine.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/simd/dispatch.hpp>
#include <trawl/detail/simd/transformer_kernels.hpp>
#include <trawl/error.hpp>
#include <trawl/models/detail/activate.hpp>
#include <trawl/models/safetensors.hpp>
#include <trawl/storage/checksum.hpp>
#include <trawl/text/token_filter.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE text_encoder::text_encoder(std::string const& folder, weight_type weights,
    std::size_t max_tokens, executor const* pool, std::string_view who)
    : folder_(read_model_folder(folder)),
      tokenizer_(trawl::tokenizer::open(folder_.encoder)),
      transformer_(safetensors(folder_.weights), folder_.config, weights),
      max_tokens_(max_tokens == 0 ? folder_.max_tokens : max_tokens),
      pool_(pool) {
    auto const most = folder_.config.max_tokens();
    if (max_tokens_ > most)
        fail(errc::invalid_argument, join(who, ": max_tokens is ", max_tokens_, ", the model ",
                                         folder, " has positions for ", most));
    auto width = folder_.config.hidden;
    for (auto const& part : folder_.dense) {
        if (part.in != width)
            fail(errc::corrupt, join(part.path, ": the dense layer has ", part.in,
                                    " inputs, what is before it has ", width, " outputs"));
        safetensors const file(part.path);
        std::string_view const names[] = {"linear"};
        dense_.push_back(
            {{file, names, part.in, part.out, weight_type::float32, part.bias}, part.act});
        auto const tensor = file.tensor("linear.weight");
        std::uint64_t const chain[] = {dense_fingerprint_, checksum(tensor.bytes),
            part.bias ? checksum(file.tensor("linear.bias").bytes) : 0,
            static_cast<std::uint64_t>(part.act)};
        dense_fingerprint_ = checksum(std::as_bytes(std::span(chain)));
        width = part.out;
    }
}

TRAWL_INLINE std::uint64_t text_encoder::fingerprint() const {
    std::uint64_t const parts[] = {transformer_.fingerprint(), tokenizer_.fingerprint(),
        dense_fingerprint_, max_tokens_, folder_.lower_case ? 1u : 0u};
    return checksum(std::as_bytes(std::span(parts)));
}

TRAWL_INLINE std::string text_encoder::prompt_of(
    text_role role, std::optional<std::string> const& given) const {
    if (given) return *given;
    std::string_view const of_query[] = {"query"};
    std::string_view const of_passage[] = {"document", "passage", "corpus"};
    auto const names = role == text_role::query ? std::span<std::string_view const>(of_query)
                                                : std::span<std::string_view const>(of_passage);
    for (auto const name : names) {
        if (auto const found = folder_.find_prompt(name)) return std::string(*found);
    }
    if (folder_.default_prompt.empty()) return {};
    return std::string(folder_.find_prompt(folder_.default_prompt).value_or(""));
}

TRAWL_INLINE void text_encoder::tokenize(
    std::string_view prompt, std::string_view text, token_encoding& out) const {
    encode_options const options{.max_tokens = max_tokens_};
    if (prompt.empty() && !folder_.lower_case) {
        tokenizer_.encode(text, options, out);
        return;
    }
    std::string whole(prompt);
    whole += text;
    if (folder_.lower_case) static_cast<void>(trawl::lower_case()(whole));
    tokenizer_.encode(whole, options, out);
}

TRAWL_INLINE std::size_t text_encoder::dim() const noexcept {
    return dense_.empty() ? folder_.config.hidden : dense_.back().layer.out();
}

TRAWL_INLINE void text_encoder::apply_dense(
    float const* rows, std::size_t count, float* out) const {
    auto const& run = active_transformer_kernels();
    auto width = folder_.config.hidden;
    auto stride = padded_width(width);
    buffer<float> now(count * stride), next;
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(now.data() + i * stride, rows + i * width, width * sizeof(float));
    byte_rows bytes;
    for (auto const& part : dense_) {
        auto const wider = padded_width(part.layer.out());
        next.resize(count * wider);
        part.layer.apply(run, {now.data(), stride, count}, {next.data(), wider, count}, bytes);
        width = part.layer.out();
        stride = wider;
        for (std::size_t i = 0; i < count; ++i)
            activate(run, part.act, next.data() + i * stride, width);
        now.swap(next);
    }
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(out + i * width, now.data() + i * stride, width * sizeof(float));
}

TRAWL_INLINE void normalise_length(float* vector, std::size_t dim) {
    auto const inverse = inverse_length(active_kernels(), vector, dim);
    if (inverse == 0) return;
    for (std::size_t i = 0; i < dim; ++i)
        vector[i] = static_cast<float>(rounded(static_cast<double>(vector[i]) * inverse));
}

TRAWL_INLINE void run_each(
    executor const* pool, std::size_t count, function_ref<void(std::size_t)> task) {
    constexpr std::size_t at_once = 16;
    auto const some = [&](std::size_t i) {
        for (auto at = i * at_once; at < (std::min)(count, (i + 1) * at_once); ++at) task(at);
    };
    run_tasks(pool, (count + at_once - 1) / at_once, some);
}

} // namespace detail
TRAWL_END_NAMESPACE
