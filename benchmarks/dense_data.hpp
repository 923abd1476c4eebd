// SPDX-License-Identifier: MIT
#pragma once

/// Vectors and questions for the dense bench: made from real ones, or drawn round centres.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include <trawl/core/matrix.hpp>
#include <trawl/detail/aligned_allocator.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/formats/npy.hpp>

namespace bench {

/// Vectors of length 1 and questions.
struct vector_collection {
    std::size_t rows = 0;
    std::size_t dim = 0;
    std::vector<float, trawl::detail::aligned_allocator<float>> values = {};
    trawl::matrix<float> queries = {};
    std::string made = {}; ///< of what

    [[nodiscard]] trawl::matrix_view<float const> view() const {
        return {values.data(), rows, dim};
    }
    [[nodiscard]] trawl::matrix_view<float const> first_rows(std::size_t n) const {
        return {values.data(), n, dim};
    }
    [[nodiscard]] trawl::matrix_view<float const> first_queries(std::size_t n) const {
        return {queries.values.data(), n, dim};
    }
    [[nodiscard]] std::span<float const> query(std::size_t i) const {
        return queries.view().row(i);
    }
};

inline void to_unit_length(std::span<float> v) {
    double squared = 0;
    for (auto const x : v) squared += static_cast<double>(x) * static_cast<double>(x);
    for (auto& x : v) x = static_cast<float>(static_cast<double>(x) / std::sqrt(squared));
}

/// `rows` vectors, each a real one and 0.4 times the difference of two others: noise that varies as
/// the vectors do. The questions are real.
inline vector_collection from_real(
    std::size_t rows, std::string const& folder, std::uint64_t seed) {
    auto const real = trawl::read_npy(folder + "/minilm_corpus.npy");
    vector_collection made{.rows = rows,
        .dim = real.cols,
        .made = "MiniLM vectors of SciFact with noise, its questions"};
    made.values.resize(rows * real.cols);
    trawl::detail::random random(seed);
    for (std::size_t i = 0; i < rows; ++i) {
        auto const at = [&] { return real.view().row(random.below(real.rows)); };
        auto const a = i < real.rows ? real.view().row(i) : at();
        auto const b = at();
        auto const c = at();
        std::span const out(made.values.data() + i * made.dim, made.dim);
        auto const noise = i < real.rows ? 0.0f : 0.4f;
        for (std::size_t d = 0; d < made.dim; ++d) out[d] = a[d] + noise * (b[d] - c[d]);
        to_unit_length(out);
    }
    made.queries = trawl::read_npy(folder + "/minilm_queries.npy");
    made.queries.rows = (std::min)(made.queries.rows, std::size_t{256});
    return made;
}

/// Vectors round 1000 centres, spread in 32 directions that all share, and a little in every other.
inline vector_collection clustered(std::size_t rows, std::size_t dim, std::uint64_t seed) {
    constexpr std::size_t centres = 1000;
    constexpr std::size_t directions = 32;
    vector_collection made{.rows = rows, .dim = dim, .made = "made round 1000 centres"};
    trawl::detail::random random(seed);
    auto const normal = [&] { // near enough: the sum of four uniform numbers
        auto const bits = random.next();
        double sum = 0;
        for (int i = 0; i < 4; ++i) sum += static_cast<double>(bits >> (16 * i) & 0xFFFF);
        return static_cast<float>((sum / 65536 - 2) * 1.7320508);
    };
    std::vector<float> centre(centres * dim);
    std::vector<float> direction(directions * dim);
    for (auto& x : centre) x = normal();
    for (std::size_t c = 0; c < centres; ++c) to_unit_length({centre.data() + c * dim, dim});
    auto const share = 1 / std::sqrt(static_cast<float>(dim));
    for (auto& x : direction) x = normal() * share;
    auto const fill = [&](std::span<float> out) {
        auto const c = random.below(centres);
        for (std::size_t d = 0; d < dim; ++d)
            out[d] = centre[c * dim + d] + 0.4f * share * normal();
        for (std::size_t t = 0; t < directions; ++t) {
            auto const along = 0.9f * normal() / std::sqrt(static_cast<float>(directions));
            for (std::size_t d = 0; d < dim; ++d) out[d] += along * direction[t * dim + d];
        }
        to_unit_length(out);
    };
    made.values.resize(rows * dim);
    made.queries = {std::vector<float>(256 * dim), 256, dim};
    for (std::size_t i = 0; i < rows; ++i) fill({made.values.data() + i * dim, dim});
    for (std::size_t i = 0; i < 256; ++i) fill(made.queries.view().row(i));
    return made;
}

/// From the real vectors where they are.
inline vector_collection make_vectors(std::size_t rows, std::string const& folder) {
    if (std::filesystem::exists(folder + "/minilm_corpus.npy")) return from_real(rows, folder, 1);
    return clustered(rows, 384, 1);
}

template <class T>
void write_values(std::filesystem::path const& path, std::span<T const> values) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<char const*>(values.data()),
        static_cast<std::streamsize>(values.size_bytes()));
}

} // namespace bench
