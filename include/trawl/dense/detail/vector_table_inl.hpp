// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of vector_table.hpp.

#include <trawl/dense/detail/vector_table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/detail/element_conversion.hpp>
#include <trawl/dense/detail/similarity.hpp>
#include <trawl/dense/element.hpp>
#include <trawl/detail/cosine.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/math.hpp>
#include <trawl/detail/owner.hpp>
#include <trawl/detail/simd/dispatch.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE vector_table::vector_table(
    char const* index, trawl::metric how, std::size_t dim, element_type element)
    : index_(index), how_(how), element_(element), dim_(dim), kernels_(&active_kernels()) {
    if (dim == 0) fail(errc::invalid_argument, join(index, ": dim must be > 0, is 0"));
}

TRAWL_INLINE similarity vector_table::similarity() const noexcept {
    return {how_, dim_, *kernels_};
}

[[nodiscard]] TRAWL_COLD inline std::string numbered(char const* what, std::size_t number) {
    return number == vector_table::no_row ? what : join(what, " ", number);
}

TRAWL_INLINE void vector_table::check_dim(
    char const* caller, char const* what, std::size_t size, std::size_t number) const {
    if (size == dim_) return;
    fail(errc::dimension_mismatch, join(index_, "::", caller, ": ", numbered(what, number), " has ",
                                       size, " values, the index ", dim_));
}

TRAWL_INLINE void vector_table::check_vector(
    char const* caller, char const* what, std::span<float const> vector, std::size_t number) const {
    check_dim(caller, what, vector.size(), number);
    auto const bad = first_not_finite(vector);
    if (bad != vector.size()) {
        fail(errc::not_finite, join(index_, "::", caller, ": value ", bad, " of ",
                                   numbered(what, number), " is ", vector[bad]));
    }
    if (element_ == element_type::float32) return;
    bool const brain = element_ == element_type::bfloat16;
    auto const largest = brain ? bfloat16::largest : float16::largest;
    for (std::size_t i = 0; i < vector.size(); ++i) {
        if (math::fabs(vector[i]) <= largest) continue;
        fail(
            errc::invalid_argument, join(index_, "::", caller, ": value ", i, " of ",
                                        numbered(what, number), " is ", vector[i], ", the largest ",
                                        brain ? bfloat16::name : float16::name, " is ", largest));
    }
}

TRAWL_INLINE measured_vector vector_table::measured(std::span<float const> vector) const noexcept {
    return {vector.data(), inverse_length(*kernels_, vector.data(), dim_)};
}

TRAWL_INLINE std::vector<double> vector_table::inverse_lengths_of(
    matrix_view<float const> vectors, executor const* pool) const {
    constexpr std::size_t rows_of_task = 1024;
    std::vector<double> found(vectors.rows);
    run_tasks(pool, (vectors.rows + rows_of_task - 1) / rows_of_task, [&](std::size_t task) {
        std::vector<float> rounded(element_ == element_type::float32 ? 0 : dim_);
        auto const last = (std::min)(vectors.rows, (task + 1) * rows_of_task);
        for (auto i = task * rows_of_task; i < last; ++i) {
            auto const row = vectors.row(i);
            if (element_ == element_type::bfloat16) {
                std::transform(row.begin(), row.end(), rounded.begin(),
                    [](float v) { return as_float(stored_as<bfloat16>(v)); });
            } else if (element_ == element_type::float16) {
                std::transform(row.begin(), row.end(), rounded.begin(),
                    [](float v) { return as_float(stored_as<float16>(v)); });
            }
            found[i] =
                inverse_length(*kernels_, rounded.empty() ? row.data() : rounded.data(), dim_);
        }
    });
    return found;
}

TRAWL_INLINE void vector_table::reserve_more(std::size_t count) {
    documents_.reserve_more(count);
    if (keeps_values_) values_.reserve_more(count * row_bytes());
    make_room(inverse_lengths_, count);
}

TRAWL_INLINE void vector_table::store(std::span<float const> vector, std::byte* to) const noexcept {
    if (element_ == element_type::float32) {
        std::memcpy(to, vector.data(), vector.size_bytes());
        return;
    }
    for (std::size_t i = 0; i < vector.size(); ++i) {
        auto const bits = element_ == element_type::bfloat16 ? stored_as<bfloat16>(vector[i]).bits
                                                             : stored_as<float16>(vector[i]).bits;
        std::memcpy(to + 2 * i, &bits, 2);
    }
}

TRAWL_INLINE void vector_table::append_reserved(doc_id first, matrix_view<float const> vectors,
    std::span<double const> inverse_lengths) noexcept {
    if (vectors.rows == 0) return;
    if (keeps_values_) {
        store({vectors.data, vectors.rows * dim_}, values_.append(vectors.rows * row_bytes()));
    }
    documents_.append(first, vectors.rows);
    for (auto const inverse : inverse_lengths) {
        inverse_lengths_.push_back(inverse);
        count(inverse, 1);
    }
}

TRAWL_INLINE void vector_table::append(
    doc_id first, matrix_view<float const> vectors, executor const* pool) {
    auto const lengths = inverse_lengths_of(vectors, pool);
    reserve_more(vectors.rows);
    append_reserved(first, vectors, lengths);
}

TRAWL_INLINE void vector_table::borrow(
    void const* rows, std::size_t count_of_rows, detail::owner keeps) {
    documents_.check_new(index_, 0, count_of_rows);
    borrowed_ = static_cast<std::byte const*>(rows);
    borrowed_rows_ = count_of_rows;
    owner_ = std::move(keeps);
    documents_.reserve_more(count_of_rows);
    inverse_lengths_.reserve(count_of_rows);
    std::vector<float> values(dim_);
    for (std::size_t i = 0; i < count_of_rows; ++i) {
        copy_row(i, values);
        check_vector("over", "row", values, i);
        inverse_lengths_.push_back(inverse_length(*kernels_, values.data(), dim_));
        count(inverse_lengths_.back(), 1);
    }
    documents_.append(0, count_of_rows);
}

