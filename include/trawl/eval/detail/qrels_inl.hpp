// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of qrels.hpp.

#include <trawl/eval/qrels.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/eval/detail/key_numbering.hpp>
#include <trawl/eval/judgements.hpp>
#include <trawl/eval/ordered_keys.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE qrels::qrels(std::span<qrels_row const> rows) {
    fill(rows, [&](std::size_t i) {
        detail::fail(errc::duplicate_key, detail::join("qrels: document '", rows[i].key,
                                              "' is judged twice for query '", rows[i].query, "'"));
    });
}

TRAWL_INLINE qrels::qrels(
    std::span<qrels_row const> rows, function_ref<void(std::size_t)> on_duplicate) {
    fill(rows, on_duplicate);
}

TRAWL_INLINE void qrels::fill(
    std::span<qrels_row const> rows, function_ref<void(std::size_t)> on_duplicate) {
    if (rows.empty()) return;
    auto numbered = detail::key_numbering({&rows[0].query, sizeof(qrels_row), rows.size()},
        {&rows[0].key, sizeof(qrels_row), rows.size()}, on_duplicate);
    queries_ = std::move(numbered.queries);
    documents_ = std::move(numbered.keys);
    std::vector<std::vector<judgement>> known(numbered.sizes.size());
    for (std::size_t q = 0; q < known.size(); ++q) known[q].reserve(numbered.sizes[q]);
    for (std::size_t s = 0; s < numbered.query_of.size(); ++s) {
        for (auto i = numbered.begins[s]; i < numbered.begins[s + 1]; ++i)
            known[numbered.query_of[s]].push_back({numbered.key_of[i], rows[i].value});
    }
    judgements_.reserve(known.size());
    for (auto& k : known) judgements_.emplace_back(std::move(k));
}
TRAWL_INLINE std::optional<std::size_t> qrels::find(std::string_view query) const {
    auto const at = queries_.find(query);
    return at ? std::optional<std::size_t>(*at) : std::nullopt;
}

TRAWL_INLINE trawl::judgements const& qrels::judgements(std::size_t i) const {
    if (i >= size()) {
        detail::fail(errc::unknown_id,
            detail::join("qrels::judgements: no query ", i, ", there are ", size()));
    }
    return judgements_[i];
}

TRAWL_END_NAMESPACE
