// SPDX-License-Identifier: MIT
#pragma once

/// A model's folder, tokenizer and session of ONNX Runtime, and what is done with its outputs.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/matrix_view.hpp>
#include <trawl/core/words.hpp>
#include <trawl/error.hpp>
#include <trawl/models/detail/model_files.hpp>
#include <trawl/models/detail/onnx_session.hpp>
#include <trawl/models/model_folder.hpp>
#include <trawl/models/safetensors.hpp>
#include <trawl/models/tokenizer.hpp>
#include <trawl/storage/checksum.hpp>
#include <trawl/storage/mapped_file.hpp>
#include <trawl/text/token_filter.hpp>

TRAWL_BEGIN_NAMESPACE

/// How a model runs in ONNX Runtime.
struct onnx_options {
    /// The model's file in its folder; empty: model.onnx, or else onnx/model.onnx.
    std::string file = {};
    std::size_t threads = 1;     ///< of ONNX Runtime in a call; 0: as many as it likes
    std::size_t batch_size = 32; ///< texts or pairs that go through the model together, >= 1
    std::size_t max_tokens = 0;  ///< of a text or a pair; 0: the model's own limit
    /// Put before every query and every passage. None: the model's prompt of that name, if it has one.
    std::optional<std::string> query_prompt = {};
    std::optional<std::string> passage_prompt = {};
};

namespace detail {

/// A folder, its tokenizer and its session.
class onnx_model {
public:
    onnx_model(std::string const& path, onnx_options options, std::string_view user)
        : folder_(read_model_folder(path, model_weights::elsewhere)),
          tokens_(tokenizer::open(folder_.encoder)),
          options_(std::move(options)),
          session_(file(path, options_.file), options_.threads) {
        if (options_.batch_size == 0)
            fail(errc::invalid_argument, join(user, ": batch_size is 0, must be 1 or more"));
        if (options_.max_tokens == 0) options_.max_tokens = folder_.max_tokens;
        padding_ = static_cast<std::int64_t>(tokens_.special().padding.value_or(0));
    }

    [[nodiscard]] model_folder const& folder() const noexcept { return folder_; }
    [[nodiscard]] onnx_session const& session() const noexcept { return session_; }
    [[nodiscard]] tokenizer const& tokens() const noexcept { return tokens_; }
    [[nodiscard]] std::size_t max_tokens() const noexcept { return options_.max_tokens; }

    /// A text as the model reads it: behind the prompt of its role.
    [[nodiscard]] token_encoding encode(std::string_view text, text_role role) const {
        auto const before = prompt(role);
        encode_options const how{.max_tokens = options_.max_tokens};
        if (before.empty() && !folder_.lower_case) return tokens_.encode(text, how);
        auto whole = std::string(before).append(text);
        if (folder_.lower_case) static_cast<void>(trawl::lower_case()(whole));
        return tokens_.encode(whole, how);
    }

    /// Passes batches of encodings of like length to use(rows, output): `rows` says which encodings
    /// they are, the output's first dimension belongs to them.
    template <class Use>
    void run(std::span<token_encoding const> encodings, std::string const& output,
        Use const& use) const {
        std::vector<std::size_t> order(encodings.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return encodings[a].size() < encodings[b].size();
        });
        for (std::size_t begin = 0; begin < order.size(); begin += options_.batch_size) {
            auto const count = (std::min)(options_.batch_size, order.size() - begin);
            std::span<std::size_t const> const rows(order.data() + begin, count);
            std::vector<token_encoding const*> batch;
            for (auto const row : rows) batch.push_back(&encodings[row]);
            auto inputs = onnx_inputs(session_, batch, padding_);
            auto const out = session_.run(inputs, output);
            if (out.shape.empty() || out.shape[0] != count)
                refuse(output, "has another number of rows than its input");
            use(rows, out);
        }
    }

    [[noreturn]] void refuse(std::string const& output, std::string_view reason) const {
        fail(errc::model, join(session_.path(), ": the output ", output, " ", reason));
    }

    /// A checksum of the model's file, its tokenizer and the options that decide what it computes.
    [[nodiscard]] std::uint64_t fingerprint() const {
        auto const of_text = [](std::string_view text) {
            return checksum(std::as_bytes(std::span(text)));
        };
        std::vector<std::uint64_t> parts{checksum(mapped_file(session_.path()).bytes()),
            tokens_.fingerprint(), options_.max_tokens, of_text(prompt(text_role::query)),
            of_text(prompt(text_role::passage)), static_cast<std::uint64_t>(folder_.pooling),
            folder_.normalise ? 1u : 0u, folder_.lower_case ? 1u : 0u};
        for (auto const& layer : folder_.dense) {
            parts.push_back(checksum(mapped_file(layer.path).bytes()));
            parts.push_back(static_cast<std::uint64_t>(layer.act));
        }
        return checksum(std::as_bytes(std::span(parts)));
    }

private:
    static std::string file(std::string const& path, std::string const& name) {
        if (!name.empty()) return file_in(path, name);
        auto const here = file_in(path, "model.onnx");
        return file_exists(here) ? here : file_in(path, "onnx/model.onnx");
    }

