// SPDX-License-Identifier: MIT
#pragma once

/// Lexical indexes of fields in files: docs/formats.md, "bm25f_index".

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <trawl/core/concepts.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/lexical/bm25f_index.hpp>
#include <trawl/lexical/detail/lexical_file.hpp>
#include <trawl/lexical/storage.hpp>
#include <trawl/storage/open.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

template <analyzer Analyzer>
struct stored<basic_bm25f_index<Analyzer>> {
    using index = basic_bm25f_index<Analyzer>;
    static constexpr std::string_view kind = "bm25f_index";
    static constexpr std::uint32_t version = lexical_file::version;

    static void save(
        index const& from, std::string const& path, function_ref<void(section_writer&)> add_more) {
        lexical_file::save(from.engine_, from.analyze(), path, add_more);
    }

    [[nodiscard]] static index open(std::string const& path, open_options options) {
        return open(section_file(path, kind, version, options), Analyzer());
    }

    [[nodiscard]] static index open(section_file const& file, Analyzer analyzer) {
        auto opened = lexical_file::open_fields(file, analyzer_ref(analyzer));
        return index(std::move(analyzer), std::move(opened));
    }
};

} // namespace detail

/// Writes an index of fields to a file, as save of a bm25_index does.
/// @throws trawl::error (io), its text beginning "PATH: "; an old file then stays as it was.
template <analyzer Analyzer>
void save(
    basic_bm25f_index<Analyzer> const& index, std::string const& path,
    function_ref<void(section_writer&)> add_more = [](section_writer&) {}) {
    detail::stored<basic_bm25f_index<Analyzer>>::save(index, path, add_more);
}

TRAWL_END_NAMESPACE
