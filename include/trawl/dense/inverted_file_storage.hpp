// SPDX-License-Identifier: MIT
#pragma once

/// Inverted files in files: docs/formats.md, "inverted_file_index".

#include <string>

#include <trawl/dense/inverted_file_index.hpp>
#include <trawl/storage/open.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct inverted_file_storage {
    static void save(inverted_file_index const& index, std::string const& path);
    [[nodiscard]] static inverted_file_index open(std::string const& path, open_options options);

private:
    static void restore_lists(inverted_file_index& made, section_file const& file);
};

template <>
struct stored<inverted_file_index> : inverted_file_storage {};

} // namespace detail

/// Writes an index to a file, as save() of trawl/dense/storage.hpp does;
/// open<inverted_file_index>(path) maps the vectors and copies the lists.
/// @throws trawl::error (io).
inline void save(inverted_file_index const& index, std::string const& path) {
    detail::inverted_file_storage::save(index, path);
}

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/dense/detail/inverted_file_storage_inl.hpp>
#endif
