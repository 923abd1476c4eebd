// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of coded_rows.hpp.

#include <trawl/dense/detail/coded_rows.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include <trawl/core/function_ref.hpp>
#include <trawl/dense/detail/coded_query.hpp>
#include <trawl/dense/detail/document_table.hpp>
#include <trawl/dense/detail/vector_encoder.hpp>
#include <trawl/detail/cosine.hpp>
#include <trawl/detail/simd/dispatch.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE void coded_rows::reserve_more(vector_encoder const& encoder, std::size_t count) {
    codes.reserve_more(encoder.bytes(size() + count) - codes.size());
    make_room(slopes, count);
    make_room(bases, count);
}

TRAWL_INLINE void coded_rows::append(vector_encoder const& encoder, std::size_t count) noexcept {
    if (auto const more = encoder.bytes(size() + count) - codes.size(); more > 0)
        std::memset(codes.append(more), 0, more);
    slopes.resize(slopes.size() + count);
    bases.resize(bases.size() + count);
}

TRAWL_INLINE void coded_rows::encode(vector_encoder const& encoder, measured_vector const& v,
    std::span<float const> from, std::size_t row, std::span<float> space) noexcept {
    auto const line = encoder.encode(v, from, codes.data(), row, space);
    slopes[row] = line.slope;
    bases[row] = line.base;
}

TRAWL_INLINE void coded_rows::move(
    vector_encoder const& encoder, std::size_t from, std::size_t to) noexcept {
    encoder.move(codes.data(), from, to);
    slopes[to] = slopes[from];
    bases[to] = bases[from];
}

TRAWL_INLINE void coded_rows::cut(vector_encoder const& encoder, std::size_t rows) noexcept {
    // What shares bytes with the rows that stay must not be written to files.
    for (auto row = rows; row < size() && encoder.bytes(row + 1) == encoder.bytes(rows); ++row)
        encoder.clear(codes.data(), row);
    codes.cut(encoder.bytes(rows));
    slopes.resize(rows);
    bases.resize(rows);
    codes.shrink_to_fit();
    slopes.shrink_to_fit();
    bases.shrink_to_fit();
}

TRAWL_INLINE void coded_view::estimate(vector_encoder const& encoder, kernels const& with,
    coded_query const& q, block_group const& group, float least,
    function_ref<void(std::size_t, float)> take) const {
    constexpr auto lowest = (std::numeric_limits<float>::lowest)();
    std::int32_t sums[block_group::most * block];
    float estimates[block];
    std::uint32_t places[block];
    std::fill(sums, sums + group.count * block, 0); // of rows that no bit asks for
    encoder.sums(with, q, codes, group, sums);
    for (std::size_t b = 0; b < group.count; ++b) {
        auto const first = group.numbers[b] * block;
        auto const found = with.select_estimates(sums + b * block, slopes.data() + first,
            bases.data() + first, (std::min)(block, slopes.size() - first), q.line,
            (std::max)(least, lowest), estimates, places);
        for (std::size_t i = 0; i < found; ++i) {
            auto const place = places[i];
            if ((group.bits[b] >> place & 1) != 0) take(first + place, estimates[place]);
        }
    }
}

} // namespace detail
TRAWL_END_NAMESPACE
