// SPDX-License-Identifier: MIT
#pragma once

/// The types that the BM25 kernels in the table of dispatch.hpp take.

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
