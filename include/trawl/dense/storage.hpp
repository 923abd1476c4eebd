// SPDX-License-Identifier: MIT
#pragma once

/// Dense indexes in files: docs/formats.md, "flat_index", "int8_index and one_bit_index".

#include <cstddef>
#include <string>

#include <trawl/dense/element.hpp>
#include <trawl/dense/flat_index.hpp>
#include <trawl/dense/quantised_index.hpp>
#include <trawl/storage/open.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

void save_flat(vector_table const& table, std::string const& path);

/// @param table  An index of any dimension and metric, of the element type that the file must have;
/// takes over what the file holds.
void open_flat(vector_table& table, std::string const& path, open_options options);

/// The files of quantised_engine.
struct quantised_file {
    static void save(quantised_engine const& engine, code_kind kind, std::string const& path);
    static void open(quantised_engine& engine, code_kind kind, char const* code_name,
        std::size_t candidates, std::string const& path, open_options options);
};

template <vector_element Element>
struct stored<basic_flat_index<Element>> {
    [[nodiscard]] static basic_flat_index<Element> open(
        std::string const& path, open_options options) {
        basic_flat_index<Element> made(1);
        open_flat(table_access::of(made), path, options);
        return made;
    }
};

template <class Code>
struct stored<quantised_index<Code>> {
    static void save(quantised_index<Code> const& index, std::string const& path) {
        quantised_file::save(index.engine_, Code::kind, path);
    }
    [[nodiscard]] static quantised_index<Code> open(std::string const& path, open_options options) {
        quantised_index<Code> made(1);
        quantised_file::open(made.engine_, Code::kind, Code::name, Code::candidates, path, options);
        return made;
    }
};

} // namespace detail

/// Writes an index to a file, in one step: whoever reads the file meanwhile sees the old one or the
/// whole new one. Erased documents are left out: unless the index is compact, a compact copy of it is
/// made in memory. What was learnt from them stays in the file until train(): a centre, the means of
/// lists.
/// @throws trawl::error (io), its text beginning "PATH: "; an old file then stays as it was.
/// @par Complexity O(bytes).
template <vector_element Element>
void save(basic_flat_index<Element> const& index, std::string const& path) {
    detail::save_flat(detail::table_access::of(index), path);
}

template <class Code>
void save(quantised_index<Code> const& index, std::string const& path) {
    detail::stored<quantised_index<Code>>::save(index, path);
}

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/dense/detail/storage_inl.hpp>
#endif
