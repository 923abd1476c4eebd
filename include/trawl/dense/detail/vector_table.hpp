// SPDX-License-Identifier: MIT
#pragma once

/// The rows of a dense index: vectors one after the other in memory, their lengths and their
/// documents. flat_index, quantised_index and inverted_file_index are built on it.

#include <cstddef>
#include <span>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/detail/document_table.hpp>
#include <trawl/dense/element.hpp>
#include <trawl/dense/metric.hpp>
#include <trawl/detail/aligned_bytes.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/owner.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct kernels;
struct measured_vector;
class similarity;

/// Rows [rows x dim] of one element type, row-major, from a 64-byte boundary on, and 1 / the length
/// of each. The first rows may be borrowed: they lie in memory of somebody else's, kept alive by
/// an owner if there is one, and are never written to.
///
/// Members that add or change rows have the strong guarantee: if they throw, nothing has changed.
class vector_table {
public:
    static constexpr std::size_t no_row = document_table::no_row;

    /// @param index  The name of the index, for messages.
    /// @throws trawl::error (invalid_argument) if dim is 0, or if TRAWL_FORCE_ISA names a level that
    /// is unknown or that this machine lacks.
    vector_table(char const* index, trawl::metric how, std::size_t dim, element_type element);

    [[nodiscard]] char const* index() const noexcept { return index_; }
    void rename(char const* index) noexcept { index_ = index; }
    [[nodiscard]] trawl::metric how() const noexcept { return how_; }
    [[nodiscard]] std::size_t dim() const noexcept { return dim_; }
    [[nodiscard]] element_type element() const noexcept { return element_; }
    [[nodiscard]] detail::kernels const& kernels() const noexcept { return *kernels_; }
    [[nodiscard]] detail::similarity similarity() const noexcept;
    [[nodiscard]] document_table const& documents() const noexcept { return documents_; }

    /// Checks that something has dim() values. `what` is the thing checked, number `number` of
    /// several.
    /// @throws trawl::error (dimension_mismatch).
    void check_dim(
        char const* caller, char const* what, std::size_t size, std::size_t number = no_row) const;

    /// Checks a vector to be stored, or a query.
    /// @throws trawl::error (dimension_mismatch); (not_finite); (invalid_argument) for a value that
    /// the element type cannot hold.
    void check_vector(char const* caller, char const* what, std::span<float const> vector,
        std::size_t number = no_row) const;

    /// The vector, which has passed check_vector(), and 1 / its length.
    [[nodiscard]] measured_vector measured(std::span<float const> vector) const noexcept;

    /// 1 / length of each vector [n x dim] as the element type stores it.
    [[nodiscard]] std::vector<double> inverse_lengths_of(
        matrix_view<float const> vectors, executor const* pool = nullptr) const;

    /// Makes room for `count` rows. If memory runs out, nothing changes.
    void reserve_more(std::size_t count);

    /// Appends rows that there is room for, for the ids first, first + 1, … `inverse_lengths` is
    /// what inverse_lengths_of(vectors) gives.
    void append_reserved(doc_id first, matrix_view<float const> vectors,
        std::span<double const> inverse_lengths) noexcept;

    /// Appends rows for the ids first, first + 1, …
    void append(doc_id first, matrix_view<float const> vectors, executor const* pool = nullptr);

    /// Lets the first `count` rows be rows that stay where they are, as documents 0, 1, …; the
    /// table must be empty.
    /// @throws trawl::error (not_finite), naming the row.
    void borrow(void const* rows, std::size_t count, detail::owner keeps);

    /// Takes over the rows of a file, whose values are kept or not.
    void restore(void const* rows, bool keeps_values, std::span<doc_id const> ids,
        std::span<document_table::word const> live, std::span<double const> inverse_lengths,
        doc_id next_id, detail::owner keeps);

    /// Overwrites a row. Borrowed rows are copied first, all of them.
    void update(std::size_t row, std::span<float const> vector);

    /// Sets the length of a row whose values are not kept.
    void set_length(std::size_t row, double inverse) noexcept;

    /// Retires a live row.
    void erase(std::size_t row) noexcept;

    /// Makes compact() a call that cannot fail: copies borrowed rows.
    void prepare_compact();

    /// Drops the rows that are not live, after prepare_compact().
    void compact() noexcept;

    /// Keeps documents and lengths only.
    void drop_values() noexcept;
    [[nodiscard]] bool keeps_values() const noexcept { return keeps_values_; }

    [[nodiscard]] std::byte const* row(std::size_t row) const noexcept {
        return row < borrowed_rows_ ? borrowed_ + row * row_bytes()
                                    : values_.data() + (row - borrowed_rows_) * row_bytes();
    }
    /// Where rows are, for loops over many of them.
    struct layout {
        std::byte const* borrowed;
        std::byte const* others; ///< where the rows behind the borrowed ones begin
        std::size_t borrowed_rows;
        std::size_t row_bytes;

        [[nodiscard]] std::byte const* row(std::size_t number) const noexcept {
            return number < borrowed_rows ? borrowed + number * row_bytes
                                          : others + (number - borrowed_rows) * row_bytes;
        }
    };
    [[nodiscard]] layout rows() const noexcept {
        return {borrowed_, values_.data(), borrowed_rows_, row_bytes()};
    }
    /// A row of a table of floats.
    [[nodiscard]] float const* floats(std::size_t number) const noexcept {
        return reinterpret_cast<float const*>(row(number));
    }
    [[nodiscard]] measured_vector measured_row(std::size_t row) const noexcept;
    /// Checks that a row of a table of floats has values that add() accepts, and its length: those of
    /// a file are not checked when it is opened, and one damaged vector would spoil what is learnt
    /// from all of them.
    /// @throws trawl::error (corrupt).
    void check_row(char const* caller, std::size_t row) const;
    void copy_row(std::size_t row, std::span<float> out) const noexcept;
    [[nodiscard]] std::size_t row_bytes() const noexcept {
        return dim_ * (element_ == element_type::float32 ? 4 : 2);
    }
    [[nodiscard]] std::span<double const> inverse_lengths() const noexcept {
        return {inverse_lengths_.data(), inverse_lengths_.size()};
    }
    /// How many live vectors have a length that differs from 1 by more than 0.001, the error of
    /// half precision.
    [[nodiscard]] std::size_t not_unit() const noexcept { return not_unit_; }
    /// Whether no live vector is so long or so short that float sums of its values may be wrong.
    [[nodiscard]] bool all_ordinary() const noexcept { return not_ordinary_ == 0; }

    /// All rows as one array, in `copied` if they are not.
    [[nodiscard]] std::span<std::byte const> contiguous(aligned_bytes& copied) const;

private:
    [[nodiscard]] aligned_bytes joined() const;
    void own();
    void store(std::span<float const> vector, std::byte* to) const noexcept;
    void count(double inverse_length, std::size_t one) noexcept;

    char const* index_;
    trawl::metric how_;
    element_type element_;
    bool keeps_values_ = true;
    std::size_t dim_;
    detail::kernels const* kernels_;
    document_table documents_ = {};
    aligned_bytes values_ = {}; // of the rows behind the borrowed ones
    std::byte const* borrowed_ = nullptr;
    std::size_t borrowed_rows_ = 0;
    owner owner_ = {};
    buffer<double> inverse_lengths_ = {};
    std::size_t not_unit_ = 0;
    std::size_t not_ordinary_ = 0;
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/dense/detail/vector_table_inl.hpp>
#endif