TRAWL_INLINE void vector_table::restore(void const* rows, bool keeps_values,
    std::span<doc_id const> ids, std::span<document_table::word const> live,
    std::span<double const> inverse_lengths, doc_id next_id, detail::owner keeps) {
    inverse_lengths_.clear();
    inverse_lengths_.append(inverse_lengths.data(), inverse_lengths.size());
    documents_.restore(ids, live, next_id);
    borrowed_ = static_cast<std::byte const*>(rows);
    borrowed_rows_ = ids.size();
    owner_ = std::move(keeps);
    if (!keeps_values) drop_values();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (documents_.lives(i)) count(inverse_lengths_[i], 1);
    }
}

TRAWL_INLINE void vector_table::update(std::size_t number, std::span<float const> vector) {
    auto const inverse = inverse_lengths_of({vector.data(), 1, vector.size()});
    own();
    if (keeps_values_) store(vector, values_.data() + number * row_bytes());
    set_length(number, inverse[0]);
}

TRAWL_INLINE void vector_table::set_length(std::size_t number, double inverse) noexcept {
    count(inverse_lengths_[number], static_cast<std::size_t>(-1));
    count(inverse_lengths_[number] = inverse, 1);
}

TRAWL_INLINE void vector_table::erase(std::size_t number) noexcept {
    count(inverse_lengths_[number], static_cast<std::size_t>(-1));
    documents_.erase(number);
}

TRAWL_INLINE void vector_table::prepare_compact() { own(); }

TRAWL_INLINE void vector_table::compact() noexcept {
    std::size_t to = 0;
    auto const bytes = keeps_values_ ? row_bytes() : 0;
    for (std::size_t from = 0; from < documents_.rows(); ++from) {
        if (!documents_.lives(from)) continue;
        if (from != to && bytes > 0)
            std::memcpy(values_.data() + to * bytes, values_.data() + from * bytes, bytes);
        inverse_lengths_[to++] = inverse_lengths_[from];
    }
    values_.cut(to * bytes);
    values_.shrink_to_fit();
    inverse_lengths_.resize(to);
    inverse_lengths_.shrink_to_fit();
    documents_.compact();
}

TRAWL_INLINE void vector_table::drop_values() noexcept {
    values_ = aligned_bytes();
    borrowed_ = nullptr;
    borrowed_rows_ = 0;
    owner_ = owner();
    keeps_values_ = false;
}

TRAWL_INLINE measured_vector vector_table::measured_row(std::size_t number) const noexcept {
    return {keeps_values_ && element_ == element_type::float32 ? floats(number) : nullptr,
        inverse_lengths_[number]};
}

TRAWL_INLINE void vector_table::check_row(char const* caller, std::size_t row) const {
    std::span<float const> const values(floats(row), dim_);
    auto const own = measured(values).inverse_length;
    auto const noted = inverse_lengths_[row];
    // Machines without FMA differ in the last bits. A value that is not finite makes `own` 0 or NaN.
    bool const alike = is_finite(own) && is_ordinary(own) && own - noted <= 1e-6 * noted
                       && noted - own <= 1e-6 * noted;
    if (alike && own > 0) return;
    auto const bad = first_not_finite(values);
    if (bad != values.size()) {
        fail(errc::corrupt, join(index_, "::", caller, ": value ", bad, " of document ",
                                documents_.id(row), " is ", values[bad], ": its file is damaged"));
    }
    if (alike) return;
    fail(errc::corrupt, join(index_, "::", caller, ": document ", documents_.id(row),
                            " has another length than its values: its file is damaged"));
}

TRAWL_INLINE void vector_table::copy_row(std::size_t number, std::span<float> out) const noexcept {
    auto const* const from = row(number);
    switch (element_) {
    case element_type::float32:
        std::memcpy(out.data(), from, row_bytes());
        return;
    case element_type::bfloat16:
        return kernels_->widen_bfloat16(
            reinterpret_cast<std::uint16_t const*>(from), dim_, out.data());
    case element_type::float16:
        return kernels_->widen_float16(
            reinterpret_cast<std::uint16_t const*>(from), dim_, out.data());
    }
}

TRAWL_INLINE std::span<std::byte const> vector_table::contiguous(aligned_bytes& copied) const {
    auto const borrowed = borrowed_rows_ * row_bytes();
    if (borrowed == 0) return {values_.data(), values_.size()};
    if (values_.size() == 0) return {borrowed_, borrowed};
    copied = joined();
    return {copied.data(), copied.size()};
}

// The borrowed rows and the others.
TRAWL_INLINE aligned_bytes vector_table::joined() const {
    auto const borrowed = borrowed_rows_ * row_bytes();
    aligned_bytes all;
    all.reserve_more(borrowed + values_.size());
    if (borrowed > 0) std::memcpy(all.append(borrowed), borrowed_, borrowed);
    if (values_.size() > 0) std::memcpy(all.append(values_.size()), values_.data(), values_.size());
    return all;
}

TRAWL_INLINE void vector_table::own() {
    if (borrowed_rows_ == 0) return;
    values_ = joined();
    borrowed_ = nullptr;
    borrowed_rows_ = 0;
    owner_ = owner();
}

TRAWL_INLINE void vector_table::count(double inverse, std::size_t one) noexcept {
    if (!(math::fabs(inverse - 1) <= 1e-3)) not_unit_ += one;
    if (!is_ordinary(inverse)) not_ordinary_ += one;
}

} // namespace detail
TRAWL_END_NAMESPACE
