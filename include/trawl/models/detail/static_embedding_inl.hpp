// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of static_embedding.hpp.

#include <trawl/models/static_embedding.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <trawl/detail/buffer.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/simd/transformer_kernels.hpp>
#include <trawl/error.hpp>
#include <trawl/models/detail/text_encoder.hpp>
#include <trawl/models/model_folder.hpp>
#include <trawl/models/safetensors.hpp>
#include <trawl/models/tokenizer.hpp>
#include <trawl/storage/checksum.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class static_engine {
public:
    static_engine(std::string const& folder, static_embedding_options const& options)
        : folder_(read_model_folder(folder)),
          tokenizer_(tokenizer::open(folder_.encoder)),
          file_(folder_.weights),
          table_(file_.tensor(file_.contains("embeddings") ? "embeddings" : "embedding.weight")),
          max_tokens_(options.max_tokens),
          normalise_(options.normalise.value_or(folder_.normalise)),
          pool_(options.pool) {
        if (table_.shape.size() != 2 || table_.shape[0] == 0 || table_.shape[1] == 0)
            fail(errc::corrupt, join(file_.path(), ": the embeddings have ", table_.shape.size(),
                                    " dimensions, must be [tokens x dim]"));
        if (table_.type != tensor_type::f32 && table_.type != tensor_type::f16
            && table_.type != tensor_type::bf16 && table_.type != tensor_type::f64)
            fail(errc::corrupt, join(file_.path(), ": the embeddings are ", name_of(table_.type),
                                    ", must be floats"));
        auto ids = table_.shape[0]; // of tokens
        if (file_.contains("mapping")) {
            read_mapping(file_.tensor("mapping"));
            ids = mapping_.size();
        }
        if (file_.contains("weights")) {
            auto const weights = file_.tensor("weights");
            if (weights.size() != ids)
                fail(errc::corrupt, join(file_.path(), ": there are ", weights.size(),
                                        " weights for ", ids, " tokens"));
            weights_.resize(ids);
            copy_floats(weights, {weights_.data(), ids});
        }
        if (tokenizer_.size() > ids)
            fail(errc::corrupt, join(file_.path(), ": there are vectors for ", ids,
                                    " tokens, the tokenizer has ", tokenizer_.size()));
    }

    [[nodiscard]] std::size_t dim() const noexcept { return table_.shape[1]; }

    [[nodiscard]] std::uint64_t fingerprint() const {
        constexpr std::uint64_t version = 1; // changes whenever the same table gives other vectors
        std::uint64_t const parts[] = {version, checksum(table_.bytes),
            static_cast<std::uint64_t>(table_.type), dim(), tokenizer_.fingerprint(),
            checksum(std::as_bytes(std::span(mapping_.data(), mapping_.size()))),
            checksum(std::as_bytes(std::span(weights_.data(), weights_.size()))), max_tokens_,
            normalise_ ? 1u : 0u};
        return checksum(std::as_bytes(std::span(parts)));
    }

    void embed(std::span<std::string_view const> texts, matrix_view<float> out) const {
        if (out.rows != texts.size() || out.cols != dim())
            fail(errc::dimension_mismatch, join("static_embedding::embed: out is ", out.rows, " x ",
                                               out.cols, ", must be ", texts.size(), " x ", dim()));
        run_each(pool_, texts.size(), [&](std::size_t i) { embed_one(i, texts[i], out.row(i)); });
    }

private:
    void read_mapping(tensor_view const& from) {
        auto const width = size_of(from.type);
        if (from.type != tensor_type::i64 && from.type != tensor_type::i32)
            fail(errc::corrupt,
                join(file_.path(), ": mapping is ", name_of(from.type), ", must be I64 or I32"));
        mapping_.resize(from.size());
        for (std::size_t i = 0; i < mapping_.size(); ++i) {
            std::uint64_t row = 0; // negative ones become large
            std::memcpy(&row, from.bytes.data() + i * width, width);
            if (row >= table_.shape[0])
                fail(errc::corrupt, join(file_.path(), ": mapping sends token ", i, " to row ", row,
                                        " of ", table_.shape[0]));
            mapping_[i] = row;
        }
    }

    void embed_one(std::size_t place, std::string_view text, std::span<float> out) const {
        auto const& run = active_transformer_kernels();
        token_encoding tokens;
        tokenizer_.encode(text, {.max_tokens = max_tokens_, .add_special = false}, tokens);
        std::fill(out.begin(), out.end(), 0.0f);
        buffer<float> row(dim());
        auto const width = dim() * size_of(table_.type);
        std::size_t const shape[] = {dim()};
        std::size_t known = 0;
        for (auto const id : tokens.ids) {
            if (id == tokenizer_.special().unknown) continue;
            auto const at = mapping_.empty() ? id : mapping_[id];
            copy_floats({table_.type, shape, table_.bytes.subspan(at * width, width)},
                {row.data(), row.size()});
            if (!weights_.empty()) run.scale(row.data(), weights_[id], dim());
            run.add(out.data(), row.data(), dim());
            ++known;
        }
        if (known > 0)
            run.scale(
                out.data(), static_cast<float>(divided(1.0, static_cast<double>(known))), dim());
        if (normalise_) normalise_length(out.data(), dim());
        if (auto const at = first_not_finite(out); at != out.size())
            fail(errc::model, join("static_embedding: value ", at, " of the embedding of text ",
                                  place, " is ", out[at]));
    }

    model_folder folder_;
    trawl::tokenizer tokenizer_;
    safetensors file_;
    tensor_view table_;
    buffer<std::uint64_t> mapping_ = {};
    buffer<float> weights_ = {};
    std::size_t max_tokens_;
    bool normalise_;
    executor const* pool_;
};

} // namespace detail

TRAWL_INLINE static_embedding static_embedding::open(
    std::string const& folder, static_embedding_options options) {
    static_embedding made;
    made.engine_ = std::make_shared<detail::static_engine const>(folder, options);
    return made;
}

TRAWL_INLINE std::size_t static_embedding::dim() const noexcept { return engine_->dim(); }

TRAWL_INLINE std::uint64_t static_embedding::fingerprint() const { return engine_->fingerprint(); }

TRAWL_INLINE void static_embedding::embed(
    std::span<std::string_view const> texts, text_role /*role*/, matrix_view<float> out) const {
    engine_->embed(texts, out);
}

TRAWL_END_NAMESPACE
