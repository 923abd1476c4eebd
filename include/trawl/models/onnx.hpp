// SPDX-License-Identifier: MIT
#pragma once

/// Models by ONNX Runtime, for a program that has it: the four interfaces of models/ over its C API,
/// with our tokenizers. Needs onnxruntime_c_api.h, and the library to link with (-lonnxruntime).
///
/// A folder has the files that the other models read, but model.onnx or onnx/model.onnx instead of
/// model.safetensors. What ONNX Runtime computes may differ in the last bits from one batch to
/// another, from one machine to another and with the number of threads.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/core/matrix.hpp>
#include <trawl/core/words.hpp>
#include <trawl/error.hpp>
#include <trawl/models/detail/onnx_model.hpp>

TRAWL_BEGIN_NAMESPACE

/// Embeds texts with an encoder: what sentence_encoder does, by ONNX Runtime. The model gives
/// sentence_embedding [texts x dim], or last_hidden_state or token_embeddings [texts x tokens x
/// hidden], which are pooled as the folder says. Copies share the model; const members may run from
/// any number of threads at once.
class onnx_sentence_encoder {
public:
    /// @throws trawl::error (io; parse) for the folder's files; (model) with what ONNX Runtime says.
    [[nodiscard]] static onnx_sentence_encoder open(
        std::string const& folder, onnx_options options = {}) {
        return onnx_sentence_encoder(folder, std::move(options));
    }

    [[nodiscard]] std::size_t dim() const noexcept { return dense_.dim(); }
    [[nodiscard]] std::uint64_t fingerprint() const noexcept { return fingerprint_; }

    /// @param out  [texts x dim]
    /// @throws trawl::error (dimension_mismatch); (model) for an output of another shape, or with what
    /// ONNX Runtime says.
    void embed(
        std::span<std::string_view const> texts, text_role role, matrix_view<float> out) const {
        detail::check_onnx_shape("onnx_sentence_encoder::embed", out, texts.size(), dim());
        std::vector<token_encoding> encodings;
        for (auto const text : texts) encodings.push_back(model_->encode(text, role));
        model_->run(encodings, output_,
            [&](std::span<std::size_t const> rows, detail::onnx_output const& given) {
                for (std::size_t i = 0; i < rows.size(); ++i) {
                    auto const vector = one(given, i, encodings[rows[i]].size());
                    std::copy(vector.begin(), vector.end(), out.row(rows[i]).begin());
                }
            });
    }

private:
    onnx_sentence_encoder(std::string const& folder, onnx_options options)
        : model_(std::make_shared<detail::onnx_model const>(
            folder, std::move(options), "onnx_sentence_encoder")),
          dense_(model_->folder()) {
        constexpr std::string_view wanted[] = {
            "sentence_embedding", "last_hidden_state", "token_embeddings"};
        output_ = model_->session().output_of(wanted);
        fingerprint_ = model_->fingerprint();
    }

    [[nodiscard]] std::vector<float> one(
        detail::onnx_output const& given, std::size_t i, std::size_t tokens) const {
        auto const& folder = model_->folder();
        auto const hidden = given.shape.back();
        std::vector<float> vector;
        if (given.shape.size() == 2 && hidden == dim()) {
            vector.assign(given.values.data() + i * hidden, given.values.data() + (i + 1) * hidden);
        } else if (given.shape.size() == 3 && hidden == folder.config.hidden
                   && tokens <= given.shape[1]) {
            vector = detail::onnx_pooled(
                {given.values.data() + i * given.shape[1] * hidden, tokens * hidden}, hidden,
                folder.pooling);
            dense_.apply(vector);
        } else {
            model_->refuse(output_, "has another shape than config.json says");
        }
        if (folder.normalise) detail::onnx_unit_length(vector);
        return vector;
    }

    std::shared_ptr<detail::onnx_model const> model_;
    detail::onnx_dense dense_;
    std::string output_;
    std::uint64_t fingerprint_ = 0;
};

