// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of cross_encoder.hpp.

#include <trawl/models/cross_encoder.hpp>

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

class cross_engine {
public:
    cross_engine(std::string const& folder, cross_encoder_options const& options)
        : text_(folder, options.weights, options.max_tokens, options.pool, "cross_encoder::open") {
        auto const labels = text_.encoder().labels();
        if (labels == 0)
            fail(errc::invalid_argument,
                join(folder, ": the model has no classification head: there is no tensor"
                             " classifier.weight or classifier.out_proj.weight"));
        if (!options.label && labels != 1)
            fail(errc::invalid_argument, join(folder, ": the model has ", labels,
                                             " outputs, label must say which is the score"));
        label_ = options.label.value_or(0);
        if (label_ >= labels)
            fail(errc::invalid_argument, join("cross_encoder::open: label is ", label_,
                                             ", the model ", folder, " has ", labels, " outputs"));
    }

    [[nodiscard]] text_encoder const& text() const noexcept { return text_; }
    [[nodiscard]] std::size_t labels() const noexcept { return text_.encoder().labels(); }

    [[nodiscard]] std::uint64_t fingerprint() const {
        std::uint64_t const parts[] = {text_.fingerprint(), label_};
        return checksum(std::as_bytes(std::span(parts)));
    }

    void tokenize(std::string_view query, std::string_view passage, token_encoding& out) const {
        text_.tokens().encode_pair(query, passage, {.max_tokens = text_.max_tokens()}, out);
    }

    using text_at = function_ref<std::string_view(std::size_t)>;
    using receiver = function_ref<void(std::size_t text, std::span<float const> logits)>;

    void run(std::string_view query, std::size_t count, text_at text, receiver use) const {
        std::vector<token_encoding> tokens;
        for (std::size_t at = 0; at < count; at += texts_at_once) {
            tokens.resize((std::min)(texts_at_once, count - at));
            run_each(text_.pool(), tokens.size(),
                [&](std::size_t i) { tokenize(query, text(at + i), tokens[i]); });
            auto const classify = [&](std::size_t i, matrix_view<float const> states) {
                if (states.rows == 0)
                    fail(errc::model,
                        join("cross_encoder: the pair with text ", at + i, " has no tokens"));
                buffer<float> out(labels());
                text_.encoder().classify(states.row(0), {out.data(), out.size()});
                if (auto const bad = first_not_finite(out); bad != out.size())
                    fail(errc::model, join("cross_encoder: output ", bad, " for text ", at + i,
                                          " is ", out[bad]));
                use(at + i, {out.data(), out.size()});
            };
            text_.encoder().encode(tokens, classify, text_.pool());
        }
    }

    void score(
        std::string_view query, std::size_t count, text_at text, std::span<float> out) const {
        if (out.size() != count)
            fail(errc::dimension_mismatch,
                join("cross_encoder: out has ", out.size(), " values, must be one for each of ",
                    count, " texts"));
        run(query, count, text,
            [&](std::size_t i, std::span<float const> logits) { out[i] = logits[label_]; });
    }

private:
    text_encoder text_;
    std::size_t label_ = 0;
};

} // namespace detail

TRAWL_INLINE cross_encoder cross_encoder::open(
    std::string const& folder, cross_encoder_options options) {
    cross_encoder made;
    made.engine_ = std::make_shared<detail::cross_engine const>(folder, options);
    return made;
}

TRAWL_INLINE std::size_t cross_encoder::labels() const noexcept { return engine_->labels(); }

TRAWL_INLINE std::size_t cross_encoder::max_tokens() const noexcept {
    return engine_->text().max_tokens();
}

TRAWL_INLINE model_folder const& cross_encoder::folder() const noexcept {
    return engine_->text().folder();
}

TRAWL_INLINE std::uint64_t cross_encoder::fingerprint() const { return engine_->fingerprint(); }

TRAWL_INLINE void cross_encoder::logits(
    std::string_view query, std::span<std::string_view const> texts, matrix_view<float> out) const {
    if (out.rows != texts.size() || out.cols != labels())
        detail::fail(errc::dimension_mismatch,
            detail::join("cross_encoder::logits: out is ", out.rows, " x ", out.cols, ", must be ",
                texts.size(), " x ", labels()));
    engine_->run(
        query, texts.size(), [&](std::size_t i) { return texts[i]; },
        [&](std::size_t i, std::span<float const> logits) {
            std::copy(logits.begin(), logits.end(), out.row(i).begin());
        });
}

TRAWL_INLINE void cross_encoder::score(
    std::string_view query, std::span<std::string_view const> texts, std::span<float> out) const {
    engine_->score(
        query, texts.size(), [&](std::size_t i) { return texts[i]; }, out);
}

TRAWL_INLINE void cross_encoder::operator()(
    query const& q, std::span<candidate const> batch, std::span<float> out) const {
    engine_->score(
        q.text, batch.size(), [&](std::size_t i) { return batch[i].text; }, out);
}

TRAWL_INLINE bool cross_encoder::truncates(query const& q, std::string_view text) const {
    token_encoding tokens;
    engine_->tokenize(q.text, text, tokens);
    return tokens.truncated;
}

TRAWL_END_NAMESPACE
