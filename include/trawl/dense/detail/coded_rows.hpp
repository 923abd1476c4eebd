// SPDX-License-Identifier: MIT
#pragma once

/// Codes of rows, and the estimates that they give.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <trawl/dense/detail/vector_store.hpp>
#include <trawl/dense/vector_code.hpp>
#include <trawl/detail/aligned_allocator.hpp>
#include <trawl/detail/simd/dispatch.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

template <class Code>
struct coded_rows {
    /// rows that are estimated together
    static constexpr std::size_t block = vector_store<float>::block;

    /// What estimate() needs room for.
    struct workspace {
        std::int32_t sums[block_group::most * block] = {};
        float estimates[block] = {};
        std::uint32_t places[block] = {};
    };

    std::vector<std::byte, aligned_allocator<std::byte>> codes = {};
    std::vector<float> slopes = {};
    std::vector<float> bases = {};

    [[nodiscard]] std::size_t size() const noexcept { return slopes.size(); }

    void reserve_more(Code const& code, std::size_t rows) {
        make_room(codes, code.bytes(size() + rows) - codes.size());
        make_room(slopes, rows);
        make_room(bases, rows);
    }

    void resize(Code const& code, std::size_t rows) {
        codes.resize(code.bytes(rows));
        slopes.resize(rows);
        bases.resize(rows);
    }

    void shrink_to_fit() {
        codes.shrink_to_fit();
        slopes.shrink_to_fit();
        bases.shrink_to_fit();
    }

    void set(std::size_t row, row_line line) noexcept {
        slopes[row] = line.slope;
        bases[row] = line.base;
    }

    void move(Code const& code, std::size_t from, std::size_t to) noexcept {
        if (from == to) return;
        code.move(codes.data(), from, to);
        slopes[to] = slopes[from];
        bases[to] = bases[from];
    }

    /// Calls take(row, estimate) for the rows of a group whose estimates are not below `least`.
    template <class Take>
    void estimate(Code const& code, kernels const& with, coded_query const& q,
        block_group const& group, float least, workspace& space, Take&& take) const {
        constexpr auto lowest = (std::numeric_limits<float>::lowest)();
        code.sums(with, q, codes.data(), group, space.sums);
        for (std::size_t b = 0; b < group.count; ++b) {
            auto const first = group.numbers[b] * block;
            auto const found = with.select_estimates(space.sums + b * block, slopes.data() + first,
                bases.data() + first, (std::min)(block, size() - first), q.line,
                (std::max)(least, lowest), space.estimates, space.places);
            for (std::size_t i = 0; i < found; ++i) {
                auto const place = space.places[i];
                if ((group.bits[b] >> place & 1) != 0) take(first + place, space.estimates[place]);
            }
        }
    }
};

} // namespace detail
TRAWL_END_NAMESPACE
