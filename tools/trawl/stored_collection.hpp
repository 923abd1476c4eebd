// SPDX-License-Identifier: MIT
#pragma once

/// Collections in directories, as this program makes them: beside the library's files a file
/// trawl.json, which names the analyzer, and the embedder if there is one.

#include <string>
#include <vector>

#include <trawl/collection/collection.hpp>
#include <trawl/embed/lsa.hpp>
#include <trawl/text/analyzers/any_analyzer.hpp>

namespace cli {

using lsa_analysis = trawl::basic_lsa_embedder<trawl::any_analyzer>;

/// The names of the vector spaces of latent semantic analysis and of a model.
inline constexpr char const* lsa_space = "lsa";
inline constexpr char const* model_space = "model";

struct collection_settings {
    std::string analyzer = "standard";
    bool lsa = false;        ///< passages have vectors of latent semantic analysis
    std::string model = {};  ///< or of the model in this folder; empty: they have not
    std::size_t chunk = 200; ///< tokens of a passage; 0: documents are not cut

    [[nodiscard]] bool has_vectors() const noexcept { return lsa || !model.empty(); }
};

/// Whether the model of a collection that has one is opened: to embed documents or queries.
enum class model_use : unsigned char { open, none };

/// Whether there is a collection of this program in the directory.
[[nodiscard]] bool is_collection(std::string const& path);

/// @throws trawl::error (io, parse).
[[nodiscard]] collection_settings read_settings(std::string const& path);
void write_settings(std::string const& path, collection_settings const& settings);

/// Opens a collection.
/// @param fields  that it takes besides those it has.
/// @throws trawl::error (io) if there is none; what its model throws.
[[nodiscard]] trawl::collection open_collection(std::string const& path,
    collection_settings const& settings, bool read_only, model_use use,
    std::vector<trawl::metadata_field> fields = {});

/// Opens a collection that exists, to be read. Its model is left closed.
[[nodiscard]] trawl::collection read_collection(std::string const& path);

/// Fits the analysis to all documents and embeds their passages with it, in one commit.
void refit(
    trawl::collection& documents, std::string const& path, collection_settings const& settings);

} // namespace cli