    [[nodiscard]] std::string_view prompt(text_role role) const {
        auto const& given =
            role == text_role::query ? options_.query_prompt : options_.passage_prompt;
        if (given) return *given;
        if (role == text_role::query) {
            if (auto const found = folder_.find_prompt("query")) return *found;
        } else {
            for (auto const* const name : {"document", "passage", "corpus"})
                if (auto const found = folder_.find_prompt(name)) return *found;
        }
        if (folder_.default_prompt.empty()) return {};
        return folder_.find_prompt(folder_.default_prompt).value_or(std::string_view());
    }

    model_folder folder_;
    tokenizer tokens_;
    onnx_options options_;
    onnx_session session_;
    std::int64_t padding_ = 0;
};

/// The linear layers behind pooling, or behind each token.
class onnx_dense {
public:
    explicit onnx_dense(model_folder const& folder) : dim_(folder.config.hidden) {
        for (auto const& layer : folder.dense) {
            safetensors const file(layer.path);
            auto& made = layers_.emplace_back(one{layer, {}, {}});
            std::size_t const shape[] = {layer.out, layer.in};
            made.weight.resize(layer.in * layer.out);
            copy_floats(file.floats("linear.weight", shape), made.weight);
            if (layer.bias) {
                made.bias.resize(layer.out);
                copy_floats(file.floats("linear.bias", std::span(shape, 1)), made.bias);
            }
            dim_ = layer.out;
        }
    }

    [[nodiscard]] std::size_t dim() const noexcept { return dim_; }

    void apply(std::vector<float>& vector) const {
        for (auto const& [layer, weight, bias] : layers_) {
            std::vector<float> out(layer.out);
            for (std::size_t o = 0; o < layer.out; ++o) {
                double sum = bias.empty() ? 0.0 : static_cast<double>(bias[o]);
                for (std::size_t i = 0; i < layer.in; ++i)
                    sum += static_cast<double>(weight[o * layer.in + i])
                           * static_cast<double>(vector[i]);
                out[o] = static_cast<float>(activated(sum, layer.act));
            }
            vector = std::move(out);
        }
    }

private:
    struct one {
        dense_layer layer;
        std::vector<float> weight;
        std::vector<float> bias;
    };

    static double activated(double x, activation how) noexcept {
        switch (how) {
        case activation::gelu:
            return 0.5 * x * (1 + std::erf(x * 0.70710678118654752));
        case activation::gelu_tanh:
            return 0.5 * x * (1 + std::tanh(0.79788456080286536 * (x + 0.044715 * x * x * x)));
        case activation::relu:
            return x > 0 ? x : 0;
        case activation::silu:
            return x / (1 + std::exp(-x));
        case activation::tanh:
            return std::tanh(x);
        case activation::identity:
            break;
        }
        return x;
    }

    std::vector<one> layers_;
    std::size_t dim_;
};

inline void onnx_unit_length(std::span<float> vector) noexcept {
    double sum = 0;
    for (auto const x : vector) sum += static_cast<double>(x) * static_cast<double>(x);
    auto const length = std::sqrt(sum);
    if (length > 0)
        for (auto& x : vector) x = static_cast<float>(static_cast<double>(x) / length);
}

/// The vectors of the tokens of one text [tokens x hidden], as one.
inline std::vector<float> onnx_pooled(
    std::span<float const> tokens, std::size_t hidden, pooling how) {
    auto const count = tokens.size() / hidden;
    std::vector<float> out(hidden);
    if (count == 0) return out;
    auto const row = [&](std::size_t i) { return tokens.subspan(i * hidden, hidden); };
    for (std::size_t d = 0; d < hidden; ++d) {
        double sum = 0;
        auto most = row(0)[d];
        for (std::size_t i = 0; i < count; ++i) {
            sum += static_cast<double>(row(i)[d]);
            if (row(i)[d] > most) most = row(i)[d];
        }
        auto const n = static_cast<double>(count);
        switch (how) {
        case pooling::cls:
            out[d] = row(0)[d];
            break;
        case pooling::last:
            out[d] = row(count - 1)[d];
            break;
        case pooling::max:
            out[d] = most;
            break;
        case pooling::mean:
            out[d] = static_cast<float>(sum / n);
            break;
        case pooling::mean_sqrt_length:
            out[d] = static_cast<float>(sum / std::sqrt(n));
            break;
        }
    }
    return out;
}

inline void check_onnx_shape(
    std::string_view who, matrix_view<float> out, std::size_t rows, std::size_t cols) {
    if (out.rows == rows && out.cols == cols) return;
    fail(errc::dimension_mismatch,
        join(who, ": out is ", out.rows, " x ", out.cols, ", must be ", rows, " x ", cols));
}

} // namespace detail
TRAWL_END_NAMESPACE
