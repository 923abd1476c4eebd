// SPDX-License-Identifier: MIT
#pragma once

/// Dense indexes in files: docs/formats.md, "flat_index" and "quantised_index".

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/dense/flat_index.hpp>
#include <trawl/dense/quantised_index.hpp>
#include <trawl/storage/open.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct flat_file_head {
    std::uint64_t rows = 0;
    std::uint64_t dim = 0;
    std::uint32_t metric = 0;
    std::uint32_t element = 0; ///< 0 float, 1 bfloat16, 2 float16
    std::uint32_t next_id = 0;
    std::uint32_t has_vectors = 1;
};

template <vector_element Element>
struct stored<basic_flat_index<Element>> {
    using index = basic_flat_index<Element>;
    static constexpr std::string_view kind = "flat_index";
    static constexpr std::uint32_t version = 1;
    static constexpr std::uint32_t element = std::same_as<Element, float>      ? 0
                                             : std::same_as<Element, bfloat16> ? 1
                                                                               : 2;

    static void save(index const& from, std::string const& path) {
        section_writer writer(kind, version);
        parts const all(from);
        all.add_to(writer);
        writer.write(path);
    }

    [[nodiscard]] static index open(std::string const& path, open_options options) {
        section_file const file(path, kind, version, options);
        auto const head = file.value<flat_file_head>("head");
        if (head.element != element) {
            file.fail(
                join("holds elements of type ", head.element, ", this index has type ", element));
        }
        if (head.has_vectors != 1) file.fail("has no vectors");
        check(file, head);
        index made(head.dim, static_cast<metric>(head.metric));
        fill(made, file, head);
        return made;
    }

    // What is written, as one array each.
    struct parts {
        explicit parts(index const& from)
            : head{.rows = from.store_.rows(),
                .dim = from.dim(),
                .metric = static_cast<std::uint32_t>(from.metric()),
                .element = element,
                .next_id = from.next_id(),
                .has_vectors = from.store_.dim() > 0 ? 1u : 0u},
              source(from),
              vectors(from.store_.contiguous(copied)) {}
        parts(parts const&) = delete;

        void add_to(section_writer& writer) const {
            writer.add("head", std::span(&head, 1));
            writer.add("ids", source.store_.ids());
            writer.add("live", source.store_.live_words());
            writer.add("inverse lengths", std::span(source.inverse_lengths_));
            writer.add("vectors", vectors);
        }

        flat_file_head head;
        index const& source;
        std::vector<Element> copied = {};
        std::span<Element const> vectors;
    };

    static void check(section_file const& file, flat_file_head const& head) {
        if (head.dim == 0 || head.metric > static_cast<std::uint32_t>(metric::euclidean))
            file.fail(join("has dimension ", head.dim, " and metric ", head.metric));
        auto const ids = file.array<doc_id>("ids");
        auto const live = file.array<std::uint64_t>("live");
        auto const vectors = file.array<Element>("vectors").size();
        auto const rows = ids.size();
        // By division: a product of what a file says may overflow.
        bool const fits = head.has_vectors == 0
                              ? vectors == 0
                              : vectors % head.dim == 0 && vectors / head.dim == rows;
        if (head.rows != rows || !fits || live.size() != rows / 64 + (rows % 64 != 0 ? 1 : 0)
            || file.array<double>("inverse lengths").size() != rows) {
            file.fail("its numbers of ids, vectors and lengths are at odds");
        }
        if (rows > 0
            && (ids.back() >= head.next_id || (rows % 64 != 0 && live.back() >> (rows % 64) != 0)))
            file.fail("holds documents from its next id on");
    }

    static void fill(index& made, section_file const& file, flat_file_head const& head) {
        auto const lengths = file.array<double>("inverse lengths");
        for (double const inverse : lengths) {
            if (!is_finite(inverse) || inverse < 0)
                file.fail(join("has the inverse length ", inverse));
        }
        made.inverse_lengths_.assign(lengths.begin(), lengths.end());
        made.store_.restore(head.has_vectors != 0 ? file.array<Element>("vectors").data() : nullptr,
            file.array<doc_id>("ids"), file.array<std::uint64_t>("live"), head.next_id,
            std::make_shared<section_file const>(file));
        if (head.has_vectors == 0) made.store_.drop_values();
        made.store_.for_each_live([&](std::size_t row) { made.count(lengths[row]); });
    }
};

