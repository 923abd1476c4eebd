// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of pooling.hpp.

#include <trawl/eval/pooling.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/eval/qrels.hpp>
#include <trawl/eval/run.hpp>

TRAWL_BEGIN_NAMESPACE
TRAWL_INLINE qrels pool(std::span<run const* const> runs, std::size_t depth) {
    if (depth == 0) detail::fail(errc::invalid_argument, "pool: depth must be >= 1, is 0");
    std::vector<qrels_row> rows;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        if (runs[r] == nullptr) {
            detail::fail(errc::invalid_argument, detail::join("pool: run ", r, " is null"));
        }
        for (std::size_t q = 0; q < runs[r]->size(); ++q) {
            auto const entries = runs[r]->entries(q);
            for (auto const& e : entries.first((std::min)(depth, entries.size()))) {
                rows.push_back({runs[r]->query(q), runs[r]->documents().key(e.id), -1});
            }
        }
    }
    std::sort(rows.begin(), rows.end(), [](qrels_row const& a, qrels_row const& b) {
        return a.query != b.query ? a.query < b.query : a.key < b.key;
    });
    auto const same = [](qrels_row const& a, qrels_row const& b) {
        return a.query == b.query && a.key == b.key;
    };
    rows.erase(std::unique(rows.begin(), rows.end(), same), rows.end());
    return qrels(rows);
}

TRAWL_INLINE std::vector<pooled_document> left_to_judge(qrels const& pooled, qrels const& judged) {
    std::vector<pooled_document> out;
    for (std::size_t q = 0; q < pooled.size(); ++q) {
        auto const there = judged.find(pooled.query(q));
        for (auto const& j : pooled.judgements(q).all()) {
            auto const key = pooled.documents().key(j.id);
            auto const id = judged.documents().find(key);
            if (there && id && judged.judgements(*there).grade(*id).value_or(-1) >= 0) continue;
            out.push_back({pooled.query(q), key});
        }
    }
    return out;
}

TRAWL_END_NAMESPACE
