// SPDX-License-Identifier: MIT
#pragma once

/// Random vectors and the obvious way to search them.

#include <algorithm>
#include <cstddef>
#include <vector>

#include <trawl/dense/flat_index.hpp>
#include <trawl/detail/random.hpp>

struct matrix {
    std::size_t rows, cols;
    std::vector<float> values;

    operator trawl::matrix_view<float const>() const { return {values.data(), rows, cols}; }
    [[nodiscard]] std::span<float const> row(std::size_t i) const {
        return {values.data() + i * cols, cols};
    }
};

inline matrix random_matrix(trawl::detail::random& random, std::size_t rows, std::size_t cols) {
    matrix m{rows, cols, std::vector<float>(rows * cols)};
    for (auto& v : m.values) v = static_cast<float>(random.normal());
    return m;
}

// Values from {-1, 0, 1}: many equal scores, duplicates and zero vectors.
inline matrix tied_matrix(trawl::detail::random& random, std::size_t rows, std::size_t cols) {
    matrix m{rows, cols, std::vector<float>(rows * cols)};
    for (auto& v : m.values) v = static_cast<float>(random.below(3)) - 1.0f;
    return m;
}

// Scores every document by itself, sorts all, keeps k.
inline trawl::ranking exhaustive(trawl::flat_index const& index, std::span<float const> vector,
    std::size_t k, trawl::doc_set const* allowed = nullptr) {
    trawl::ranking all;
    for (trawl::doc_id id = 0; id < index.next_id(); ++id) {
        if (!index.contains(id) || (allowed != nullptr && !allowed->contains(id))) continue;
        all.push_back(index.score({.vector = vector}, {&id, 1}).at(0));
    }
    std::sort(all.begin(), all.end(), trawl::by_rank{});
    if (all.size() > k) all.resize(k);
    return all;
}
