// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of run.hpp.

#include <trawl/eval/run.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/detail/key_numbering.hpp>
#include <trawl/eval/ordered_keys.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE run::run(std::span<run_row const> rows, std::string tag) : tag_(std::move(tag)) {
    fill(rows, [&](std::size_t i) {
        detail::fail(
            errc::duplicate_key, detail::join("run: document '", rows[i].key,
                                     "' is retrieved twice for query '", rows[i].query, "'"));
    });
}

TRAWL_INLINE run::run(
    std::span<run_row const> rows, std::string tag, function_ref<void(std::size_t)> on_duplicate)
    : tag_(std::move(tag)) {
    fill(rows, on_duplicate);
}

TRAWL_INLINE void run::fill(
    std::span<run_row const> rows, function_ref<void(std::size_t)> on_duplicate) {
    if (rows.empty()) return;
    auto numbered = detail::key_numbering({&rows[0].query, sizeof(run_row), rows.size()},
        {&rows[0].key, sizeof(run_row), rows.size()}, on_duplicate);
    queries_ = std::move(numbered.queries);
    documents_ = std::move(numbered.keys);
    entries_.resize(numbered.sizes.size());
    for (std::size_t q = 0; q < entries_.size(); ++q) entries_[q].reserve(numbered.sizes[q]);
    for (std::size_t s = 0; s < numbered.query_of.size(); ++s) {
        auto& found = entries_[numbered.query_of[s]];
        for (auto i = numbered.begins[s]; i < numbered.begins[s + 1]; ++i) {
            if (!detail::is_finite(rows[i].value)) {
                detail::fail(
                    errc::not_finite, detail::join("run: the score of document '", rows[i].key,
                                          "' for query '", rows[i].query, "' is ", rows[i].value));
            }
            found.push_back({numbered.key_of[i], rows[i].value});
        }
    }
    auto const before = [](entry const& a, entry const& b) {
        return a.score != b.score ? a.score > b.score : a.id < b.id;
    };
    for (auto& found : entries_) {
        bool sorted = true;
        for (std::size_t i = 1; i < found.size(); ++i)
            sorted = sorted && before(found[i - 1], found[i]);
        if (!sorted) std::sort(found.begin(), found.end(), before);
    }
}
TRAWL_INLINE std::optional<std::size_t> run::find(std::string_view query) const {
    auto const at = queries_.find(query);
    return at ? std::optional<std::size_t>(*at) : std::nullopt;
}

TRAWL_INLINE std::span<run::entry const> run::entries(std::size_t i) const {
    if (i >= size()) {
        detail::fail(
            errc::unknown_id, detail::join("run::entries: no query ", i, ", there are ", size()));
    }
    return entries_[i];
}

TRAWL_INLINE trawl::ranking run::ranking(std::size_t i) const {
    constexpr double largest = 3.4028234663852886e38;
    trawl::ranking hits;
    for (auto const& e : entries(i)) {
        hits.push_back({e.id, static_cast<float>((std::clamp)(e.score, -largest, largest))});
    }
    return hits;
}

TRAWL_END_NAMESPACE
