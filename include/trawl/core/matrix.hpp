// SPDX-License-Identifier: MIT
#pragma once

/// A matrix [rows x cols] that owns its values, row-major.

#include <cstddef>
#include <vector>

#include <trawl/core/matrix_view.hpp>

TRAWL_BEGIN_NAMESPACE

template <class T>
struct matrix {
    // {} crashes g++ 12, which asks at -O0 whether it throws
    std::vector<T> values = std::vector<T>(0);
    std::size_t rows = 0;
    std::size_t cols = 0;

    [[nodiscard]] matrix_view<T const> view() const noexcept { return {values.data(), rows, cols}; }
    [[nodiscard]] matrix_view<T> view() noexcept { return {values.data(), rows, cols}; }
    friend bool operator==(matrix const&, matrix const&) = default;
};

TRAWL_END_NAMESPACE
