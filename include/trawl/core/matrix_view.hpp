// SPDX-License-Identifier: MIT
#pragma once

/// A borrowed matrix [rows x cols], row-major, without padding between rows.

#include <cstddef>
#include <span>
#include <type_traits>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

template <class T>
struct matrix_view {
    T* data = nullptr;
    std::size_t rows = 0;
    std::size_t cols = 0;

    [[nodiscard]] std::span<T> row(std::size_t i) const noexcept { return {data + i * cols, cols}; }
    [[nodiscard]] bool empty() const noexcept { return rows == 0; }

    operator matrix_view<T const>()
        const noexcept // NOLINT(google-explicit-constructor): as T* to T const*
        requires(!std::is_const_v<T>)
    {
        return {data, rows, cols};
    }
};

TRAWL_END_NAMESPACE
