// SPDX-License-Identifier: MIT
#pragma once

/// One list of an inverted file: the codes of the rows nearest to a centre.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <trawl/dense/detail/coded_rows.hpp>
#include <trawl/dense/detail/vector_store.hpp>
#include <trawl/dense/vector_code.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct inverted_list {
    coded_rows<one_bit_code> coded = {};
    std::vector<std::uint32_t> rows = {}; // of the store
    std::vector<std::uint64_t> live = {}; // bit i: entry i still stands for its row

    void reserve_more(one_bit_code const& code, std::size_t more) {
        coded.reserve_more(code, more);
        make_room(rows, more);
        make_room(live, more / 64 + 1);
    }

    std::uint32_t push(one_bit_code const& code, std::span<float const> centre, std::uint32_t row,
        measured_vector const& v) {
        auto const at = rows.size();
        coded.resize(code, at + 1);
        coded.set(at, code.encode(v, centre, coded.codes.data(), at));
        rows.push_back(row);
        live.resize(at / 64 + 1);
        live[at / 64] |= std::uint64_t{1} << at % 64;
        return static_cast<std::uint32_t>(at);
    }

    // renumber(row, its new place) gives the row's new number.
    template <class Renumber>
    void compact(one_bit_code const& code, Renumber&& renumber) {
        std::size_t to = 0;
        for (std::size_t from = 0; from < rows.size(); ++from) {
            if ((live[from / 64] >> from % 64 & 1) == 0) continue;
            coded.move(code, from, to);
            rows[to] = renumber(rows[from], static_cast<std::uint32_t>(to));
            ++to;
        }
        coded.resize(code, to);
        coded.shrink_to_fit();
        rows.resize(to);
        rows.shrink_to_fit();
        live.assign((to + 63) / 64, ~std::uint64_t{0});
        if (to % 64 != 0) live.back() = (std::uint64_t{1} << to % 64) - 1;
    }
};

} // namespace detail
TRAWL_END_NAMESPACE
