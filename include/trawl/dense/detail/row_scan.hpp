// SPDX-License-Identifier: MIT
#pragma once

/// The scan of a dense index: every eligible row is compared with every query, in blocks of rows
/// that stay in the second-level cache.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include <trawl/core/function_ref.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/detail/collector.hpp>
#include <trawl/dense/detail/query_block.hpp>
#include <trawl/dense/detail/similarity.hpp>
#include <trawl/dense/detail/vector_table.hpp>
#include <trawl/dense/element.hpp>
#include <trawl/detail/aligned_bytes.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/cosine.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/simd/dispatch.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Compares rows of a table with queries.
class row_scan {
public:
    explicit row_scan(vector_table const& table)
        : table_(table),
          rows_(table.rows()),
          inverse_lengths_(table.inverse_lengths()),
          how_(table.similarity()),
          dim_(table.dim()),
          widens_(table.element() != element_type::float32) {}

    /// Hands every eligible row of blocks [first, last) to the collectors, one for each query; may
    /// leave out hits that are below a collector's threshold. Ends early where options say so.
    void run(std::size_t first, std::size_t last, query_block const& queries,
        search_options const& options, array_ref<collector> best) const {
        auto const& documents = table_.documents();
        // Reads several places at once: one stream of rows does not fill the memory bus.
        constexpr std::size_t streams = 4;
        auto const step = (last - first + streams - 1) / streams;
        // One query is compared with half-sized rows as they are. Where finish() may need their
        // values, they are widened.
        bool const as_they_are = widens_ && queries.queries.size() == 1 && half_kernel() != nullptr
                                 && table_.all_ordinary()
                                 && is_ordinary(queries.queries[0].inverse_length);
        block rows(as_they_are ? most_rows : capacity(queries.queries.size()),
            how_.with().tile_queries, widens_ && !as_they_are ? dim_ : 0);
        for (std::size_t b = 0; b < step; ++b) {
            std::uint64_t bits[streams] = {};
            std::uint64_t any = 0;
            for (std::size_t s = 0; s < streams; ++s) {
                auto const at = first + s * step + b;
                if (at < (std::min)(first + (s + 1) * step, last))
                    any |= bits[s] = documents.eligible(at, options.where);
            }
            while (any != 0) {
                any = 0;
                for (std::size_t s = 0; s < streams; ++s) {
                    if (bits[s] == 0) continue;
                    auto const number = (first + s * step + b) * document_table::block
                                        + static_cast<std::size_t>(std::countr_zero(bits[s]));
                    any |= bits[s] &= bits[s] - 1;
                    push(rows, number, as_they_are);
                    if (rows.size < rows.capacity) continue;
                    if (options.stopped()) return;
                    flush(rows, queries, best, as_they_are);
                }
            }
        }
        if (rows.size > 0) flush(rows, queries, best, as_they_are);
    }

    /// Exact scores of some rows for one query, in order: out(place, score).
    void score(measured_vector const& query, std::span<std::uint32_t const> numbers,
        function_ref<void(std::size_t, float)> out) const {
        block rows(capacity(1), 1, widens_ ? dim_ : 0);
        for (std::size_t i = 0; i < numbers.size();) {
            for (rows.size = 0; rows.size < rows.capacity && i + rows.size < numbers.size();)
                push(rows, numbers[i + rows.size], false);
            how_.rows_kernel()(query.values, rows.pointers, rows.size, dim_, rows.sums);
            for (std::size_t r = 0; r < rows.size; ++r)
                out(i + r, finish(query, rows, r, rows.sums[r]));
            i += rows.size;
        }
    }

private:
    static constexpr std::size_t least_rows = 12, most_rows = 192; // multiples of a tile's rows

    // Rows on their way to the kernels.
    struct block {
        block(std::size_t rows, std::size_t sums_of_row, std::size_t widened_dim)
            : capacity(rows), stride(rows + 3) {
            auto const before = (sums_of_row * stride + 15) / 16 * 16;
            auto const bytes = (before + rows * widened_dim) * sizeof(float);
            memory.reserve_more(bytes);
            sums = reinterpret_cast<float*>(memory.append(bytes));
            widened = sums + before;
        }

