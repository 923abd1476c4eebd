// SPDX-License-Identifier: MIT
#pragma once

/// How often the values of a field occur.

#include <cstddef>

#include <trawl/collection/metadata.hpp>

TRAWL_BEGIN_NAMESPACE

/// A value of a field and how many documents have it.
struct facet_count {
    metadata_value value;
    std::size_t count = 0;

    friend bool operator==(facet_count const&, facet_count const&) = default;
};

TRAWL_END_NAMESPACE
