// SPDX-License-Identifier: MIT
#pragma once

/// The documents and questions of the collection bench, and what the system says of its memory.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/collection/collection.hpp>
#include <trawl/core/matrix.hpp>
#include <trawl/detail/random.hpp>

#include "dense_data.hpp"
#include "zipf.hpp"

namespace bench {

/// Short documents: some ten words, a part from 0 to 9, and a vector as dense_data.hpp makes them, but
/// one at a time.
class collection_data {
public:
    static constexpr std::size_t dim = 384;
    static constexpr std::size_t asked = 64;
    static constexpr std::size_t asked_part = 3;

    explicit collection_data(std::string const& folder)
        : words_(make_zipf(20'000, 100'000, asked, 1)), base_(make_vectors(5183, folder)) {
        for (std::size_t r = 0; r < words_.words.size(); ++r) words_.words[r] = word(r);
    }

    /// The r-th most frequent word: syllables, so that no analyzer takes it for an identifier, whose
    /// parts are words too.
    [[nodiscard]] static std::string word(std::size_t r) {
        std::string made;
        for (r += 80; r > 0; r /= 80) {
            made += "bcdfghklmnprstvz"[r % 80 / 5];
            made += "aeiou"[r % 5];
        }
        return made;
    }

    [[nodiscard]] std::string const& made() const noexcept { return base_.made; }

    static trawl::collection_options options() {
        return {.fields = {{"part", trawl::integer_field}},
            .vectors = {{.dim = dim}},
            .positions = false,
            .chunks = std::nullopt};
    }

    [[nodiscard]] std::string text(std::size_t i) const {
        std::string made;
        auto const& from = words_.documents[i % words_.documents.size()];
        for (std::size_t w = 0; w < 10 && w < from.size(); ++w) made += words_.words[from[w]] + " ";
        return made;
    }

    [[nodiscard]] std::vector<float> vector(std::size_t i) const {
        trawl::detail::random random(i + 1);
        auto const row = [&] { return base_.view().row(random.below(base_.rows)); };
        auto const a = row();
        auto const b = row();
        auto const c = row();
        std::vector<float> made(dim);
        for (std::size_t d = 0; d < dim; ++d) made[d] = a[d] + 0.4f * (b[d] - c[d]);
        to_unit_length(made);
        return made;
    }

    [[nodiscard]] std::vector<trawl::document> documents(
        std::size_t first, std::size_t last) const {
        std::vector<trawl::document> made;
        made.reserve(last - first);
        for (auto i = first; i < last; ++i) {
            made.push_back({.key = "doc" + std::to_string(i),
                .text = text(i),
                .metadata = {{"part", static_cast<int>(i % 10)}},
                .vector = vector(i)});
        }
        return made;
    }

    [[nodiscard]] std::string question(std::size_t i) const {
        std::string made;
        for (auto const word : words_.questions[i % words_.questions.size()])
            made += words_.words[word] + " ";
        return made;
    }
    [[nodiscard]] std::span<float const> question_vector(std::size_t i) const {
        return base_.query(i % base_.queries.rows);
    }

private:
    zipf_collection words_;
    vector_collection base_;
};

/// A line of /proc/self/status, such as VmHWM, in MB; 0 where there is none.
inline double memory_mb(std::string_view what) {
    std::ifstream file("/proc/self/status");
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with(what))
            return 1.024e-3 * std::strtod(line.c_str() + what.size() + 1, nullptr);
    }
    return 0;
}

/// Lets VmHWM begin anew.
inline void forget_peak_memory() {
    std::ofstream file("/proc/self/clear_refs");
    file << "5";
}

inline double megabytes_in(std::string const& folder) {
    double bytes = 0;
    for (auto const& file : std::filesystem::directory_iterator(folder))
        bytes += static_cast<double>(std::filesystem::file_size(file.path()));
    return 1e-6 * bytes;
}

} // namespace bench
