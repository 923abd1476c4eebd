// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of fvecs.hpp.

#include <trawl/formats/fvecs.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include <trawl/core/matrix.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/error.hpp>
#include <trawl/storage/file.hpp>

TRAWL_BEGIN_NAMESPACE
TRAWL_INLINE matrix<float> parse_fvecs(std::string_view bytes, std::string_view name) {
    auto const refuse = [&](std::string const& reason) {
        detail::fail(errc::corrupt, detail::join(name, ": ", reason));
    };
    matrix<float> out;
    if (bytes.empty()) return out;
    auto const width_at = [&](std::size_t at) {
        std::int32_t width = 0;
        std::memcpy(&width, bytes.data() + at, sizeof width);
        return width;
    };
    if (bytes.size() < sizeof(std::int32_t)) refuse("ends within the size of its first row");
    auto const width = width_at(0);
    if (width <= 0) refuse(detail::join("its first row has ", width, " values"));
    out.cols = static_cast<std::size_t>(width);
    auto const row_bytes = sizeof(std::int32_t) + out.cols * sizeof(float);
    if (bytes.size() % row_bytes != 0) {
        refuse(detail::join(
            "its ", bytes.size(), " bytes are no whole number of rows of ", width, " values"));
    }
    out.rows = bytes.size() / row_bytes;
    out.values.resize(out.rows * out.cols);
    for (std::size_t i = 0; i < out.rows; ++i) {
        auto const at = i * row_bytes;
        if (width_at(at) != width)
            refuse(detail::join("row ", i, " has ", width_at(at), " values, the first ", width));
        std::memcpy(out.values.data() + i * out.cols, bytes.data() + at + sizeof(std::int32_t),
            out.cols * sizeof(float));
    }
    return out;
}

TRAWL_INLINE matrix<float> read_fvecs(std::string const& path) {
    return parse_fvecs(read_file(path), path);
}

TRAWL_INLINE std::string to_fvecs(matrix_view<float const> values) {
    std::string out;
    if (values.empty()) return out;
    constexpr auto most = static_cast<std::size_t>((std::numeric_limits<std::int32_t>::max)());
    if (values.cols == 0 || values.cols > most) {
        detail::fail(
            errc::invalid_argument, detail::join("to_fvecs: rows of ", values.cols, " values"));
    }
    auto const width = static_cast<std::int32_t>(values.cols);
    out.reserve(values.rows * (sizeof width + values.cols * sizeof(float)));
    for (std::size_t i = 0; i < values.rows; ++i) {
        out.append(reinterpret_cast<char const*>(&width), sizeof width);
        out.append(
            reinterpret_cast<char const*>(values.row(i).data()), values.cols * sizeof(float));
    }
    return out;
}

TRAWL_INLINE void write_fvecs(std::string const& path, matrix_view<float const> values) {
    write_file(path, to_fvecs(values));
}

TRAWL_END_NAMESPACE
