// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of any_embedder.hpp.

#include <trawl/embed/any_embedder.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <trawl/detail/floating_point.hpp>
#include <trawl/storage/checksum.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_COLD TRAWL_INLINE void any_embedder::refuse_none() {
    detail::fail(errc::invalid_argument, "any_embedder: holds no embedder");
}

TRAWL_INLINE void any_embedder::require_name(std::string_view name) {
    if (name.empty()) {
        detail::fail(errc::invalid_argument,
            "any_embedder: the name is empty, must tell the model from others");
    }
}

TRAWL_INLINE std::uint64_t any_embedder::fingerprint_of(std::string_view name, std::size_t dim) {
    auto const text = detail::join(name, '\n', dim);
    return checksum(std::as_bytes(std::span(text)));
}

TRAWL_INLINE void any_embedder::embed(
    std::span<std::string_view const> texts, text_role role, matrix_view<float> out) const {
    auto const dim = model().dim();
    if (out.rows != texts.size() || out.cols != dim) {
        detail::fail(
            errc::dimension_mismatch, detail::join("any_embedder::embed: out is ", out.rows, " x ",
                                          out.cols, ", must be ", texts.size(), " x ", dim));
    }
    model().embed(texts, role, out);
    auto const values = std::span<float const>(out.data, out.rows * out.cols);
    if (auto const at = detail::first_not_finite(values); at != values.size()) {
        detail::fail(errc::model, detail::join("any_embedder: value ", at % dim,
                                      " of the embedding of text ", at / dim, " is ", values[at]));
    }
}

TRAWL_INLINE void any_embedder::embed_all(std::span<std::string_view const> texts, text_role role,
    matrix_view<float> out, std::size_t batch) const {
    auto const silent = [](std::size_t, std::size_t) {};
    embed_all(texts, role, out, batch, silent);
}

TRAWL_INLINE void any_embedder::embed_all(std::span<std::string_view const> texts, text_role role,
    matrix_view<float> out, std::size_t batch, progress report) const {
    if (batch == 0)
        detail::fail(errc::invalid_argument, "any_embedder::embed_all: batch is 0, must be > 0");
    auto const dim = model().dim();
    if (out.rows != texts.size() || out.cols != dim) {
        detail::fail(
            errc::dimension_mismatch, detail::join("any_embedder::embed_all: out is ", out.rows,
                                          " x ", out.cols, ", must be ", texts.size(), " x ", dim));
    }
    for (std::size_t at = 0; at < texts.size();) {
        auto const count = texts.size() - at < batch ? texts.size() - at : batch;
        embed(texts.subspan(at, count), role, {out.data + at * dim, count, dim});
        at += count;
        report(at, texts.size());
    }
}

TRAWL_END_NAMESPACE
