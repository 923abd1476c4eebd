// SPDX-License-Identifier: MIT
#pragma once

/// The sections that the files of all dense indexes share.

#include <cstddef>
#include <cstdint>
#include <span>

#include <trawl/core/words.hpp>
#include <trawl/dense/detail/vector_table.hpp>
#include <trawl/dense/element.hpp>
#include <trawl/dense/metric.hpp>
#include <trawl/detail/aligned_bytes.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/owner.hpp>
#include <trawl/error.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct flat_file_head {
    std::uint64_t rows = 0;
    std::uint64_t dim = 0;
    std::uint32_t metric = 0;
    std::uint32_t element = 0; ///< element_type
    std::uint32_t next_id = 0;
    std::uint32_t has_vectors = 1;
};

/// What is written of a table, as one array for each section.
struct flat_sections {
    explicit flat_sections(vector_table const& from)
        : head{.rows = from.documents().rows(),
            .dim = from.dim(),
            .metric = static_cast<std::uint32_t>(from.how()),
            .element = static_cast<std::uint32_t>(from.element()),
            .next_id = from.documents().next_id(),
            .has_vectors = from.keeps_values() ? 1u : 0u},
          table(from),
          vectors(from.contiguous(copied)) {}
    flat_sections(flat_sections const&) = delete;

    void add_to(section_writer& writer) const {
        writer.add("head", std::span(&head, 1));
        writer.add("ids", table.documents().ids());
        writer.add("live", table.documents().live_words());
        writer.add("inverse lengths", table.inverse_lengths());
        writer.add("vectors", vectors);
    }

    flat_file_head head;
    vector_table const& table;
    aligned_bytes copied = {};
    std::span<std::byte const> vectors;
};

/// The head of a file, whose other sections fit it: what searching relies on, but for the values of
/// the vectors.
/// @throws trawl::error (corrupt), its text beginning "PATH: ".
[[nodiscard]] inline flat_file_head checked_head(section_file const& file) {
    auto const head = file.value<flat_file_head>("head");
    if (head.dim == 0 || head.metric > static_cast<std::uint32_t>(metric::euclidean)
        || head.element > static_cast<std::uint32_t>(element_type::float16)
        || head.has_vectors > 1) {
        file.fail(join("has dimension ", head.dim, ", metric ", head.metric, ", element type ",
            head.element, " and has_vectors ", head.has_vectors, ": not all are valid"));
    }
    auto const ids = file.array<doc_id>("ids");
    auto const live = file.array<std::uint64_t>("live");
    auto const bytes = file.array<std::byte>("vectors").size();
    auto const element = head.element == 0 ? std::size_t{4} : std::size_t{2};
    auto const rows = ids.size();
    // By division: a product of what a file says may overflow.
    bool const fits = head.has_vectors == 0
                          ? bytes == 0
                          : bytes % element == 0 && bytes / element % head.dim == 0
                                && bytes / element / head.dim == rows;
    if (head.rows != rows || !fits || live.size() != rows / 64 + (rows % 64 != 0 ? 1 : 0)
        || file.array<double>("inverse lengths").size() != rows) {
        file.fail("its numbers of ids, vectors and lengths contradict each other");
    }
    for (std::size_t i = 1; i < rows; ++i) {
        if (ids[i - 1] >= ids[i])
            file.fail(join("id ", ids[i], " follows id ", ids[i - 1], ": ids must ascend"));
    }
    if (rows > 0
        && (ids.back() >= head.next_id || (rows % 64 != 0 && live.back() >> (rows % 64) != 0)))
        file.fail("has ids at or above its next id");
    for (double const inverse : file.array<double>("inverse lengths")) {
        if (!is_finite(inverse) || inverse < 0) file.fail(join("has the inverse length ", inverse));
    }
    return head;
}

/// Fills a table of the head's dimension, metric and element type.
inline void restore(vector_table& table, section_file const& file, flat_file_head const& head) {
    table.restore(head.has_vectors != 0 ? file.array<std::byte>("vectors").data() : nullptr,
        head.has_vectors != 0, file.array<doc_id>("ids"), file.array<std::uint64_t>("live"),
        file.array<double>("inverse lengths"), head.next_id, owner::of(file));
}

} // namespace detail
TRAWL_END_NAMESPACE
