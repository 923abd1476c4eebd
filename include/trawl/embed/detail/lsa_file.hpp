// SPDX-License-Identifier: MIT
#pragma once

/// What a file of LSA must fulfil: docs/formats.md, "lsa_embedder".

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <trawl/core/key_table.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct lsa_file_head {
    std::uint64_t dim = 0;
    std::uint64_t terms = 0;
    std::uint64_t analyzer = 0; ///< checksum of analyzed_sample()
};

/// Embeddings have unit length or are zero as long as numbers are finite and a term's weighted row does
/// not overflow; larger ones occur in no file that was saved.
inline void check_lsa(section_file const& file, lsa_file_head const& head,
    std::span<double const> weights, std::span<float const> projection) {
    constexpr double most_weight = 1e6;
    constexpr float most_value = 2;
    if (head.dim == 0 || weights.empty() || weights.size() != head.terms || weights.size() >= no_doc
        || projection.size() % weights.size() != 0
        || projection.size() / weights.size() != head.dim) {
        file.fail("its arrays contradict its head");
    }
    for (double const weight : weights)
        if (!is_finite(weight) || weight < 0 || weight > most_weight)
            file.fail(join("has a term of weight ", weight));
    for (float const value : projection)
        if (!is_finite(value) || value < -most_value || value > most_value)
            file.fail(join("has a projection with the value ", value));
}

[[nodiscard]] inline key_table opened_terms(section_file const& file, std::size_t terms) {
    auto const text = file.text("term text");
    auto const bounds = file.array<std::uint64_t>("term bounds");
    if (bounds.size() != terms + 1 || bounds.front() != 0 || bounds.back() != text.size())
        file.fail("its terms contradict its head");
    key_table made;
    for (std::size_t i = 0; i < terms; ++i) {
        if (bounds[i] > bounds[i + 1] || bounds[i + 1] > text.size())
            file.fail("its terms do not follow each other");
        auto const term = text.substr(static_cast<std::size_t>(bounds[i]),
            static_cast<std::size_t>(bounds[i + 1] - bounds[i]));
        if (made.find(term)) file.fail("has a term twice");
        made.add(term);
    }
    return made;
}

} // namespace detail
TRAWL_END_NAMESPACE
