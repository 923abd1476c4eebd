// SPDX-License-Identifier: MIT
#pragma once

/// Lexical indexes in files: docs/formats.md, "bm25_index". Those of fields: bm25f_storage.hpp.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <trawl/core/function_ref.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/lexical/detail/segments/index_sections.hpp>
#include <trawl/storage/open.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

template <analyzer Analyzer>
struct stored<basic_bm25_index<Analyzer>> {
    using index = basic_bm25_index<Analyzer>;
    static constexpr std::string_view kind = "bm25_index";
    static constexpr std::uint32_t version = 1;

    static void save(
        index const& from, std::string const& path, function_ref<void(section_writer&)> add_more) {
        auto const moment = from.index_.read();
        saved_index const arrays(*moment, from.options_.positions);
        bm25_file_head head{.documents = moment->live,
            .total_length = moment->total_length,
            .analyzer = fingerprint(from.analyzer_),
            .first_id = arrays.all().first_id,
            .next_id = moment->next_id,
            .longest = arrays.all().longest};
        head.set(from.parameters_);
        section_writer writer(kind, version);
        writer.add("head", std::span(&head, 1));
        writer.add("ids", arrays.all().ids);
        arrays.add_to(writer, "");
        add_more(writer);
        writer.write(path);
    }

    [[nodiscard]] static index open(std::string const& path, open_options options) {
        return open(section_file(path, kind, version, options), Analyzer());
    }

    [[nodiscard]] static index open(section_file const& file, Analyzer analyzer) {
        auto const head = file.value<bm25_file_head>("head");
        check_analyzer(file, head, analyzer);
        index made(std::move(analyzer), head.get(file), {.positions = file.has("positions")});
        made.index_ = inverted_index(opened_index(file, "", head, head.total_length, head.longest));
        return made;
    }
};

} // namespace detail

/// Writes an index to a file, in one step: whoever reads the file at that time sees the old one or
/// the whole new one. Searches and changes may go on meanwhile; what is written is the index at the
/// beginning. Segments are merged and erased documents left out, in memory, unless the index is
/// compact.
///
/// `add_more` may put sections of the caller's own into the file, of names that begin with "my ".
/// @throws trawl::error (io), its text beginning "PATH: "; an old file then stays as it was.
/// @par Complexity O(postings).
template <analyzer Analyzer>
void save(
    basic_bm25_index<Analyzer> const& index, std::string const& path,
    function_ref<void(section_writer&)> add_more = [](section_writer&) {}) {
    detail::stored<basic_bm25_index<Analyzer>>::save(index, path, add_more);
}

/// open() for analyzers that must be told something: it must split texts as the index's did.
/// @throws trawl::error (io; corrupt).
template <class Index, analyzer Analyzer>
[[nodiscard]] Index open(std::string const& path, Analyzer analyzer, open_options options = {}) {
    using stored = detail::stored<Index>;
    return stored::open(
        section_file(path, stored::kind, stored::version, options), std::move(analyzer));
}

TRAWL_END_NAMESPACE
