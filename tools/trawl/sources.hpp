// SPDX-License-Identifier: MIT
#pragma once

/// Documents as files have them: a folder of markdown and text, or lines of JSON.

#include <string>
#include <vector>

#include <trawl/collection/document.hpp>
#include <trawl/collection/metadata.hpp>

namespace cli {

/// The field that holds where a document was read from.
inline constexpr char const* source_field = "source";

/// Documents and the fields that their metadata has, types inferred from the values.
struct read_documents {
    std::vector<trawl::document> documents = {};
    std::vector<trawl::metadata_field> fields = {};
};

/// Reads a folder, with its subfolders: each *.md, *.markdown and *.txt is a document, its key the
/// path below the folder; front matter is metadata. Or reads a jsonl file: _id (or key), title, text,
/// and the other members as metadata.
/// @param known  fields whose types are settled.
/// @throws trawl::error (io; parse), "FILE:LINE: " before its text.
[[nodiscard]] read_documents read_source(
    std::string const& path, std::vector<trawl::metadata_field> const& known);

} // namespace cli
