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
#include <trawl/lexical/detail/segments/segment.hpp>
#include <trawl/lexical/detail/segments/term_dictionary.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct field_segment_head {
    std::uint64_t total_length = 0;
    std::uint32_t longest = 0;
    std::uint32_t first_term = 0; ///< the first term id that is new in the segment
    std::uint32_t terms = 0;      ///< how many are
    std::uint32_t whole = 0;      ///< 1: all terms are here, with their hash table
};

/// What the names of a field's sections begin with: two bytes, for a name has 16 and "position
/// lists" 14.
[[nodiscard]] inline std::string field_section_prefix(std::size_t field) {
    return field < 10 ? join(field, " ") : join(field);
}

/// A field of a segment that is to be written.
struct new_field_segment {
    std::shared_ptr<segment const> rows = {};
    field_segment_head head = {};
    std::string text = {};
    std::vector<std::uint64_t> ends = {}; ///< of the terms, in the text; 0 before the first
    std::vector<std::uint64_t> bounds = {};
    std::vector<std::uint64_t> slots = {};
    std::vector<std::uint64_t> no_lists = {};

    void add_term(std::string_view term) {
        text.append(term);
        ends.push_back(text.size());
        ++head.terms;
    }

    /// Makes the arrays that are written.
    void finish(bool positions) {
        ends.insert(ends.begin(), 0);
        bounds = ascending_numbers::packed(ends);
        for (auto const length : rows->lengths()) head.total_length += length;
        head.longest = rows->longest();
        if (head.whole != 0) hash();
        if (positions && !rows->has_positions()) no_lists = ascending_numbers::packed({});
    }

    void add_to(section_writer& writer, std::string_view prefix, bool positions) const {
        auto const add = [&]<class T>(std::string_view name, std::span<T const> values) {
            writer.add(join(prefix, name), values);
        };
        auto const& all = rows->all();
        add("head", std::span<field_segment_head const>(&head, 1));
        add("term text", std::span<char const>(text));
        add("term bounds", std::span<std::uint64_t const>(bounds));
        if (head.whole != 0) add("term slots", std::span<std::uint64_t const>(slots));
        add("lengths", all.lengths);
        add("terms", all.lists.terms);
        add("lists", all.lists.begins.words());
        add("headers", all.lists.headers);
        add("postings", all.lists.bytes);
        if (!positions) return;
        add("positions", all.positions.bytes);
        auto const begins = all.positions.begins.words();
        add("position lists", begins.empty() ? std::span<std::uint64_t const>(no_lists) : begins);
    }

private:
    void hash() {
        auto const all = frozen_terms::slots_of(head.terms);
        std::vector<std::uint32_t> numbered(all); // term id + 1
        for (std::uint32_t id = 0; id < head.terms; ++id) {
            auto const term = std::string_view(text).substr(ends[id], ends[id + 1] - ends[id]);
            auto at = frozen_terms::first_slot(hash_of_term(term), all);
            while (numbered[at] != 0) at = at + 1 < all ? at + 1 : 0;
            numbered[at] = id + 1;
        }
        packed_numbers::writer packed(slots, all, frozen_terms::slot_width(head.terms));
        for (std::size_t at = 0; at < all; ++at) packed.set(at, numbered[at]);
    }
};

struct new_lexical_segment {
    std::vector<new_field_segment> fields;
    bool positions = false;
};

/// A field of a segment in a file.
struct opened_field_segment {
    field_segment_head head = {};
    std::shared_ptr<segment const> rows = {};
    frozen_terms terms = {}; ///< those that are new; slots only of a whole segment

    /// Opens the sections that begin with the prefix.
    /// @param keep  keeps the file open.
    opened_field_segment(std::shared_ptr<section_file const> const& keep, std::string_view prefix,
        doc_id first_id, std::span<doc_id const> ids, std::size_t count) {
        auto const& file = *keep;
        auto const ascending = [&](std::string_view name, bool may_be_empty = false) {
            auto const words = file.array<std::uint64_t>(join(prefix, name));
            ascending_numbers const found(words);
            if (found.words().empty() && !(may_be_empty && words.empty()))
                file.fail(join("section ", prefix, name, " holds no ascending numbers"));
            return found;
        };
        head = file.value<field_segment_head>(join(prefix, "head"));
        segment::arrays all{.first_id = first_id,
            .ids = ids,
            .lengths = file.array<std::uint32_t>(join(prefix, "lengths")),
            .longest = head.longest,
            .lists = {file.array<std::uint32_t>(join(prefix, "terms")), ascending("lists"),
                file.array<block_header>(join(prefix, "headers")),
                file.array<unsigned char>(join(prefix, "postings")),
                static_cast<std::uint32_t>(count)}};
        if (file.has(join(prefix, "positions"))) {
            all.positions = {ascending("position lists", all.lists.size() == 0),
                file.array<unsigned char>(join(prefix, "positions"))};
            if (all.positions.begins.size() != all.lists.size()) {
                file.fail(join("has ", all.lists.size(), " lists, but positions of ",
                    all.positions.begins.size()));
            }
        }
        if (!all.lists.terms.empty() && all.lists.terms.size() != all.lists.size()) {
            file.fail(join("has ", all.lists.terms.size(), " terms with lists, but ",
                all.lists.size(), " lists"));
        }
        auto const bounds = ascending("term bounds");
        if (all.lengths.size() != count || bounds.size() != std::size_t{head.terms} + 1
            || head.first_term > 0xFFFFFFC0u - head.terms || head.whole > 1
            || (head.whole != 0 && head.first_term != 0)) {
            file.fail("its numbers of rows, lengths or terms contradict each other");
        }
        terms = {file.array<char>(join(prefix, "term text")), bounds, {}};
        if (head.whole != 0) {
            auto const slots = file.array<std::uint64_t>(join(prefix, "term slots"));
            auto const width = frozen_terms::slot_width(head.terms);
            if (slots.size() != packed_numbers::words_of(frozen_terms::slots_of(head.terms), width))
                file.fail("its numbers of terms and of their slots contradict each other");
            terms.slots = {slots, width};
        }
        rows = std::make_shared<segment const>(all, keep);
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
