// SPDX-License-Identifier: MIT
#pragma once

/// Turns a call of trawl::save or trawl::open without the header that declares it into a message that
/// names the header. Every index includes it.

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

template <class Index>
inline constexpr bool storage_header_is_included = false;

} // namespace detail

/// Chosen only where no other save fits: an ellipsis is the worst match.
template <class Index>
void save(Index const&, ...) { // NOLINT(cert-dcl50-cpp): nothing reads the arguments
    static_assert(detail::storage_header_is_included<Index>,
        "trawl::save: include <trawl/lexical/storage.hpp>, <trawl/dense/storage.hpp> or "
        "<trawl/embed/storage.hpp>, whichever saves this, and pass (index, path)");
}

template <class Index>
Index open(...) { // NOLINT(cert-dcl50-cpp): nothing reads the arguments
    static_assert(detail::storage_header_is_included<Index>,
        "trawl::open: include <trawl/lexical/storage.hpp>, <trawl/dense/storage.hpp> or "
        "<trawl/embed/storage.hpp>, whichever opens this, and pass (path)");
}

TRAWL_END_NAMESPACE