struct quantised_file_head {
    std::uint64_t candidates = 0;
    std::uint64_t prefix = 0;
    std::uint64_t seed = 0;
    std::uint32_t keep_full = 0;
    std::uint32_t coding = 0;
};

template <class Code>
struct stored<quantised_index<Code>> {
    using index = quantised_index<Code>;
    using flat = stored<flat_index>;
    static constexpr std::uint32_t version = 2;

    static std::string kind() { return join(Code::name, "_index"); }

    static void save(index const& from, std::string const& path) {
        section_writer writer(kind(), version);
        flat::parts const full(from.full_);
        full.add_to(writer);
        quantised_file_head const head{from.options_.candidates, from.options_.prefix,
            from.options_.seed, from.options_.keep_full ? 1u : 0u, from.coding_ ? 1u : 0u};
        writer.add("code head", std::span(&head, 1));
        writer.add("codes", std::span(from.coded_.codes));
        writer.add("slopes", std::span(from.coded_.slopes));
        writer.add("bases", std::span(from.coded_.bases));
        writer.add("centre", from.code_.centre());
        writer.write(path);
    }

    [[nodiscard]] static index open(std::string const& path, open_options options) {
        section_file const file(path, kind(), version, options);
        auto const flat_head = file.value<flat_file_head>("head");
        auto const head = file.value<quantised_file_head>("code head");
        if (flat_head.element != 0) file.fail("holds vectors that are not float");
        flat::check(file, flat_head);
        auto const centre = file.array<float>("centre");
        auto const coded_dim = head.prefix == 0 ? flat_head.dim : head.prefix;
        if (head.prefix > flat_head.dim || head.candidates == 0 || head.keep_full > 1
            || head.coding > 1 || (Code::sample > 0 && centre.size() != coded_dim)
            || (head.coding == 0 && (flat_head.has_vectors == 0 || Code::sample == 0)))
            file.fail("its options are at odds");
        index made(flat_head.dim, {static_cast<metric>(flat_head.metric), head.candidates,
                                      head.prefix, head.keep_full != 0, head.seed});
        auto const rows = head.coding != 0 ? file.array<doc_id>("ids").size() : 0;
        auto const codes = file.array<std::byte>("codes");
        auto const slopes = file.array<float>("slopes");
        auto const bases = file.array<float>("bases");
        if (slopes.size() != rows || bases.size() != rows || codes.size() != made.code_.bytes(rows))
            file.fail("its numbers of codes and documents are at odds");
        for (auto const values : {slopes, bases, centre}) {
            if (first_not_finite(values) != values.size())
                file.fail("has factors that are not finite");
        }
        flat::fill(made.full_, file, flat_head);
        made.code_.centre(centre);
        made.coded_.codes.assign(codes.begin(), codes.end());
        made.coded_.slopes.assign(slopes.begin(), slopes.end());
        made.coded_.bases.assign(bases.begin(), bases.end());
        made.coding_ = head.coding != 0;
        return made;
    }
};

} // namespace detail

/// Writes an index to a file, in one step: whoever reads the file at that time sees the old one or
/// the whole new one. Erased documents that are not compacted are written too.
/// @throws trawl::error (io), its text beginning "PATH: "; an old file then stays as it was.
/// @par Complexity O(bytes).
template <vector_element Element>
void save(basic_flat_index<Element> const& index, std::string const& path) {
    detail::stored<basic_flat_index<Element>>::save(index, path);
}

template <class Code>
void save(quantised_index<Code> const& index, std::string const& path) {
    detail::stored<quantised_index<Code>>::save(index, path);
}

TRAWL_END_NAMESPACE