        std::size_t capacity;
        std::size_t stride; // of the sums of a tile's queries
        std::size_t size = 0;
        aligned_bytes memory = {};
        float* sums = nullptr;
        float* widened = nullptr; // rows that are not float
        float const* pointers[most_rows] = {};
        std::uint16_t const* halves[most_rows] = {}; // rows that are read as they are
        std::uint32_t numbers[most_rows] = {};
        std::uint32_t places[most_rows] = {};
        float factors[most_rows] = {};
    };

    // Half of a second-level cache of 512 KiB, or what the first level holds where rows are widened
    // for one query only.
    [[nodiscard]] std::size_t capacity(std::size_t queries) const noexcept {
        auto const bytes = std::size_t{widens_ && queries < 3 ? 24u : 192u} << 10;
        auto const rows = bytes / sizeof(float) / dim_;
        return std::clamp(rows / least_rows * least_rows, least_rows, most_rows);
    }

    [[nodiscard]] half_row_kernel half_kernel() const noexcept {
        return table_.element() == element_type::bfloat16 ? how_.bfloat16_kernel()
                                                          : how_.float16_kernel();
    }

    void push(block& rows, std::size_t number, bool as_they_are) const noexcept {
        if (!widens_) {
            rows.pointers[rows.size] = reinterpret_cast<float const*>(rows_.row(number));
        } else if (as_they_are) {
            rows.halves[rows.size] = reinterpret_cast<std::uint16_t const*>(rows_.row(number));
        } else {
            auto* const to = rows.widened + rows.size * dim_;
            table_.copy_row(number, {to, dim_});
            rows.pointers[rows.size] = to;
        }
#ifdef __GNUC__
        // Between rows that come from memory, the processor does not fetch the lengths by itself:
        // 12 % of the time for one query.
        constexpr std::size_t ahead = 96;
        if (number + ahead < inverse_lengths_.size())
            __builtin_prefetch(&inverse_lengths_[number + ahead]);
#endif
        rows.factors[rows.size] = how_.factor(inverse_lengths_[number]);
        rows.numbers[rows.size++] = static_cast<std::uint32_t>(number);
    }

    [[nodiscard]] float finish(
        measured_vector const& query, block const& rows, std::size_t r, float sum) const noexcept {
        return how_.finish(query, {rows.pointers[r], inverse_lengths_[rows.numbers[r]]}, sum);
    }

    void flush(block& rows, query_block const& queries, array_ref<collector> best,
        bool as_they_are) const {
        auto const per_tile = how_.with().tile_queries;
        auto* const sums = rows.sums;
        std::size_t q = 0;
        if (as_they_are) {
            half_kernel()(queries.queries[0].values, rows.halves, rows.size, dim_, sums);
            select(rows, queries.queries[q], sums, best[q]);
            ++q;
        }
        for (std::size_t t = 0; t < queries.tiles; ++t) {
            how_.queries_kernel()(
                queries.tile(t), rows.pointers, rows.size, dim_, sums, rows.stride);
            for (std::size_t i = 0; i < per_tile && q < best.size(); ++i, ++q)
                select(rows, queries.queries[q], sums + i * rows.stride, best[q]);
        }
        for (; q < best.size(); ++q) {
            how_.rows_kernel()(queries.queries[q].values, rows.pointers, rows.size, dim_, sums);
            select(rows, queries.queries[q], sums, best[q]);
        }
        rows.size = 0;
    }

    // Hands the rows that may reach the collector's threshold to it.
    void select(
        block& rows, measured_vector const& query, float const* sums, collector& best) const {
        // Only a damaged file gives scores that are not finite; they have no place in an order.
        auto const take = [&](std::size_t r) {
            auto const score = finish(query, rows, r, sums[r]);
            if (is_finite(score)) best.push({table_.documents().id(rows.numbers[r]), score});
        };
        if (!table_.all_ordinary() || !is_ordinary(query.inverse_length)) {
            for (std::size_t r = 0; r < rows.size; ++r) take(r);
            return;
        }
        auto const found = how_.with().select_scaled(
            sums, rows.factors, rows.size, how_.threshold(query, best.threshold()), rows.places);
        for (std::size_t i = 0; i < found; ++i) take(rows.places[i]);
    }

    vector_table const& table_;
    vector_table::layout rows_;
    array_ref<double const> inverse_lengths_;
    similarity how_;
    std::size_t dim_;
    bool widens_;
};

} // namespace detail
TRAWL_END_NAMESPACE
