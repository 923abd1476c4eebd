// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of schema.hpp.

#include <trawl/collection/detail/schema.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/collection/detail/records.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE std::size_t collection_schema::text_number(std::string_view name) const noexcept {
    std::size_t number = 0;
    while (number < texts() && lexical->fields[number].name != name) ++number;
    return number;
}

TRAWL_INLINE std::size_t collection_schema::space_number(std::string_view name) const {
    std::string names;
    for (std::size_t i = 0; i < spaces.size(); ++i) {
        if (spaces[i].name == name) return i;
        names += (i == 0 ? "" : ", ") + spaces[i].name;
    }
    fail(errc::unknown_id,
        join("collection: there is no vector space ", name,
            names.empty() ? "; the collection has none" : "; there are: ", names));
}

[[nodiscard]] TRAWL_INLINE space_schema checked_space(vector_space const& given) {
    auto const dim = given.embedder ? given.embedder.dim() : given.dim;
    if (given.name.empty() || given.name.size() > 255) {
        fail(errc::invalid_argument, join("collection: the name of a vector space has ",
                                         given.name.size(), " bytes, must have 1 to 255"));
    }
    if (dim == 0) {
        fail(errc::invalid_argument,
            join("collection: vector space ", given.name, " has neither dim nor embedder"));
    }
    if (given.dim != 0 && given.dim != dim) {
        fail(errc::dimension_mismatch, join("collection: vector space ", given.name, " has dim ",
                                           given.dim, ", its embedder ", dim));
    }
    return {given.name, dim, given.metric, given.embedder ? given.embedder.fingerprint() : 0,
        given.embedder};
}

[[nodiscard]] TRAWL_INLINE std::shared_ptr<lexical_segment_options const> lexical_options_of(
    std::vector<bm25_field> fields, collection_options const& options) {
    auto made = std::make_shared<lexical_segment_options>();
    made->fields = std::move(fields);
    made->analyzer = options.analyzer;
    made->parameters = options.parameters;
    made->keep = {.positions = options.positions, .surfaces = options.surfaces};
    // Refuses fields and parameters that are out of range.
    static_cast<void>(lexical_segments(made, lexical_dictionary(made->fields.size()), {}, 0));
    return made;
}

TRAWL_INLINE collection_schema collection_schema::of(collection_options const& options) {
    collection_schema made;
    validate(options.fields);
    made.fields = options.fields;
    made.lexical = lexical_options_of(
        options.texts.empty() ? std::vector<bm25_field>{{"title", 2}, {"text"}} : options.texts,
        options);
    for (auto const& space : options.vectors) {
        for (auto const& before : made.spaces) {
            if (before.name == space.name) {
                fail(errc::duplicate_key,
                    join("collection: two vector spaces are called ", space.name));
            }
        }
        made.spaces.push_back(checked_space(space));
    }
    made.analyzer = analyzer_fingerprint(options.analyzer);
    made.chunks = options.chunks;
    return made;
}

TRAWL_INLINE std::string collection_schema::encoded() const {
    record_writer to;
    to.number(analyzer);
    to.number(static_cast<std::uint32_t>(lexical->keep.positions ? 1 : 0));
    to.number(static_cast<std::uint32_t>(lexical->keep.surfaces ? 1 : 0));
    to.number(static_cast<std::uint32_t>(fields.size()));
    for (auto const& field : fields) {
        to.text(field.name);
        to.number(static_cast<std::uint8_t>(field.type));
    }
    to.number(static_cast<std::uint32_t>(texts()));
    for (auto const& field : lexical->fields) {
        to.text(field.name);
        to.number(std::bit_cast<std::uint64_t>(field.weight));
        to.number(static_cast<std::uint8_t>(field.b ? 1 : 0));
        to.number(std::bit_cast<std::uint64_t>(field.b.value_or(0)));
    }
    to.number(static_cast<std::uint32_t>(spaces.size()));
    for (auto const& space : spaces) {
        to.text(space.name);
        to.number(std::uint64_t{space.dim});
        to.number(static_cast<std::uint8_t>(space.metric));
        to.number(space.fingerprint);
    }
    return to.take();
}

[[nodiscard]] TRAWL_INLINE std::string text_names_of(std::vector<bm25_field> const& fields) {
    std::string names;
    for (auto const& field : fields) names += (names.empty() ? "" : ", ") + field.name;
    return names;
}

