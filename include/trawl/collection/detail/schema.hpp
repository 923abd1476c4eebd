// SPDX-License-Identifier: MIT
#pragma once

/// What a collection is made of, as its manifest stores it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/collection/options.hpp>
#include <trawl/dense/metric.hpp>
#include <trawl/lexical/lexical_segments.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// A vector space and its embedder.
struct space_schema {
    std::string name = {};
    std::size_t dim = 0;
    trawl::metric metric = trawl::metric::cosine;
    std::uint64_t fingerprint = 0; ///< of the embedder; 0: vectors were given
    any_embedder embedder = {};    ///< of this process; may be none
};

struct collection_schema {
    std::vector<metadata_field> fields = {};
    std::shared_ptr<lexical_segment_options const> lexical = {};
    std::vector<space_schema> spaces = {};
    std::uint64_t analyzer = 0; ///< its fingerprint
    std::optional<chunk_options> chunks = {};

    [[nodiscard]] std::size_t texts() const noexcept { return lexical->fields.size(); }
    /// The number of the text field of this name; texts() if there is none.
    [[nodiscard]] std::size_t text_number(std::string_view name) const noexcept;
    /// The number of the space of this name.
    /// @throws trawl::error (unknown_id) listing the spaces.
    [[nodiscard]] std::size_t space_number(std::string_view name) const;

    /// That of a new collection.
    /// @throws trawl::error naming what is wrong in the options.
    [[nodiscard]] static collection_schema of(collection_options const& options);

    /// As the manifest holds it; `options` add what no file can hold and further fields.
    /// @throws trawl::error (corrupt); (invalid_argument) naming what the options contradict.
    [[nodiscard]] static collection_schema opened(
        section_file const& manifest, collection_options const& options);

    /// The bytes of the section "schema".
    [[nodiscard]] std::string encoded() const;
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/collection/detail/schema_inl.hpp>
#endif
