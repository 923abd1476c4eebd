// SPDX-License-Identifier: MIT
#pragma once

/// The kernels of BM25: entries of the table that dispatch.hpp chooses, and the types they take.

#include <string_view>

#include <trawl/config.hpp>
#include <trawl/detail/simd/dispatch.hpp>
#include <trawl/detail/simd/scalar/bm25.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

using bm25_kernels = kernels;

[[nodiscard]] inline kernels bm25_kernels_named(std::string_view level) noexcept {
    return kernels_named(level);
}

[[nodiscard]] inline kernels const& active_bm25_kernels() { return active_kernels(); }

} // namespace detail
TRAWL_END_NAMESPACE
