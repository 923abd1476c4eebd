// SPDX-License-Identifier: MIT
#pragma once

/// Lexical indexes in files: docs/formats.md, "bm25_index". Those of fields: bm25f_storage.hpp.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <trawl/core/concepts.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/lexical/detail/lexical_file.hpp>
#include <trawl/storage/open.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

template <analyzer Analyzer>
struct stored<basic_bm25_index<Analyzer>> {
    using index = basic_bm25_index<Analyzer>;
    static constexpr std::string_view kind = "bm25_index";
    static constexpr std::uint32_t version = lexical_file::version;

    static void save(
        index const& from, std::string const& path, function_ref<void(section_writer&)> add_more) {
        lexical_file::save(from.engine_, from.analyze(), path, add_more);
    }

    [[nodiscard]] static index open(std::string const& path, open_options options) {
        return open(section_file(path, kind, version, options), Analyzer());
    }

    [[nodiscard]] static index open(section_file const& file, Analyzer analyzer) {
        auto opened = lexical_file::open(file, analyzer_ref(analyzer));
        return index(std::move(analyzer), std::move(opened));
    }
};

} // namespace detail

/// Writes an index to a file, in one step: whoever reads the file meanwhile sees the old file or the
/// whole new one. Searches and changes may go on; what is written is the index as it was when save
/// began. Unless the index is compact, its segments are merged in memory, without the erased
/// documents and the words that only they held.
/// @param add_more  may add sections of the caller's own, whose names begin with "my ".
/// @throws trawl::error (io), its text beginning "PATH: "; an old file then stays as it was.
/// @par Complexity O(postings).
template <analyzer Analyzer>
void save(
    basic_bm25_index<Analyzer> const& index, std::string const& path,
    function_ref<void(section_writer&)> add_more = [](section_writer&) {}) {
    detail::stored<basic_bm25_index<Analyzer>>::save(index, path, add_more);
}

TRAWL_END_NAMESPACE
