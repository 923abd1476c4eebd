// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of sentence_encoder.hpp.

#include <trawl/models/sentence_encoder.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/math.hpp>
#include <trawl/detail/simd/transformer_kernels.hpp>
#include <trawl/error.hpp>
#include <trawl/models/detail/text_encoder.hpp>
#include <trawl/models/tokenizer.hpp>
#include <trawl/models/transformer.hpp>
#include <trawl/storage/checksum.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Writes one vector for the states of a text's tokens; zeros if there are none.
/// @param states  [tokens x dim]
/// @param out  [dim]
inline void pool_tokens(trawl::pooling how, matrix_view<float const> states, std::span<float> out) {
    auto const& run = active_transformer_kernels();
    auto const dim = states.cols;
    std::fill(out.begin(), out.end(), 0.0f);
    if (states.rows == 0) return;
    auto const copy = [&](std::size_t row) {
        std::copy_n(states.data + row * dim, dim, out.data());
    };
    switch (how) {
    case pooling::cls:
        return copy(0);
    case pooling::last:
        return copy(states.rows - 1);
    case pooling::max:
        copy(0);
        for (std::size_t t = 1; t < states.rows; ++t) {
            for (std::size_t i = 0; i < dim; ++i)
                out[i] = (std::max)(out[i], states.data[t * dim + i]);
        }
        return;
    case pooling::mean:
    case pooling::mean_sqrt_length:
        break;
    }
    for (std::size_t t = 0; t < states.rows; ++t) run.add(out.data(), states.data + t * dim, dim);
    auto const count = static_cast<double>(states.rows);
    auto const by = how == pooling::mean ? count : rounded(math::sqrt(count));
    run.scale(out.data(), static_cast<float>(divided(1.0, by)), dim);
}

class sentence_engine {
public:
    sentence_engine(std::string const& folder, sentence_encoder_options const& options)
        : text_(
            folder, options.weights, options.max_tokens, options.pool, "sentence_encoder::open"),
          query_prompt_(text_.prompt_of(text_role::query, options.query_prompt)),
          passage_prompt_(text_.prompt_of(text_role::passage, options.passage_prompt)),
          pooling_(options.pooling.value_or(text_.folder().pooling)),
          normalise_(options.normalise.value_or(text_.folder().normalise)) {}

    [[nodiscard]] text_encoder const& text() const noexcept { return text_; }

    [[nodiscard]] std::string_view prompt(text_role role) const noexcept {
        return role == text_role::query ? query_prompt_ : passage_prompt_;
    }

    [[nodiscard]] std::uint64_t fingerprint() const {
        std::uint64_t const parts[] = {text_.fingerprint(),
            checksum(std::as_bytes(std::span(query_prompt_))),
            checksum(std::as_bytes(std::span(passage_prompt_))),
            static_cast<std::uint64_t>(pooling_), normalise_ ? 1u : 0u};
        return checksum(std::as_bytes(std::span(parts)));
    }

    void embed(std::span<std::string_view const> texts, text_role role, matrix_view<float> out,
        sentence_encoder::progress const* report) const {
        auto const dim = text_.dim();
        if (out.rows != texts.size() || out.cols != dim)
            fail(errc::dimension_mismatch, join("sentence_encoder::embed: out is ", out.rows, " x ",
                                               out.cols, ", must be ", texts.size(), " x ", dim));
        std::vector<token_encoding> tokens;
        for (std::size_t at = 0; at < texts.size(); at += texts_at_once) {
            auto const some = texts.subspan(at, (std::min)(texts_at_once, texts.size() - at));
            tokens.resize(some.size());
            run_each(text_.pool(), some.size(),
                [&](std::size_t i) { text_.tokenize(prompt(role), some[i], tokens[i]); });
            auto const pool = [&](std::size_t i, matrix_view<float const> states) {
                pool_text(at + i, states, out.row(at + i));
            };
            text_.encoder().encode(tokens, pool, text_.pool());
            if (report != nullptr) (*report)(at + some.size(), texts.size());
        }
    }

private:
    void pool_text(std::size_t place, matrix_view<float const> states, std::span<float> out) const {
        if (text_.folder().dense.empty()) {
            pool_tokens(pooling_, states, out);
        } else {
            buffer<float> pooled(states.cols);
            pool_tokens(pooling_, states, {pooled.data(), pooled.size()});
            text_.apply_dense(pooled.data(), 1, out.data());
        }
        if (normalise_) normalise_length(out.data(), out.size());
        if (auto const at = first_not_finite(out); at != out.size())
            fail(errc::model, join("sentence_encoder: value ", at, " of the embedding of text ",
                                  place, " is ", out[at]));
    }

    text_encoder text_;
    std::string query_prompt_;
    std::string passage_prompt_;
    trawl::pooling pooling_;
    bool normalise_;
};

} // namespace detail

TRAWL_INLINE sentence_encoder sentence_encoder::open(
    std::string const& folder, sentence_encoder_options const& options) {
    sentence_encoder made;
    made.engine_ = std::make_shared<detail::sentence_engine const>(folder, options);
    return made;
}

TRAWL_INLINE std::size_t sentence_encoder::dim() const noexcept { return engine_->text().dim(); }

TRAWL_INLINE std::size_t sentence_encoder::max_tokens() const noexcept {
    return engine_->text().max_tokens();
}

TRAWL_INLINE model_folder const& sentence_encoder::folder() const noexcept {
    return engine_->text().folder();
}

TRAWL_INLINE std::uint64_t sentence_encoder::fingerprint() const { return engine_->fingerprint(); }

TRAWL_INLINE void sentence_encoder::embed(
    std::span<std::string_view const> texts, text_role role, matrix_view<float> out) const {
    engine_->embed(texts, role, out, nullptr);
}

TRAWL_INLINE void sentence_encoder::embed(std::span<std::string_view const> texts, text_role role,
    matrix_view<float> out, progress report) const {
    engine_->embed(texts, role, out, &report);
}

TRAWL_INLINE bool sentence_encoder::truncates(std::string_view text, text_role role) const {
    token_encoding tokens;
    engine_->text().tokenize(engine_->prompt(role), text, tokens);
    return tokens.truncated;
}

TRAWL_END_NAMESPACE