/// The stored fields and those that the options add.
TRAWL_INLINE void add_fields(
    std::vector<metadata_field>& stored, std::vector<metadata_field> const& given) {
    if (given.empty()) return;
    for (auto const& field : given) {
        metadata_field const* same = nullptr;
        for (auto const& before : stored) same = before.name == field.name ? &before : same;
        if (same == nullptr) {
            stored.push_back(field);
        } else if (same->type != field.type) {
            fail(errc::invalid_argument,
                join("collection: field ", field.name, " is given as ", name_of(field.type),
                    ", but stored as ", name_of(same->type)));
        }
    }
    validate(stored);
}

/// The stored spaces with the embedders that the options bring.
TRAWL_INLINE void add_embedders(
    std::vector<space_schema>& stored, std::vector<vector_space> const& given) {
    for (auto const& each : given) {
        auto const space = checked_space(each);
        space_schema* same = nullptr;
        for (auto& before : stored) same = before.name == space.name ? &before : same;
        if (same == nullptr) {
            fail(errc::invalid_argument, join("collection: it was made without the vector space ",
                                             space.name, "; make a new one to add it"));
        }
        if (same->fingerprint != 0 && space.fingerprint != 0
            && same->fingerprint != space.fingerprint) {
            fail(errc::invalid_argument,
                join("collection: the vectors of space ", space.name,
                    " were made by another embedder (its fingerprint is ", same->fingerprint,
                    ", that of the one given ", space.fingerprint,
                    "): open the collection without an embedder and call refit() with this one"));
        }
        if (same->dim != space.dim || same->metric != space.metric) {
            fail(errc::invalid_argument,
                join("collection: vector space ", space.name, " is given with dim ", space.dim,
                    " and metric ", static_cast<unsigned>(space.metric), ", but stored with ",
                    same->dim, " and ", static_cast<unsigned>(same->metric)));
        }
        if (space.fingerprint != 0) same->fingerprint = space.fingerprint;
        same->embedder = space.embedder;
    }
}

TRAWL_INLINE collection_schema collection_schema::opened(
    section_file const& manifest, collection_options const& options) {
    record_reader from(manifest, "schema");
    collection_schema made;
    made.analyzer = from.number<std::uint64_t>();
    auto const positions = from.number<std::uint32_t>() != 0;
    auto const surfaces = from.number<std::uint32_t>() != 0;
    for (auto n = from.count(); n > 0; --n) {
        auto name = from.text();
        auto const type = from.number<std::uint8_t>();
        if (type >= enum_count<field_type>)
            manifest.fail(join("field ", name, " has the unknown type ", unsigned{type}));
        made.fields.push_back({std::move(name), static_cast<field_type>(type)});
    }
    std::vector<bm25_field> texts;
    for (auto n = from.count(); n > 0; --n) {
        bm25_field field{.name = from.text()};
        field.weight = std::bit_cast<double>(from.number<std::uint64_t>());
        auto const has_b = from.number<std::uint8_t>() != 0;
        auto const b = std::bit_cast<double>(from.number<std::uint64_t>());
        if (has_b) field.b = b;
        texts.push_back(std::move(field));
    }
    for (auto n = from.count(); n > 0; --n) {
        space_schema space;
        space.name = from.text();
        space.dim = static_cast<std::size_t>(from.number<std::uint64_t>());
        auto const how = from.number<std::uint8_t>();
        space.fingerprint = from.number<std::uint64_t>();
        if (space.dim == 0 || space.dim > (std::size_t{1} << 32)
            || how > static_cast<std::uint8_t>(metric::euclidean))
            manifest.fail(join("vector space ", space.name, " has dim ", space.dim, " and metric ",
                unsigned{how}));
        space.metric = static_cast<trawl::metric>(how);
        made.spaces.push_back(std::move(space));
    }
    from.finish();
    if (texts.empty()) manifest.fail("has no text field");
    if (made.analyzer != analyzer_fingerprint(options.analyzer)) {
        fail(
            errc::invalid_argument, join(manifest.path(), ": was made with an analyzer that splits "
                                                          "texts differently than the one given"));
    }
    add_fields(made.fields, options.fields);
    add_embedders(made.spaces, options.vectors);
    if (!options.texts.empty()) {
        // Weights belong to searches and may change; the names may not.
        auto const given = text_names_of(options.texts);
        auto const stored = text_names_of(texts);
        if (given != stored) {
            fail(errc::invalid_argument,
                join("collection: the text fields given are ", given, ", those stored ", stored));
        }
        texts = options.texts;
    }
    auto as_stored = options;
    as_stored.positions = positions;
    as_stored.surfaces = surfaces;
    made.lexical = lexical_options_of(std::move(texts), as_stored);
    made.chunks = options.chunks;
    return made;
}

} // namespace detail
TRAWL_END_NAMESPACE
