// SPDX-License-Identifier: MIT
#pragma once

/// Segments of lexical_segments in files: docs/formats.md, "collection".

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/error.hpp>
#include <trawl/lexical/detail/segments/field_sections.hpp>
#include <trawl/lexical/detail/segments/segment.hpp>
#include <trawl/lexical/detail/segments/term_dictionary.hpp>
#include <trawl/storage/sections.hpp>

#include <trawl/detail/counted_ptr.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct field_segment_head {
    std::uint64_t total_length = 0;
    std::uint32_t longest = 0;
    std::uint32_t first_term = 0; ///< the first term id that is new in the segment
    std::uint32_t terms = 0;      ///< how many are
    std::uint32_t whole = 0;      ///< 1: all terms are here, with their hash table
};

/// A field of a segment that is to be written.
struct new_field_segment {
    counted_ptr<segment const> rows = {};
    field_segment_head head = {};
    std::string text = {};
    buffer<std::uint64_t> ends = {}; ///< of the terms, in the text; 0 before the first
    buffer<std::uint64_t> bounds = {};
    buffer<std::uint64_t> slots = {};
    buffer<std::uint64_t> no_lists = {};

    void add_term(std::string_view term) {
        text.append(term);
        ends.push_back(text.size());
        ++head.terms;
    }

    /// Makes the arrays that are written.
    void finish(bool positions) {
        ends.insert(0, 0);
        bounds = ascending_numbers::packed(ends);
        for (auto const length : rows->lengths()) head.total_length += length;
        head.longest = rows->longest();
        if (head.whole != 0) slots = packed_slots(text, ends);
        if (positions && !rows->has_positions()) no_lists = ascending_numbers::packed({});
    }

    void add_to(section_writer& writer, std::string_view prefix, bool positions) const {
        auto const add = [&](std::string_view name, auto const& values) {
            writer.add(join(prefix, name), std::span(values.data(), values.size()));
        };
        add("head", array_ref<field_segment_head const>(&head, 1));
        add("term text", text);
        add("term bounds", bounds);
        if (head.whole != 0) add("term slots", slots);
        add_lists(writer, prefix, rows->all(), positions ? &no_lists : nullptr);
    }
};

struct new_lexical_segment {
    std::vector<new_field_segment> fields;
    bool positions = false;
};

/// A field of a segment in a file.
struct opened_field_segment {
    field_segment_head head = {};
    counted_ptr<segment const> rows = {};
    frozen_terms terms = {}; ///< those that are new; slots only of a whole segment

    /// Opens the sections that begin with the prefix.
    /// @param keep  keeps the file open.
    opened_field_segment(std::shared_ptr<section_file const> const& keep, std::string_view prefix,
        doc_id first_id, std::span<doc_id const> ids, std::size_t count) {
        auto const& file = *keep;
        head = file.value<field_segment_head>(join(prefix, "head"));
        auto const all = opened_lists(file, prefix, first_id, ids, head.longest, count);
        auto const bounds = opened_ascending(file, prefix, "term bounds");
        if (all.lengths.size() != count || bounds.size() != std::size_t{head.terms} + 1
            || head.first_term > 0xFFFFFFC0u - head.terms || head.whole > 1
            || (head.whole != 0 && head.first_term != 0)) {
            file.fail("its numbers of rows, lengths or terms contradict each other");
        }
        terms = {file.array<char>(join(prefix, "term text")), bounds, {}};
        if (head.whole != 0) terms.slots = opened_slots(file, prefix, head.terms);
        rows = counted_ptr<segment const>::make(all, owner::of(keep));
    }

    /// Checks what opening leaves unchecked.
    void verify(section_file const& file, std::string_view prefix) const {
        std::uint64_t total = 0;
        std::uint32_t longest = 0;
        for (auto const length : rows->lengths()) {
            total += length;
            longest = (std::max)(longest, length);
        }
        if (total != head.total_length || longest != head.longest)
            file.fail(join("its lengths of field ", prefix, "do not add up"));
        auto const& lists = rows->lists();
        auto const known = std::uint64_t{head.first_term} + head.terms;
        for (std::size_t i = 0; i < lists.size(); ++i) {
            if (lists.term(i) >= known || (i > 0 && lists.term(i) <= lists.term(i - 1)))
                file.fail(join("its lists of field ", prefix, "are out of order"));
        }
        for (std::uint32_t id = 0; head.whole != 0 && id < head.terms; ++id) {
            auto const term = terms.term(id);
            if (terms.find(term, hash_of_term(term)) != id)
                file.fail(join("its table of the terms of field ", prefix, "is damaged"));
        }
    }
};

struct opened_lexical_segment {
    std::shared_ptr<section_file const> file;
    std::vector<opened_field_segment> fields;
};

} // namespace detail
TRAWL_END_NAMESPACE
