// SPDX-License-Identifier: MIT
#pragma once

/// Indexes in files, whatever their fields and analyzer.

#include <cstdint>
#include <string>
#include <vector>

#include <trawl/core/function_ref.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/counted_ptr.hpp>
#include <trawl/lexical/detail/lexical_engine.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Tells analyzers apart: a checksum of the tokens and positions that the analyzer makes of a
/// sample text, on which those of the library differ.
[[nodiscard]] std::uint64_t fingerprint(analyzer_ref analyze);

class lexical_file {
public:
    static constexpr std::uint32_t version = 1; ///< of both kinds

    /// What trawl::save does.
    static void save(lexical_engine const& from, analyzer_ref analyze, std::string const& path,
        function_ref<void(section_writer&)> add_more);

    /// What trawl::open does with a file of the kind "bm25_index".
    [[nodiscard]] static lexical_engine open(section_file const& file, analyzer_ref analyze);

    /// What trawl::open does with a file of the kind "bm25f_index".
    [[nodiscard]] static lexical_engine open_fields(section_file const& file, analyzer_ref analyze);

private:
    [[nodiscard]] static lexical_engine opened(section_file const& file, analyzer_ref analyze,
        std::vector<bm25_field> fields, buffer<counted_ptr<index_snapshot const>> begin);
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/lexical/detail/lexical_file_inl.hpp>
#endif