/// Scores pairs of query and text with a sequence classification head of one label: what
/// cross_encoder does, by ONNX Runtime. The score is the logit. Shared and called as
/// onnx_sentence_encoder.
class onnx_cross_encoder {
public:
    /// @throws trawl::error as onnx_sentence_encoder.
    [[nodiscard]] static onnx_cross_encoder open(
        std::string const& folder, onnx_options options = {}) {
        return onnx_cross_encoder(folder, std::move(options));
    }

    /// @throws trawl::error (dimension_mismatch); (model) for another number of labels than one, or with
    /// what ONNX Runtime says.
    void operator()(query const& q, std::span<candidate const> batch, std::span<float> out) const {
        if (out.size() != batch.size()) {
            detail::fail(
                errc::dimension_mismatch, detail::join("onnx_cross_encoder: out has ", out.size(),
                                              " values, the batch ", batch.size(), " candidates"));
        }
        std::vector<token_encoding> encodings;
        for (auto const& c : batch) {
            encodings.push_back(
                model_->tokens().encode_pair(q.text, c.text, {.max_tokens = model_->max_tokens()}));
        }
        model_->run(encodings, output_,
            [&](std::span<std::size_t const> rows, detail::onnx_output const& given) {
                if (given.values.size() != rows.size())
                    model_->refuse(output_, "has more than one label");
                for (std::size_t i = 0; i < rows.size(); ++i) out[rows[i]] = given.values[i];
            });
    }

    /// Whether the model reads only a part of the pair.
    [[nodiscard]] bool truncates(query const& q, std::string_view text) const {
        return model_->tokens()
            .encode_pair(q.text, text, {.max_tokens = model_->max_tokens()})
            .truncated;
    }

private:
    onnx_cross_encoder(std::string const& folder, onnx_options options)
        : model_(std::make_shared<detail::onnx_model const>(
            folder, std::move(options), "onnx_cross_encoder")) {
        constexpr std::string_view wanted[] = {"logits"};
        output_ = model_->session().output_of(wanted);
    }

    std::shared_ptr<detail::onnx_model const> model_;
    std::string output_;
};

/// The vectors of a text's tokens, of unit length, for MaxSim: what late_interaction_encoder does, by
/// ONNX Runtime. Shared and called as onnx_sentence_encoder.
class onnx_late_interaction_encoder {
public:
    /// @throws trawl::error as onnx_sentence_encoder.
    [[nodiscard]] static onnx_late_interaction_encoder open(
        std::string const& folder, onnx_options options = {}) {
        return onnx_late_interaction_encoder(folder, std::move(options));
    }

    [[nodiscard]] std::size_t dim() const noexcept { return dense_.dim(); }

    /// The token vectors of a text [tokens x dim], special tokens included.
    /// @throws trawl::error (model) as onnx_sentence_encoder::embed().
    [[nodiscard]] matrix<float> encode(std::string_view text, text_role role) const {
        matrix<float> out;
        encode({&text, 1}, role, [&](std::size_t, matrix_view<float const> vectors) {
            auto const count = vectors.rows * vectors.cols;
            out = {
                std::vector<float>(vectors.data, vectors.data + count), vectors.rows, vectors.cols};
        });
        return out;
    }

    /// Receives the vectors of a text [tokens x dim], valid during the call. Which text, by its place;
    /// calls come in any order.
    using receiver = function_ref<void(std::size_t text, matrix_view<float const> vectors)>;

    void encode(std::span<std::string_view const> texts, text_role role, receiver use) const {
        std::vector<token_encoding> encodings;
        for (auto const text : texts) encodings.push_back(model_->encode(text, role));
        model_->run(encodings, output_,
            [&](std::span<std::size_t const> rows, detail::onnx_output const& given) {
                auto const hidden = model_->folder().config.hidden;
                if (given.shape.size() != 3 || given.shape[2] != hidden)
                    model_->refuse(output_, "has another shape than config.json says");
                for (std::size_t i = 0; i < rows.size(); ++i) {
                    auto const tokens = (std::min)(encodings[rows[i]].size(), given.shape[1]);
                    auto const vectors =
                        one(given.values.data() + i * given.shape[1] * hidden, tokens, hidden);
                    use(rows[i], {vectors.data(), tokens, dim()});
                }
            });
    }

private:
    [[nodiscard]] std::vector<float> one(
        float const* states, std::size_t tokens, std::size_t hidden) const {
        std::vector<float> out;
        for (std::size_t t = 0; t < tokens; ++t) {
            std::vector<float> vector(states + t * hidden, states + (t + 1) * hidden);
            dense_.apply(vector);
            detail::onnx_unit_length(vector);
            out.insert(out.end(), vector.begin(), vector.end());
        }
        return out;
    }

