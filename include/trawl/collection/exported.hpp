// SPDX-License-Identifier: MIT
#pragma once

/// Documents of a collection as files that any program reads: JSON lines and npy. By nlohmann/json.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/collection/detail/exported_files.hpp>
#include <trawl/collection/document.hpp>
#include <trawl/collection/metadata.hpp>
#include <trawl/collection/view.hpp>

TRAWL_BEGIN_NAMESPACE

/// What export_documents() wrote: all that a collection needs to be made again.
///
///     auto const read = trawl::read_exported("notes.exported");
///     auto again = trawl::collection::open("again.trawl", {.fields = read.fields});
///     again.put_all(read.documents);
///     again.commit();
struct exported_documents {
    std::vector<metadata_field> fields = {};
    std::vector<document> documents = {}; ///< as they were put, in the order of their ids
};

/// Writes the documents of a view to a folder, which it makes:
///
///     documents.jsonl    a document a line: key, title, text, parent, metadata, texts; vector and
///                        vectors, the rows of its vectors in the npy files
///     schema.json        the fields with their types, the names of the vector spaces
///     vector.npy         the vectors that documents brought for the first space; vectors-0.npy,
///                        vectors-1.npy, … those for the others. Vectors that an embedder made are
///                        made again by it.
///
/// Dates are ISO 8601, numbers read back as the same. docs/formats.md has the details.
/// @throws trawl::error (io) if the folder exists or cannot be written; (invalid_argument) naming a
/// document that is not UTF-8. The folder may then hold some of the files.
/// @par Complexity  O(bytes), of time and memory.
inline void export_documents(collection_view const& from, std::string const& folder) {
    detail::exported_writer writer(from.fields());
    auto const now = from.snapshot();
    now.for_each_key([&](std::string_view key) {
        if (auto const found = now.get(key)) writer.add(*found);
        return true;
    });
    writer.write(folder);
}

/// Reads what export_documents() wrote.
/// @throws trawl::error (io); (parse) beginning "FILE:LINE: "; (corrupt, dimension_mismatch) for a row
/// that an npy file does not have.
[[nodiscard]] inline exported_documents read_exported(std::string const& folder) {
    detail::exported_reader reader(folder);
    exported_documents out{.fields = reader.fields()};
    while (auto read = reader.next()) out.documents.push_back(std::move(*read));
    return out;
}

TRAWL_END_NAMESPACE
