// SPDX-License-Identifier: MIT
#pragma once

/// What a scan collects, and the division of a scan into tasks.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/top_k.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/buffer.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Collects the k best hits, or all hits of at least a score.
class collector {
public:
    [[nodiscard]] static collector of_best(std::size_t k) { return collector(k, false, 0); }
    [[nodiscard]] static collector of_all_from(float least) { return collector(0, true, least); }

    void push(hit h) {
        if (!all_) {
            best_.push(h);
        } else if (h.score >= least_) {
            hits_.push_back(h);
        }
    }
    /// A score below which no hit can enter any more.
    [[nodiscard]] float threshold() const noexcept { return all_ ? least_ : best_.threshold(); }
    [[nodiscard]] ranking take() {
        if (!all_) return best_.take();
        keep_best(hits_, hits_.size());
        return std::exchange(hits_, {});
    }

private:
    collector(std::size_t k, bool all, float least) : all_(all), least_(least), best_(k) {}

    bool all_;
    float least_;
    top_k best_;
    ranking hits_ = {};
};

/// Scans blocks of rows, by scan(first block, last block, collectors), in as many tasks as the
/// executor runs at once. `empty` is a collector that has no hits yet. Returns one ranking for each
/// query.
[[nodiscard]] inline std::vector<ranking> scan_in_tasks(std::size_t blocks, std::size_t queries,
    search_options const& options, collector const& empty,
    function_ref<void(std::size_t, std::size_t, array_ref<collector>)> scan) {
    constexpr std::size_t least_blocks = 16; // a task of fewer costs more than it saves
    auto const threads = options.executor != nullptr ? options.executor->concurrency() : 1;
    auto const tasks = std::clamp<std::size_t>(blocks / least_blocks, 1, threads);
    buffer<collector> best(tasks * queries, empty);
    run_tasks(options.executor, tasks, [&](std::size_t t) {
        scan(blocks * t / tasks, blocks * (t + 1) / tasks,
            array_ref<collector>(best).subspan(t * queries, queries));
    });
    std::vector<ranking> results(queries);
    for (std::size_t q = 0; q < queries; ++q) {
        for (std::size_t t = 1; t < tasks; ++t) {
            for (auto const& h : best[t * queries + q].take()) best[q].push(h);
        }
        results[q] = best[q].take();
    }
    return results;
}

} // namespace detail
TRAWL_END_NAMESPACE
