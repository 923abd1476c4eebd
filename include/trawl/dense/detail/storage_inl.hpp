// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of storage.hpp.

#include <trawl/dense/storage.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include <trawl/core/words.hpp>
#include <trawl/dense/detail/coded_rows.hpp>
#include <trawl/dense/detail/flat_file.hpp>
#include <trawl/dense/detail/quantised_engine.hpp>
#include <trawl/dense/detail/vector_encoder.hpp>
#include <trawl/dense/detail/vector_table.hpp>
#include <trawl/dense/vector_code.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

inline constexpr char flat_file_kind[] = "flat_index";
inline constexpr std::uint32_t flat_file_version = 1;

TRAWL_INLINE void save_flat(vector_table const& table, std::string const& path) {
    if (table.documents().rows() != table.documents().live()) {
        auto compact = table;
        compact.prepare_compact();
        compact.compact();
        return save_flat(compact, path);
    }
    section_writer writer(flat_file_kind, flat_file_version);
    flat_sections const all(table);
    all.add_to(writer);
    writer.write(path);
}

TRAWL_INLINE void open_flat(vector_table& table, std::string const& path, open_options options) {
    section_file const file(path, flat_file_kind, flat_file_version, options);
    auto const head = checked_head(file);
    if (head.element != static_cast<std::uint32_t>(table.element())) {
        file.fail(join("holds elements of type ", head.element, ", this index has type ",
            static_cast<std::uint32_t>(table.element())));
    }
    if (head.has_vectors != 1) file.fail("has no vectors");
    vector_table made(table.index(), static_cast<metric>(head.metric), head.dim, table.element());
    restore(made, file, head);
    table = std::move(made);
}

struct quantised_file_head {
    std::uint64_t candidates = 0;
    std::uint64_t prefix = 0;
    std::uint64_t seed = 0;
    std::uint32_t keep_full = 0;
    std::uint32_t coding = 0;
};

// int8 codes had no centre before version 3: it was 0.
struct quantised_file_kind {
    char const* name;
    std::uint32_t version;

    explicit quantised_file_kind(code_kind kind)
        : name(kind == code_kind::int8 ? "int8_index" : "one_bit_index"),
          version(kind == code_kind::int8 ? 3 : 2) {}
};

TRAWL_INLINE void quantised_file::save(
    quantised_engine const& from, code_kind kind, std::string const& path) {
    if (from.table().documents().rows() != from.table().documents().live()) {
        auto compact = from;
        compact.drop_erased();
        return save(compact, kind, path);
    }
    quantised_file_kind const is(kind);
    section_writer writer(is.name, is.version);
    flat_sections const full(from.table());
    full.add_to(writer);
    quantised_file_head const head{from.options_.candidates, from.options_.prefix,
        from.options_.seed, from.options_.keep_full ? 1u : 0u, from.coding_ ? 1u : 0u};
    writer.add("code head", std::span(&head, 1));
    writer.add("codes", std::span(from.coded_.codes.data(), from.coded_.codes.size()));
    writer.add("slopes", std::span(from.coded_.slopes));
    writer.add("bases", std::span(from.coded_.bases));
    writer.add("centre", from.encoder_.centre());
    writer.write(path);
}

TRAWL_INLINE void quantised_file::open(quantised_engine& engine, code_kind kind,
    char const* code_name, std::size_t candidates, std::string const& path, open_options options) {
    quantised_file_kind const is(kind);
    section_file const file(path, is.name, is.version, options);
    auto const flat_head = checked_head(file);
    auto const head = file.value<quantised_file_head>("code head");
    if (flat_head.element != 0) file.fail("holds vectors that are not float");
    auto const centre = file.array<float>("centre");
    auto const coded_dim = head.prefix == 0 ? flat_head.dim : head.prefix;
    if (head.prefix > flat_head.dim || head.candidates == 0 || head.keep_full > 1 || head.coding > 1
        || coded_dim > vector_encoder::largest_dim(kind)
        || (centre.size() != coded_dim
            && !(kind == code_kind::int8 && file.version() < 3 && centre.empty()))
        || (head.coding == 0 && flat_head.has_vectors == 0))
        file.fail("its options contradict each other");
    quantised_engine made(kind, code_name, candidates, flat_head.dim,
        {static_cast<metric>(flat_head.metric), head.candidates, head.prefix, head.keep_full != 0,
            head.seed});
    auto const rows = head.coding != 0 ? file.array<doc_id>("ids").size() : 0;
    auto const codes = file.array<std::byte>("codes");
    auto const slopes = file.array<float>("slopes");
    auto const bases = file.array<float>("bases");
    if (slopes.size() != rows || bases.size() != rows || codes.size() != made.encoder_.bytes(rows))
        file.fail("its numbers of codes and documents contradict each other");
    for (auto const values : {slopes, bases, centre}) {
        if (first_not_finite(values) != values.size()) file.fail("has factors that are not finite");
    }
    restore(made.table(), file, flat_head);
    made.encoder_.set_centre(centre);
    if (!codes.empty()) {
        made.coded_.codes.reserve_more(codes.size());
        std::memcpy(made.coded_.codes.append(codes.size()), codes.data(), codes.size());
    }
    made.coded_.slopes.assign(slopes.begin(), slopes.end());
    made.coded_.bases.assign(bases.begin(), bases.end());
    made.coding_ = head.coding != 0;
    engine = std::move(made);
}

} // namespace detail
TRAWL_END_NAMESPACE
