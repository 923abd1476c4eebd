// SPDX-License-Identifier: MIT
#pragma once

/// The index behind bm25_index and bm25f_index: documents of one or several fields, whatever splits
/// their texts into terms and whatever scores them.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/counted_ptr.hpp>
#include <trawl/lexical/bm25.hpp>
#include <trawl/lexical/detail/analyzer_ref.hpp>

TRAWL_BEGIN_NAMESPACE

namespace detail {

class inverted_index;
struct index_snapshot;

/// The fields of an index at one moment.
using index_reader = counted_ptr<buffer<counted_ptr<index_snapshot const>> const>;

/// The text of a document's field.
using text_ref = function_ref<std::string_view(std::size_t document, std::size_t field)>;

/// Holds the documents and changes them; searching is left to the classes derived from it.
/// basic_lexical_index documents the members. If `id` is null, a document gets the next id.
class lexical_engine {
public:
    /// @param fields  none: one field without a name, scored by BM25.
    /// @throws trawl::error (invalid_argument, not_finite) if a parameter or a field is out of range;
    /// (invalid_argument) if TRAWL_FORCE_ISA names a level that this machine lacks.
    lexical_engine(std::vector<bm25_field> fields, bm25 const& parameters, index_options options);
    /// @param begin  what the index holds: a snapshot for each field.
    lexical_engine(std::vector<bm25_field> fields, bm25 const& parameters, index_options options,
        index_reader begin);
    lexical_engine(lexical_engine const& other);
    lexical_engine(lexical_engine&& other) noexcept;
    lexical_engine& operator=(lexical_engine const& other);
    lexical_engine& operator=(lexical_engine&& other) noexcept;
    ~lexical_engine();

    /// @param texts  of the fields, in their order.
    doc_id add(analyzer_ref analyze, doc_id const* id, std::span<std::string_view const> texts);
    doc_id add_terms(doc_id const* id, std::span<std::span<std::string_view const> const> fields);
    doc_id add_all(
        analyzer_ref analyze, std::size_t documents, text_ref text, executor const* pool);
    bool update(analyzer_ref analyze, doc_id id, std::span<std::string_view const> texts);
    bool erase(doc_id id);
    void compact(executor const* pool);
    void freeze(executor const* pool);

    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] doc_id next_id() const;
    [[nodiscard]] bool contains(doc_id id) const;

    [[nodiscard]] std::span<bm25_field const> fields() const noexcept {
        return {fields_.data(), fields_.size()};
    }
    [[nodiscard]] bm25 const& parameters() const noexcept { return parameters_; }
    [[nodiscard]] index_options options() const noexcept { return options_; }
    void set_parameters(bm25 const& parameters);

    /// @param caller  names the function in the message.
    /// @throws trawl::error (invalid_argument) if there are more or fewer texts than fields.
    void check_texts(std::string_view caller, std::size_t texts) const;

    [[nodiscard]] index_reader read() const;

private:
    friend class lexical_file;

    /// "bm25_index", "bm25f_index".
    [[nodiscard]] std::string_view name() const noexcept;
    [[nodiscard]] std::size_t field_count() const noexcept;
    [[nodiscard]] inverted_index& writable();

    std::vector<bm25_field> fields_;
    bm25 parameters_;
    index_options options_;
    counted_ptr<inverted_index> index_; ///< its own; null: moved from, and empty
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/lexical/detail/lexical_engine_inl.hpp>
#endif
