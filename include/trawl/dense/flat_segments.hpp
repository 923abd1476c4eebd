// SPDX-License-Identifier: MIT
#pragma once

/// Vectors in immutable segments of the caller's files, searched exactly or by codes beside them: what
/// trawl::collection searches. flat_index and quantised_index are the ones to use otherwise.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/doc_set.hpp>
#include <trawl/core/executor.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/metric.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {
class vector_table;
struct built_codes;
struct mapped_codes;
} // namespace detail

/// Vectors on their way into a segment. 4096 vectors and more of at least 96 dimensions get a code of
/// one bit a dimension beside them (one_bit_code), unless one of them is too long or too short for it.
class flat_segment_builder {
public:
    /// @throws trawl::error (invalid_argument) if dim is 0.
    flat_segment_builder(std::size_t dim, trawl::metric how);
    flat_segment_builder(flat_segment_builder&&) noexcept;
    flat_segment_builder& operator=(flat_segment_builder&&) noexcept;
    ~flat_segment_builder();

    /// Refuses a vector that add() would refuse.
    /// @throws trawl::error (dimension_mismatch, not_finite).
    void check(std::span<float const> vector) const;

    /// Makes room for `count` more vectors.
    void reserve(std::size_t count);

    /// Adds a vector [dim]. Ids ascend strictly.
    /// @throws trawl::error (id_order; dimension_mismatch; not_finite). Nothing is changed then.
    void add(doc_id id, std::span<float const> vector);

    /// Removes the vector of a document, if it has one.
    void erase(doc_id id) noexcept;

    /// Removes the vectors of all ids from this one on.
    void erase_from(doc_id id);

    [[nodiscard]] std::size_t size() const noexcept;

    /// Adds the sections, each name beginning with the prefix of at most 6 bytes. Erased vectors are
    /// left out. The writer keeps views: this must live and stay unchanged until it has written.
    /// @param pool  Makes the codes; null: the calling thread.
    void add_to(section_writer& writer, std::string_view prefix, executor const* pool = nullptr);

private:
    std::unique_ptr<detail::vector_table> table_;
    std::unique_ptr<detail::built_codes> codes_;
};

/// The vectors of a segment. Immutable; copies share it.
class flat_segment {
public:
    flat_segment() = default;

    /// Opens what add_to() added with this prefix, and keeps the file open. Checks the sizes of the
    /// vectors, but not their values: see verify().
    /// @throws trawl::error (corrupt), its text beginning "PATH: ".
    /// @par Complexity  O(vectors).
    [[nodiscard]] static flat_segment open(
        section_file const& file, std::string_view prefix, std::size_t dim, trawl::metric how);

    [[nodiscard]] std::span<doc_id const> ids() const noexcept;

    /// The vector [dim] of document ids()[i].
    [[nodiscard]] std::span<float const> vector(std::size_t i) const noexcept;

    /// Copies a document's vector; false, and `out` is zeroed, if it has none here.
    /// @throws trawl::error (dimension_mismatch; corrupt if it is not finite).
    bool copy_vector(doc_id id, std::span<float> out) const;

    /// Checks the values of all vectors, and those that codes come with.
    /// @param file  the file that they are in, which messages name.
    /// @throws trawl::error (corrupt).
    void verify(section_file const& file) const;

    /// Whether there are codes; whether a builder would have given these vectors some, and there are
    /// none: the file was written before there were codes.
    [[nodiscard]] bool is_coded() const noexcept { return codes_ != nullptr; }
    [[nodiscard]] bool lacks_codes() const noexcept;

private:
    friend class flat_segments;

    std::shared_ptr<detail::vector_table const> table_ = {};
    std::shared_ptr<detail::mapped_codes const> codes_ = {};
};

/// Search over the vectors of several segments. Immutable; copies share it. Any number of threads may
/// search at once.
///
/// In a segment with codes, of which more than 4096 documents and more than one in 32 are eligible,
/// the codes are scanned, and the documents of the best estimates, then lowest ids, are scored
/// exactly: eight times k, and at least 400, or 1000 below 256 dimensions. Elsewhere all eligible
/// vectors are scored. So scores are those of a flat_index of all live documents, bit for bit, but a
/// hit may be missed, which one depends on how documents are spread over segments; exact() misses
/// none.
class flat_segments {
public:
    /// @param segments  no document is in two of them.
    /// @param live  the documents that count; null: all.
    flat_segments(std::size_t dim, trawl::metric how, std::vector<flat_segment> segments,
        std::shared_ptr<doc_set const> live, doc_id next_id);

    [[nodiscard]] std::size_t dim() const noexcept { return dim_; }
    [[nodiscard]] trawl::metric metric() const noexcept { return how_; }
    [[nodiscard]] doc_id next_id() const noexcept { return next_id_; }

    /// The same documents, searched without codes: the hits and the bits of a flat_index of them.
    [[nodiscard]] flat_segments exact() const;

    /// How many live documents have a vector.
    /// @par Complexity  O(vectors).
    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] bool contains(doc_id id) const noexcept;

    /// As flat_index::copy_vector.
    bool copy_vector(doc_id id, std::span<float> out) const;

    /// As flat_index::search, score, explain and warnings.
    [[nodiscard]] ranking search(query const& q, search_options const& options = {}) const;
    [[nodiscard]] std::vector<hit> score(
        query const& q, std::span<doc_id const> ids, search_options const& options = {}) const;
    [[nodiscard]] explanation explain(
        query const& q, doc_id id, search_options const& options = {}) const;
    [[nodiscard]] std::vector<std::string> warnings(query const& q) const;

private:
    [[nodiscard]] flat_segment const* segment_of(doc_id id) const noexcept;
    [[nodiscard]] search_options narrowed(search_options options) const;
    [[nodiscard]] ranking search_segment(
        flat_segment const& segment, query const& q, search_options const& options) const;

    std::size_t dim_;
    trawl::metric how_;
    std::shared_ptr<std::vector<flat_segment> const> segments_;
    std::shared_ptr<doc_set const> live_;
    doc_id next_id_;
    bool exact_ = false;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/dense/detail/flat_segments_inl.hpp>
#endif
