// SPDX-License-Identifier: MIT
#pragma once

/// What a search is told besides the query.

#include <cstddef>

#include <trawl/core/executor.hpp>
#include <trawl/core/filter.hpp>
#include <trawl/core/save_hint.hpp>

TRAWL_BEGIN_NAMESPACE

/// Whose statistics (N, document frequency, average length) BM25 uses with a filter.
enum class statistics : unsigned char {
    whole,    ///< those of all live documents of the index
    eligible, ///< those of the documents that the filter admits: an index of these alone has the
              ///< same scores to the bit
};

struct search_options {
    std::size_t k = 10; ///< return at most this many hits
    filter where = {};  ///< documents that may be returned
    trawl::statistics statistics = trawl::statistics::whole;
    bool (*stop)(void*) = nullptr; ///< polled; once it returns true, the search may return early
    void* stop_context = nullptr;  ///< the argument of stop
    trawl::executor const* executor = nullptr; ///< runs parallel work; null: the calling thread

    [[nodiscard]] bool stopped() const { return stop != nullptr && stop(stop_context); }
};

TRAWL_END_NAMESPACE
