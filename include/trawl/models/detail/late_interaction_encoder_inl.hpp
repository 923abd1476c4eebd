// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of late_interaction_encoder.hpp.

#include <trawl/models/late_interaction_encoder.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/detail/buffer.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/models/detail/text_encoder.hpp>
#include <trawl/models/tokenizer.hpp>
#include <trawl/models/transformer.hpp>
#include <trawl/storage/checksum.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class late_interaction_engine {
public:
    late_interaction_engine(std::string const& folder, late_interaction_options const& options)
        : text_(folder, options.weights, options.max_tokens, options.pool,
            "late_interaction_encoder::open"),
          query_prompt_(text_.prompt_of(text_role::query, options.query_prompt)),
          passage_prompt_(text_.prompt_of(text_role::passage, options.passage_prompt)),
          normalise_(options.normalise) {}

    [[nodiscard]] text_encoder const& text() const noexcept { return text_; }

    [[nodiscard]] std::uint64_t fingerprint() const {
        std::uint64_t const parts[] = {text_.fingerprint(),
            checksum(std::as_bytes(std::span(query_prompt_))),
            checksum(std::as_bytes(std::span(passage_prompt_))), normalise_ ? 1u : 0u};
        return checksum(std::as_bytes(std::span(parts)));
    }

    void encode(std::span<std::string_view const> texts, text_role role,
        late_interaction_encoder::receiver use) const {
        auto const& prompt = role == text_role::query ? query_prompt_ : passage_prompt_;
        std::vector<token_encoding> tokens;
        for (std::size_t at = 0; at < texts.size(); at += texts_at_once) {
            auto const some = texts.subspan(at, (std::min)(texts_at_once, texts.size() - at));
            tokens.resize(some.size());
            run_each(text_.pool(), some.size(),
                [&](std::size_t i) { text_.tokenize(prompt, some[i], tokens[i]); });
            auto const finish = [&](std::size_t i, matrix_view<float const> states) {
                auto const dim = text_.dim();
                buffer<float> vectors(states.rows * dim);
                text_.apply_dense(states.data, states.rows, vectors.data());
                for (std::size_t t = 0; normalise_ && t < states.rows; ++t)
                    normalise_length(vectors.data() + t * dim, dim);
                if (auto const bad = first_not_finite(vectors); bad != vectors.size())
                    fail(errc::model,
                        join("late_interaction_encoder: value ", bad % dim, " of token ", bad / dim,
                            " of text ", at + i, " is ", vectors[bad]));
                use(at + i, {vectors.data(), states.rows, dim});
            };
            text_.encoder().encode(tokens, finish, text_.pool());
        }
    }

private:
    text_encoder text_;
    std::string query_prompt_;
    std::string passage_prompt_;
    bool normalise_;
};

} // namespace detail

TRAWL_INLINE late_interaction_encoder late_interaction_encoder::open(
    std::string const& folder, late_interaction_options const& options) {
    late_interaction_encoder made;
    made.engine_ = std::make_shared<detail::late_interaction_engine const>(folder, options);
    return made;
}

TRAWL_INLINE std::size_t late_interaction_encoder::dim() const noexcept {
    return engine_->text().dim();
}

TRAWL_INLINE std::size_t late_interaction_encoder::max_tokens() const noexcept {
    return engine_->text().max_tokens();
}

TRAWL_INLINE model_folder const& late_interaction_encoder::folder() const noexcept {
    return engine_->text().folder();
}

TRAWL_INLINE std::uint64_t late_interaction_encoder::fingerprint() const {
    return engine_->fingerprint();
}

TRAWL_INLINE matrix<float> late_interaction_encoder::encode(
    std::string_view text, text_role role) const {
    matrix<float> made;
    encode({&text, 1}, role, [&](std::size_t, matrix_view<float const> vectors) {
        made.values.assign(vectors.data, vectors.data + vectors.rows * vectors.cols);
        made.rows = vectors.rows;
        made.cols = vectors.cols;
    });
    return made;
}

TRAWL_INLINE void late_interaction_encoder::encode(
    std::span<std::string_view const> texts, text_role role, receiver use) const {
    engine_->encode(texts, role, use);
}

TRAWL_END_NAMESPACE
