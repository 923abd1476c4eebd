// SPDX-License-Identifier: MIT
#pragma once

/// Makes the next snapshot of one field of an index.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/words.hpp>
#include <trawl/lexical/detail/segments/field_document.hpp>
#include <trawl/lexical/detail/segments/index_snapshot.hpp>
#include <trawl/lexical/detail/segments/segment_builder.hpp>
#include <trawl/lexical/detail/segments/segment_merge.hpp>
#include <trawl/lexical/detail/sorting.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// New documents go to a tail of 64; a full one becomes a segment, and eight segments of a size one
/// of the next: a document is moved O(log n) times, and there are at most 7 segments of each size.
/// A segment of which half is erased is rewritten. Where a document ends up depends on the ids
/// alone, not on the texts: so all fields of an index have it in the same place.
class field_writer {
public:
    using number = index_snapshot::number;
    using reader = std::shared_ptr<index_snapshot const>;

    /// @param now  the snapshot to start from.
    explicit field_writer(reader now) : before_(std::move(now)), next_(*before_) {}

    [[nodiscard]] index_snapshot const& state() const noexcept { return next_; }

    /// Gives new terms their ids.
    [[nodiscard]] term_dictionary& terms() noexcept { return *next_.dictionary; }

    /// Adds a document.
    /// @param id  of no live document.
    void append(doc_id id, field_document const& document) {
        if (next_.tail == nullptr || next_.tail_size == index_tail::capacity) seal();
        auto& slot = next_.tail->documents[next_.tail_size];
        slot = counted(document.terms, document.positions);
        slot.id = id;
        slot.length = document.length;
        next_.tail_live |= std::uint64_t{1} << next_.tail_size++;
        next_.next_id = (std::max)(next_.next_id, id + 1);
        ++next_.live;
        next_.total_length += document.length;
    }

    /// Adds documents that are a segment already, their ids above all others.
    void append(std::shared_ptr<segment const> documents, executor const* pool) {
        seal();
        next_.next_id = documents->id(documents->rows() - 1) + 1;
        next_.live += documents->rows();
        for (auto const length : documents->lengths()) next_.total_length += length;
        auto parts = *next_.parts;
        parts.push_back({.rows = std::move(documents)});
        merge_small(parts, pool);
        set(std::move(parts));
    }

    /// Removes a live document.
    void remove(index_snapshot::location at) {
        --next_.live;
        next_.total_length -= next_.length(at);
        if (at.part == next_.parts->size()) {
            next_.tail_live &= ~(std::uint64_t{1} << at.row);
            return;
        }
        auto parts = *next_.parts;
        auto& part = parts[at.part];
        part.erase(at.row);
        if (2 * part.dead > part.rows->rows()) merge(parts, at.part, at.part + 1, nullptr);
        set(std::move(parts));
    }

    /// Makes one segment of all documents and drops the terms that none of them holds.
    void compact(executor const* pool) {
        seal();
        auto parts = *next_.parts;
        if (parts.size() > 1 || (parts.size() == 1 && parts[0].dead > 0)) {
            merge(parts, 0, parts.size(), pool);
        }
        drop_unused_terms(parts, pool);
        set(std::move(parts));
    }

    /// compact(), and also unpacks the lists of frequent terms.
    void freeze(executor const* pool) {
        compact(pool);
        auto parts = *next_.parts;
        for (auto& part : parts) {
            if (!part.frequent)
                part.frequent = std::make_shared<count_table const>(*part.rows, pool);
        }
        set(std::move(parts));
    }

    /// The next snapshot; the writer must not be used after it.
    [[nodiscard]] reader finish() {
        next_.terms = next_.dictionary->size();
        next_.slots = next_.dictionary->current_slots();
        return std::make_shared<index_snapshot const>(std::move(next_));
    }

    /// Takes the terms back that were added in vain: the snapshot to start from stays the newest.
    void abandon() noexcept { before_->dictionary->truncate(before_->terms); }

private:
    void set(std::vector<index_part> parts) {
        next_.parts = std::make_shared<std::vector<index_part> const>(std::move(parts));
    }

