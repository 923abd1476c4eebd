// SPDX-License-Identifier: MIT
#pragma once

/// What a search is told besides the question.

#include <cstddef>

#include <trawl/core/executor.hpp>
#include <trawl/core/filter.hpp>

TRAWL_BEGIN_NAMESPACE

/// Whose statistics (N, document frequency, average length) BM25 uses under a filter.
enum class statistics : unsigned char {
    whole,    ///< those of all live documents of the index
    eligible, ///< those of the filtered documents: bit-equal to an index built from these alone
};

struct search_options {
    std::size_t k = 10; ///< hits wanted, at most
    filter where = {};  ///< documents that may be returned
    trawl::statistics statistics = trawl::statistics::whole;
    bool (*stop)(void*) = nullptr;             ///< polled; once true, the search may return early
    void* stop_context = nullptr;              ///< handed to stop
    trawl::executor const* executor = nullptr; ///< null: the calling thread alone

    [[nodiscard]] bool stopped() const { return stop != nullptr && stop(stop_context); }
};

TRAWL_END_NAMESPACE
