// SPDX-License-Identifier: MIT
#pragma once

/// The sections that a field has in every kind of lexical file: docs/formats.md, "bm25_index".

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <trawl/core/words.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/error.hpp>
#include <trawl/lexical/detail/postings/ascending_numbers.hpp>
#include <trawl/lexical/detail/postings/packed_numbers.hpp>
#include <trawl/lexical/detail/segments/segment.hpp>
#include <trawl/lexical/detail/segments/term_dictionary.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// What the names of a field's sections begin with: two bytes, for a name may have 16 and "position
/// lists" has 14.
[[nodiscard]] inline std::string field_section_prefix(std::size_t field) {
    return field < 10 ? join(field, " ") : join(field);
}

/// The hash table of terms, as frozen_terms reads it.
/// @param text  of all terms
/// @param ends  of the terms in it, after a 0
[[nodiscard]] inline buffer<std::uint64_t> packed_slots(
    std::string_view text, array_ref<std::uint64_t const> ends) {
    auto const terms = ends.size() - 1;
    auto const all = frozen_terms::slots_of(terms);
    buffer<std::uint32_t> numbered(all); // term id + 1
    for (std::size_t id = 0; id < terms; ++id) {
        auto const term = text.substr(
            static_cast<std::size_t>(ends[id]), static_cast<std::size_t>(ends[id + 1] - ends[id]));
        auto at = frozen_terms::first_slot(hash_of_term(term), all);
        while (numbered[at] != 0) at = at + 1 < all ? at + 1 : 0;
        numbered[at] = static_cast<std::uint32_t>(id + 1);
    }
    buffer<std::uint64_t> slots;
    packed_numbers::writer packed(slots, all, frozen_terms::slot_width(terms));
    for (std::size_t at = 0; at < all; ++at) packed.set(at, numbered[at]);
    return slots;
}

/// Adds the rows and lists of a field.
/// @param no_lists  what stands for the position lists of a field without a term; null: positions are
/// not kept.
inline void add_lists(section_writer& writer, std::string_view prefix, segment::arrays const& all,
    buffer<std::uint64_t> const* no_lists) {
    auto const add = [&](std::string_view name, auto const& values) {
        writer.add(join(prefix, name), std::span(values.data(), values.size()));
    };
    add("lengths", all.lengths);
    add("terms", all.lists.terms);
    add("lists", all.lists.begins.words());
    add("headers", all.lists.headers);
    add("postings", all.lists.bytes);
    if (no_lists == nullptr) return;
    add("positions", all.positions.bytes);
    auto const begins = all.positions.begins.words();
    add("position lists", begins.empty() ? array_ref<std::uint64_t const>(*no_lists) : begins);
}

/// @throws trawl::error (corrupt) if the section holds no ascending numbers.
[[nodiscard]] inline ascending_numbers opened_ascending(section_file const& file,
    std::string_view prefix, std::string_view name, bool may_be_empty = false) {
    auto const words = file.array<std::uint64_t>(join(prefix, name));
    ascending_numbers const found(words);
    if (found.words().empty() && !(may_be_empty && words.empty()))
        file.fail(join("section ", prefix, name, " holds no ascending numbers"));
    return found;
}

/// The rows and lists of a field. The caller checks their number.
/// @throws trawl::error (corrupt) if sections are missing or contradict each other.
[[nodiscard]] inline segment::arrays opened_lists(section_file const& file, std::string_view prefix,
    doc_id first_id, array_ref<doc_id const> ids, std::uint32_t longest, std::size_t rows) {
    segment::arrays all{.first_id = first_id,
        .ids = ids,
        .lengths = file.array<std::uint32_t>(join(prefix, "lengths")),
        .longest = longest,
        .lists = {file.array<std::uint32_t>(join(prefix, "terms")),
            opened_ascending(file, prefix, "lists"),
            file.array<block_header>(join(prefix, "headers")),
            file.array<unsigned char>(join(prefix, "postings")), static_cast<std::uint32_t>(rows)}};
    if (file.has(join(prefix, "positions"))) {
        // Version 0.1 wrote an empty section for a field without a term.
        all.positions = {opened_ascending(file, prefix, "position lists", all.lists.size() == 0),
            file.array<unsigned char>(join(prefix, "positions"))};
        if (all.positions.begins.size() != all.lists.size()) {
            file.fail(join("has ", all.lists.size(), " lists, but positions of ",
                all.positions.begins.size()));
        }
    }
    if (!all.lists.terms.empty() && all.lists.terms.size() != all.lists.size()) {
        file.fail(join(
            "has ", all.lists.terms.size(), " terms with lists, but ", all.lists.size(), " lists"));
    }
    return all;
}

/// The hash table of terms.
/// @throws trawl::error (corrupt) if it has another size than theirs.
[[nodiscard]] inline packed_numbers opened_slots(
    section_file const& file, std::string_view prefix, std::size_t terms) {
    auto const slots = file.array<std::uint64_t>(join(prefix, "term slots"));
    auto const width = frozen_terms::slot_width(terms);
    if (slots.size() != packed_numbers::words_of(frozen_terms::slots_of(terms), width))
        file.fail("its numbers of terms and of their slots contradict each other");
    return {slots, width};
}

} // namespace detail
TRAWL_END_NAMESPACE