    /// Makes a segment of the tail, merges segments where there are many and begins a new tail.
    void seal() {
        if (auto documents = next_.tail_segment()) {
            auto parts = *next_.parts;
            parts.push_back({.rows = std::move(documents)});
            merge_small(parts, nullptr);
            set(std::move(parts));
        }
        next_.tail = std::make_shared<index_tail>();
        next_.tail_size = 0;
        next_.tail_live = 0;
    }

    static void merge_small(std::vector<index_part>& parts, executor const* pool) {
        constexpr std::size_t fan = 8;
        auto const size_class = [](index_part const& part) { // rows: 64, 512, 4096 …
            return (static_cast<int>(std::bit_width(part.rows->rows() / 64 | 1u)) - 1) / 3;
        };
        for (int size = 0; size < 10; ++size) {
            auto last = parts.size();
            while (last > 0 && size_class(parts[last - 1]) < size) --last;
            auto first = last;
            while (first > 0 && size_class(parts[first - 1]) <= size) --first;
            if (last - first >= fan) merge(parts, first, last, pool);
        }
    }

    static void merge(
        std::vector<index_part>& parts, std::size_t first, std::size_t last, executor const* pool) {
        std::vector<segment_merge::input> inputs;
        for (auto part = first; part < last; ++part) {
            inputs.push_back({parts[part].rows.get(), parts[part].live.get()});
        }
        index_part merged{.rows = segment_merge(inputs).run(pool)};
        std::vector<index_part> made;
        made.reserve(parts.size());
        for (std::size_t part = 0; part < parts.size(); ++part) {
            if (part == first && merged.rows->rows() > 0) made.push_back(merged);
            if (part < first || part >= last) made.push_back(parts[part]);
        }
        parts.swap(made);
    }

    /// Numbers the terms of the one segment anew where others are in the dictionary: their order
    /// stays, so that only the table of the lists' terms changes, to 0, 1, 2, …
    void drop_unused_terms(std::vector<index_part>& parts, executor const* pool) {
        auto const held = parts.empty() ? 0 : parts[0].rows->lists().size();
        if (held >= next_.dictionary->size()) return;
        auto dictionary = std::make_shared<term_dictionary>();
        for (std::size_t i = 0; i < held; ++i) {
            auto const term = next_.dictionary->term(parts[0].rows->lists().term(i));
            if (dictionary->intern(term) != i) return; // a damaged file has a term twice
        }
        if (held > 0) {
            auto const& before = parts[0].rows;
            auto all = before->all();
            all.lists.terms = {};
            index_part renumbered{.rows = std::make_shared<segment const>(all, before)};
            if (parts[0].frequent) {
                renumbered.frequent = std::make_shared<count_table const>(*renumbered.rows, pool);
            }
            parts[0] = std::move(renumbered);
        }
        next_.dictionary = std::move(dictionary);
    }

    [[nodiscard]] static counted_document counted(
        std::span<number const> terms, std::span<std::uint32_t const> positions) {
        counted_document made;
        std::vector<std::uint64_t> placed(terms.size()); // the term above its position
        for (std::size_t i = 0; i < terms.size(); ++i) {
            placed[i] = std::uint64_t{terms[i]} << 32 | (positions.empty() ? 0 : positions[i]);
        }
        sort_ascending(placed);
        std::uint32_t before = 0;
        for (auto const word : placed) {
            auto const term = static_cast<number>(word >> 32);
            auto const position = static_cast<std::uint32_t>(word);
            if (made.counts.empty() || made.counts.back().first != term) {
                made.counts.emplace_back(term, 0u);
                before = 0;
            }
            ++made.counts.back().second;
            if (!positions.empty()) made.gaps.push_back(position - std::exchange(before, position));
        }
        if (!positions.empty()) made.gaps.resize(made.gaps.size() + counted_document::slack);
        return made;
    }

    reader before_;
    index_snapshot next_;
};

} // namespace detail
TRAWL_END_NAMESPACE