    onnx_late_interaction_encoder(std::string const& folder, onnx_options options)
        : model_(std::make_shared<detail::onnx_model const>(
            folder, std::move(options), "onnx_late_interaction_encoder")),
          dense_(model_->folder()) {
        constexpr std::string_view wanted[] = {"last_hidden_state", "token_embeddings"};
        output_ = model_->session().output_of(wanted);
    }

    std::shared_ptr<detail::onnx_model const> model_;
    detail::onnx_dense dense_;
    std::string output_;
};

/// Embeds texts as the mean of a vector for each token: what static_embedding does, by ONNX Runtime.
/// The model takes input_ids [all tokens] and offsets [texts], as model2vec exports it, and gives
/// embeddings [texts x dim]. Shared and called as onnx_sentence_encoder.
class onnx_static_embedding {
public:
    /// @throws trawl::error as onnx_sentence_encoder.
    [[nodiscard]] static onnx_static_embedding open(
        std::string const& folder, onnx_options options = {}) {
        return onnx_static_embedding(folder, std::move(options));
    }

    [[nodiscard]] std::size_t dim() const noexcept { return dim_; }
    [[nodiscard]] std::uint64_t fingerprint() const noexcept { return fingerprint_; }

    /// @param out  [texts x dim]
    /// @throws trawl::error as onnx_sentence_encoder::embed().
    void embed(
        std::span<std::string_view const> texts, text_role /*role*/, matrix_view<float> out) const {
        detail::check_onnx_shape("onnx_static_embedding::embed", out, texts.size(), dim());
        if (texts.empty()) return;
        auto const given = run(texts);
        for (std::size_t i = 0; i < texts.size(); ++i)
            std::copy_n(given.values.data() + i * dim_, dim_, out.row(i).begin());
    }

private:
    onnx_static_embedding(std::string const& folder, onnx_options options)
        : model_(std::make_shared<detail::onnx_model const>(
            folder, std::move(options), "onnx_static_embedding")) {
        constexpr std::string_view wanted[] = {"embeddings"};
        output_ = model_->session().output_of(wanted);
        fingerprint_ = model_->fingerprint();
        std::string_view const text = "a";
        dim_ = run({&text, 1}).shape.back();
    }

    [[nodiscard]] detail::onnx_output run(std::span<std::string_view const> texts) const {
        std::vector<detail::onnx_input> inputs(2);
        auto& ids = inputs[0];
        auto& offsets = inputs[1];
        ids.name = "input_ids";
        offsets.name = "offsets";
        auto const unknown = model_->tokens().special().unknown;
        for (auto const text : texts) {
            offsets.values.push_back(static_cast<std::int64_t>(ids.values.size()));
            auto const encoding = model_->tokens().encode(
                text, {.max_tokens = model_->max_tokens(), .add_special = false});
            for (auto const id : encoding.ids)
                if (id != unknown) ids.values.push_back(id);
        }
        ids.shape = {static_cast<std::int64_t>(ids.values.size())};
        offsets.shape = {static_cast<std::int64_t>(offsets.values.size())};
        auto out = model_->session().run(inputs, output_);
        if (out.shape.size() != 2 || out.shape[0] != texts.size()
            || (dim_ != 0 && out.shape[1] != dim_)) {
            model_->refuse(output_, "has another shape than [texts x dim]");
        }
        return out;
    }

    std::shared_ptr<detail::onnx_model const> model_;
    std::string output_;
    std::size_t dim_ = 0;
    std::uint64_t fingerprint_ = 0;
};

static_assert(embedder<onnx_sentence_encoder>);
static_assert(embedder<onnx_static_embedding>);
static_assert(reranker<onnx_cross_encoder>);

TRAWL_END_NAMESPACE
