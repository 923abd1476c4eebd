// SPDX-License-Identifier: MIT
#pragma once

/// The scan of a dense index: every eligible row meets every query, in blocks that stay in the
/// second cache.

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/top_k.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/detail/similarity.hpp>
#include <trawl/dense/detail/vector_store.hpp>
#include <trawl/detail/aligned_allocator.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Collects every hit of at least a score.
class hits_above {
public:
    explicit hits_above(float least) : least_(least) {}
    void push(hit h) {
        if (h.score >= least_) hits_.push_back(h);
    }
    [[nodiscard]] float threshold() const noexcept { return least_; }
    [[nodiscard]] ranking take() {
        std::sort(hits_.begin(), hits_.end(), by_rank{});
        return std::move(hits_);
    }

private:
    float least_;
    ranking hits_;
};

/// Scans blocks of rows, a part of them in each of as many tasks as the executor runs at once, by
/// scan(first, last, collectors); `empty` is a collector before it has any. One ranking a query.
template <class Collector, class Scan>
[[nodiscard]] std::vector<ranking> in_parts(std::size_t blocks, std::size_t queries,
    search_options const& options, Collector const& empty, Scan&& scan) {
    constexpr std::size_t least_blocks = 16; // a task of fewer costs more than it saves
    auto const threads = options.executor != nullptr ? options.executor->concurrency() : 1;
    auto const tasks = std::clamp<std::size_t>(blocks / least_blocks, 1, threads);
    std::vector<std::vector<Collector>> best(tasks, std::vector<Collector>(queries, empty));
    run_tasks(options.executor, tasks, [&](std::size_t t) {
        scan(blocks * t / tasks, blocks * (t + 1) / tasks, std::span<Collector>(best[t]));
    });
    std::vector<ranking> results(queries);
    for (std::size_t q = 0; q < queries; ++q) {
        for (std::size_t t = 1; t < tasks; ++t) {
            for (auto const& h : best[t][q].take()) best[0][q].push(h);
        }
        results[q] = best[0][q].take();
    }
    return results;
}

/// Queries, and the same packed for the tiles: `tile_queries` at a time, the last ones filled up
/// with zeros. A query that would be alone in a tile is not packed.
struct query_block {
    std::span<measured_vector const> queries;
    std::size_t tiles = 0;
    std::vector<float, aligned_allocator<float>> packed;

    query_block(std::span<measured_vector const> of, std::size_t dim, std::size_t tile_queries)
        : queries(of) {
        if (tile_queries == 1) return;
        tiles = of.size() / tile_queries + (of.size() % tile_queries > 1 ? 1 : 0);
        auto const groups = (dim + 15) / 16;
        packed.resize(tiles * tile_queries * groups * 16);
        for (std::size_t q = 0; q < (std::min)(of.size(), tiles * tile_queries); ++q) {
            auto* const tile = packed.data() + q / tile_queries * tile_queries * groups * 16;
            for (std::size_t i = 0; i < dim; ++i)
                tile[(i / 16 * tile_queries + q % tile_queries) * 16 + i % 16] = of[q].values[i];
        }
    }
};

/// Rows on their way to the kernels.
template <vector_element Element>
class row_scan {
public:
    /// @param plain  whether every row's length is ordinary.
    row_scan(vector_store<Element> const& store, similarity const& how,
        std::span<double const> inverse_lengths, bool plain)
        : store_(store), how_(how), inverse_lengths_(inverse_lengths), plain_(plain) {}

    /// Hands every eligible row of the store's blocks [first, last) to the collectors, one a query;
    /// may leave out hits that are below a collector's threshold. Ends early where options say so.
    template <class Collector>
    void run(std::size_t first, std::size_t last, query_block const& queries,
        search_options const& options, std::span<Collector> best) const {
        // Several places at once: one stream of rows does not fill the memory bus.
        constexpr std::size_t streams = 4;
        auto const step = (last - first + streams - 1) / streams;
        // One query meets half-sized rows as they are; where finish() may need their values, they
        // are widened.
        bool const as_they_are = widens && queries.queries.size() == 1 && half_kernel() != nullptr
                                 && plain_ && is_ordinary(queries.queries[0].inverse_length);
        block rows(as_they_are ? most_rows : capacity(queries.queries.size()),
            as_they_are ? 0 : store_.dim());
        std::vector<float> sums(
            (std::max)(std::size_t{1}, how_.with().tile_queries) * (rows.capacity + 3));
        for (std::size_t b = 0; b < step; ++b) {
            std::array<std::uint64_t, streams> bits = {};
            std::uint64_t any = 0;
            for (std::size_t s = 0; s < streams; ++s) {
                auto const at = first + s * step + b;
                if (at < (std::min)(first + (s + 1) * step, last))
                    any |= bits[s] = store_.eligible(at, options.where);
            }
            while (any != 0) {
                any = 0;
                for (std::size_t s = 0; s < streams; ++s) {
                    if (bits[s] == 0) continue;
                    auto const number = (first + s * step + b) * store_.block
                                        + static_cast<std::size_t>(std::countr_zero(bits[s]));
                    any |= bits[s] &= bits[s] - 1;
                    push(rows, number);
                    if (rows.size < rows.capacity) continue;
                    if (options.stopped()) return;
                    flush(rows, queries, best, sums);
                }
            }
        }
        if (rows.size > 0) flush(rows, queries, best, sums);
    }

