// SPDX-License-Identifier: MIT
#pragma once

/// The engine of quantised_index, for either code.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/filter.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/detail/coded_rows.hpp>
#include <trawl/dense/detail/vector_encoder.hpp>
#include <trawl/dense/flat_index.hpp>
#include <trawl/dense/metric.hpp>
#include <trawl/dense/vector_code.hpp>

TRAWL_BEGIN_NAMESPACE

namespace detail {

/// The members and errors of quantised_index, which documents them.
class quantised_engine {
public:
    quantised_engine(code_kind kind, char const* code_name, std::size_t candidates, std::size_t dim,
        quantised_options options);

    doc_id add(
        doc_id first, matrix_view<float const> vectors, char const* caller, executor const* pool);
    bool update(doc_id id, std::span<float const> vector);
    bool erase(doc_id id) noexcept { return erase_vector(table(), id); }
    void compact(executor const* pool);
    /// compact() without train(): the codes stay as they are.
    void drop_erased();
    void train(executor const* pool, char const* caller = "train");

    [[nodiscard]] flat_index const& exact() const;
    [[nodiscard]] vector_table const& table() const noexcept { return table_access::of(exact_); }
    [[nodiscard]] quantised_options const& options() const noexcept { return options_; }
    void set_candidates(std::size_t documents);

    [[nodiscard]] std::vector<ranking> search(
        std::span<query const> queries, search_options const& options) const;
    [[nodiscard]] std::vector<ranking> search(
        matrix_view<float const> queries, search_options const& options) const;
    [[nodiscard]] ranking search(std::span<float const> vector, std::size_t k, filter where) const;
    [[nodiscard]] std::vector<hit> score(
        query const& q, std::span<doc_id const> ids, search_options const& options) const;
    [[nodiscard]] explanation explain(
        query const& q, doc_id id, search_options const& options) const;
    [[nodiscard]] double recall(matrix_view<float const> queries, std::size_t k) const;

private:
    friend struct quantised_file; // storage_inl.hpp

    [[nodiscard]] vector_table& table() noexcept { return table_access::of(exact_); }
    [[nodiscard]] measured_vector measured_prefix(float const* vector) const noexcept;
    void check_length(char const* caller, std::span<float const> vector) const;
    [[nodiscard]] std::vector<ranking> scan(
        matrix_view<float const> queries, search_options const& options) const;

    quantised_options options_;
    char const* code_name_;
    vector_encoder encoder_;
    flat_index exact_; // without values where they are not kept
    bool coding_ = false;
    coded_rows coded_ = {};
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/dense/detail/quantised_engine_inl.hpp>
#endif
