// SPDX-License-Identifier: MIT
#pragma once

/// The weights of an encoder, and what it computes. Bodies are in transformer_engine_inl.hpp.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <trawl/config.hpp>
#include <trawl/core/executor.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/simd/transformer_kernels.hpp>
#include <trawl/models/detail/linear_layer.hpp>
#include <trawl/models/model_folder.hpp>
#include <trawl/models/safetensors.hpp>
#include <trawl/models/token_encoding.hpp>
#include <trawl/models/weight_type.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Memory of one thread for the texts that it encodes together, used again for the next ones.
/// Rows have the stride padded_width(columns).
struct encoder_memory {
    buffer<float> states = {};     ///< [tokens x hidden]
    buffer<float> results = {};    ///< [tokens x hidden], of a step
    buffer<float> heads = {};      ///< [tokens x 3 hidden]: queries, keys, values
    buffer<float> next_heads = {}; ///< of the next layer, where threads share the rows of a text
    buffer<float> context = {};    ///< [tokens x hidden]
    buffer<float> inner = {};      ///< [rows of a block x intermediate]
    buffer<float> keys = {};       ///< of a head, interleaved
    buffer<float> values = {};     ///< of a head, in panels, if its width is no multiple of 16
    buffer<float> scores = {};     ///< [rows of a block x tokens of a text]
    buffer<float> head = {};       ///< [rows of a block x width of a head]
    buffer<float> compact = {};    ///< [tokens x hidden], without stride
    byte_rows bytes = {};
};

/// Memory that no thread uses now, kept so that the next text finds it: fresh memory costs a page
/// fault for each 4 KiB [measured: 4 % of a text of 128 tokens in float32, 10 % in int8].
class spare_memory {
public:
    spare_memory() = default;
    spare_memory(spare_memory const&) = delete;
    spare_memory& operator=(spare_memory const&) = delete;
    ~spare_memory();

    [[nodiscard]] encoder_memory* take();
    void give_back(encoder_memory* memory) noexcept;

private:
    std::atomic<encoder_memory*> places_[16] = {};
};

class borrowed_memory {
public:
    explicit borrowed_memory(spare_memory& from) : from_(from), memory_(from.take()) {}
    borrowed_memory(borrowed_memory const&) = delete;
    borrowed_memory& operator=(borrowed_memory const&) = delete;
    ~borrowed_memory() { from_.give_back(memory_); }

    [[nodiscard]] encoder_memory& operator*() const noexcept { return *memory_; }

private:
    spare_memory& from_;
    encoder_memory* memory_;
};

class transformer_engine {
public:
    transformer_engine(
        safetensors const& file, transformer_config const& config, weight_type weights);

    [[nodiscard]] transformer_config const& config() const noexcept { return config_; }
    [[nodiscard]] std::size_t labels() const noexcept { return head_.out(); }
    [[nodiscard]] bool has_pooler() const noexcept { return has_pooler_; }
    [[nodiscard]] std::uint64_t fingerprint() const;

    using receiver = function_ref<void(std::size_t text, matrix_view<float const> states)>;
    using layer_receiver = function_ref<void(std::size_t layer, matrix_view<float const> states)>;

    void encode(std::span<token_encoding const> texts, receiver use, executor const* pool) const;
    void encode_layers(token_encoding const& text, layer_receiver use) const;
    void pool_first(std::span<float const> state, std::span<float> out) const;
    void classify(std::span<float const> state, std::span<float> out) const;

private:
    struct norm {
        buffer<float> weight = {};
        buffer<float> bias = {};
    };

    struct layer {
        linear_layer heads = {}; ///< queries, keys and values
        linear_layer context = {};
        norm first = {};
        linear_layer up = {};
        linear_layer down = {};
        norm second = {};
    };

    /// Texts that are encoded together: their places, and the row of each one's first token.
    struct group {
        std::span<std::size_t const> texts;
        buffer<std::size_t> begins; ///< one more than texts
    };

    /// The rows of all tokens of a group.
    struct group_rows {
        float_rows states, results, heads, context;
    };

    struct parallel_rows {
        executor const* pool = nullptr;
        std::size_t parts = 1;
    };

    [[nodiscard]] norm read_norm(std::string const& name) const;
    void read_layers();
    void read_head();
    [[nodiscard]] linear_layer read_linear(
        std::string const& name, std::size_t in, std::size_t out, weight_type type) const;
    void check(token_encoding const& text, std::size_t place) const;
    void encode_group(std::span<token_encoding const> texts, group const& which,
        encoder_memory& memory, parallel_rows split, layer_receiver const* each) const;
    void finish_layer(layer const& with, group const& which, group_rows const& rows,
        std::size_t first, std::size_t count, encoder_memory& memory) const;
    void embed(token_encoding const& text, float_rows states) const;
    void attend(
        float_rows heads, std::size_t first, float_rows context, encoder_memory& memory) const;
    void add_and_normalise(float_rows results, float_rows states, norm const& by) const;
    void report(float_rows states, encoder_memory& memory, std::size_t place,
        layer_receiver const& use) const;

    transformer_kernels const& run_;
    mutable spare_memory spare_;
    safetensors file_;
    transformer_config config_;
    weight_type weights_;
    std::string prefix_;
    tensor_view words_ = {};
    buffer<float> positions_ = {}; ///< [max_tokens x hidden]
    buffer<float> types_ = {};     ///< [token_types x hidden]
    norm embedding_norm_ = {};
    buffer<layer> layers_ = {};
    bool has_pooler_ = false;
    linear_layer pooler_ = {};
    linear_layer before_head_ = {}; ///< of RoBERTa (tanh) and DistilBERT (ReLU)
    linear_layer head_ = {};
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/transformer_engine_inl.hpp>
#endif