    /// Exact scores of some rows for one query, in order: out(place, score).
    template <class Out>
    void score(
        measured_vector const& query, std::span<std::size_t const> numbers, Out&& out) const {
        block rows(capacity(1), store_.dim());
        std::vector<float> sums(rows.capacity + 3);
        for (std::size_t i = 0; i < numbers.size();) {
            for (rows.size = 0; rows.size < rows.capacity && i + rows.size < numbers.size();)
                push(rows, numbers[i + rows.size]);
            auto const* const* const at = rows.at();
            how_.rows_kernel()(query.values, at, rows.size, store_.dim(), sums.data());
            for (std::size_t r = 0; r < rows.size; ++r)
                out(i + r, finish(query, rows, at, r, sums[r]));
            i += rows.size;
        }
    }

private:
    static constexpr bool widens = !std::same_as<Element, float>;
    static constexpr std::size_t least_rows = 12, most_rows = 192; // multiples of a tile's rows

    struct block {
        block(std::size_t rows, std::size_t dim)
            : capacity(rows),
              pointers(rows),
              numbers(rows),
              factors(rows),
              places(rows),
              halves(widens && dim == 0 ? rows : 0),
              widened(widens ? rows * dim : 0) {}
        [[nodiscard]] float const* const* at() const noexcept { return pointers.data(); }

        std::size_t capacity;
        std::size_t size = 0;
        std::vector<float const*> pointers;
        std::vector<std::size_t> numbers;
        std::vector<float> factors;
        std::vector<std::uint32_t> places;
        std::vector<std::uint16_t const*> halves;             // rows that are read as they are
        std::vector<float, aligned_allocator<float>> widened; // the others that are not float
    };

    // Half of a second cache of 512 KiB, or what the first holds where rows are widened for one
    // query only.
    [[nodiscard]] std::size_t capacity(std::size_t queries) const noexcept {
        auto const bytes = std::size_t{widens && queries < 3 ? 24u : 192u} << 10;
        auto const rows = bytes / (store_.dim() * sizeof(float));
        return std::clamp(rows / least_rows * least_rows, least_rows, most_rows);
    }

    [[nodiscard]] half_row_kernel half_kernel() const noexcept {
        return std::same_as<Element, bfloat16> ? how_.bfloat16_kernel() : how_.float16_kernel();
    }

    void push(block& rows, std::size_t number) const noexcept {
        if constexpr (widens) {
            if (!rows.halves.empty()) {
                rows.halves[rows.size] = &store_.row(number)->bits;
                return append(rows, number);
            }
            auto* const to = rows.widened.data() + rows.size * store_.dim();
            widen(how_.with(), store_.row(number), store_.dim(), to);
            rows.pointers[rows.size] = to;
        } else {
            rows.pointers[rows.size] = store_.row(number);
        }
        append(rows, number);
    }

    void append(block& rows, std::size_t number) const noexcept {
        rows.factors[rows.size] = how_.factor(inverse_lengths_[number]);
        rows.numbers[rows.size++] = number;
    }

    [[nodiscard]] float finish(measured_vector const& query, block const& rows,
        float const* const* at, std::size_t r, float sum) const noexcept {
        return how_.finish(query, {at[r], inverse_lengths_[rows.numbers[r]]}, sum);
    }

    template <class Collector>
    void flush(block& rows, query_block const& queries, std::span<Collector> best,
        std::vector<float>& sums) const {
        auto const dim = store_.dim();
        auto const per_tile = how_.with().tile_queries;
        auto const stride = rows.capacity + 3;
        std::size_t q = 0;
        if (!rows.halves.empty()) {
            half_kernel()(
                queries.queries[0].values, rows.halves.data(), rows.size, dim, sums.data());
            select(rows, queries.queries[q], sums.data(), best[q]);
            ++q;
        }
        for (std::size_t t = 0; t < queries.tiles; ++t) {
            auto const* const packed =
                queries.packed.data() + t * per_tile * ((dim + 15) / 16 * 16);
            how_.queries_kernel()(packed, rows.at(), rows.size, dim, sums.data(), stride);
            for (std::size_t i = 0; i < per_tile && q < best.size(); ++i, ++q)
                select(rows, queries.queries[q], sums.data() + i * stride, best[q]);
        }
        for (; q < best.size(); ++q) {
            how_.rows_kernel()(queries.queries[q].values, rows.at(), rows.size, dim, sums.data());
            select(rows, queries.queries[q], sums.data(), best[q]);
        }
        rows.size = 0;
    }

    template <class Collector>
    void select(
        block& rows, measured_vector const& query, float const* sums, Collector& best) const {
        // Only a damaged file gives scores that are not finite; they have no place in an order.
        auto const take = [&](std::size_t r) {
            auto const score = finish(query, rows, rows.at(), r, sums[r]);
            if (is_finite(score)) best.push({store_.id(rows.numbers[r]), score});
        };
        if (!plain_ || !is_ordinary(query.inverse_length)) {
            for (std::size_t r = 0; r < rows.size; ++r) take(r);
            return;
        }
        auto const found = how_.with().select_scaled(sums, rows.factors.data(), rows.size,
            how_.floor(query, best.threshold()), rows.places.data());
        for (std::size_t i = 0; i < found; ++i) take(rows.places[i]);
    }

    vector_store<Element> const& store_;
    similarity const& how_;
    std::span<double const> inverse_lengths_;
    bool plain_;
};

} // namespace detail
TRAWL_END_NAMESPACE
