// SPDX-License-Identifier: MIT
#pragma once

/// trawl::open<bm25_index>(path): the index that trawl::save(index, path) wrote. The header beside
/// each index (trawl/lexical/storage.hpp, …) says how.

#include <string>
#include <utility>

#include <trawl/core/concepts.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// How indexes of a type are opened: static Index open(path, options).
template <class Index>
struct stored;

} // namespace detail

/// Opens an index that was saved. It can be searched and changed like the one that was; the file
/// stays as it is.
/// @throws trawl::error (io; corrupt), its text beginning "PATH: ".
/// @par Complexity O(1) for a lexical index whose ids have no gaps, else O(documents); copying and
/// verifying, if `options` ask for it, read the whole file. The vectors of a dense index are
/// mapped; the lists of an inverted_file_index are copied.
template <class Index>
[[nodiscard]] Index open(std::string const& path, open_options options = {}) {
    return detail::stored<Index>::open(path, options);
}

/// open() for an analyzer that has settings: it must split texts as the index's analyzer did.
/// @throws trawl::error (io; corrupt), its text beginning "PATH: ".
template <class Index, analyzer Analyzer>
[[nodiscard]] Index open(std::string const& path, Analyzer analyzer, open_options options = {}) {
    using stored = detail::stored<Index>;
    return stored::open(
        section_file(path, stored::kind, stored::version, options), std::move(analyzer));
}

TRAWL_END_NAMESPACE
