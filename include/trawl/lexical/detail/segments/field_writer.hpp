// SPDX-License-Identifier: MIT
#pragma once

/// Makes the next snapshot of one field of an index.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <trawl/core/executor.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/counted_ptr.hpp>
#include <trawl/lexical/detail/segments/field_document.hpp>
#include <trawl/lexical/detail/segments/index_snapshot.hpp>
#include <trawl/lexical/detail/segments/segment_builder.hpp>
#include <trawl/lexical/detail/segments/segment_merge.hpp>
#include <trawl/lexical/detail/sorting.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// New documents go to a tail of 64. A full tail becomes a segment, and eight segments of one size
/// class are merged into one of the next: a document is copied O(log n) times, and there are at
/// most 7 segments of each class. A segment is rewritten once half of it is erased. The place of a
/// document depends on ids alone, not on texts, so that it is the same in all fields of an index.
class field_writer {
public:
    using reader = counted_ptr<index_snapshot const>;

    /// @param now  the snapshot to start from.
    explicit field_writer(reader now) : before_(std::move(now)), next_(*before_) {}

    [[nodiscard]] index_snapshot const& state() const noexcept { return next_; }

    /// Gives new terms their ids.
    [[nodiscard]] term_dictionary& terms() noexcept { return *next_.dictionary; }

    /// Adds a document.
    /// @param id  of no live document.
    void append(doc_id id, field_document& document) {
        if (next_.tail == nullptr || next_.tail_size == index_tail::capacity) seal();
        auto& slot = next_.tail->documents[next_.tail_size];
        slot = counted(document);
        slot.id = id;
        slot.length = document.length;
        next_.tail_live |= std::uint64_t{1} << next_.tail_size++;
        next_.next_id = (std::max)(next_.next_id, id + 1);
        ++next_.live;
        next_.total_length += document.length;
    }

    /// Adds documents that are a segment already, their ids above all others.
    void append(counted_ptr<segment const> documents, executor const* pool) {
        seal();
        next_.next_id = documents->id(documents->rows() - 1) + 1;
        next_.live += documents->rows();
        for (auto const length : documents->lengths()) next_.total_length += length;
        auto segments = *next_.segments;
        segments.push_back({.rows = std::move(documents)});
        merge_small(segments, pool);
        set(std::move(segments));
    }

    /// Removes a live document.
    void remove(index_snapshot::location at) {
        --next_.live;
        next_.total_length -= next_.length(at);
        if (at.segment == next_.segments->size()) {
            next_.tail_live &= ~(std::uint64_t{1} << at.row);
            return;
        }
        auto segments = *next_.segments;
        auto& segment = segments[at.segment];
        segment.erase(at.row);
        if (2 * segment.dead > segment.rows->rows())
            merge(segments, at.segment, at.segment + 1, nullptr);
        set(std::move(segments));
    }

    /// Makes one segment of all documents and drops the terms that none of them holds.
    void compact(executor const* pool) {
        seal();
        auto segments = *next_.segments;
        if (segments.size() > 1 || (segments.size() == 1 && segments[0].dead > 0)) {
            merge(segments, 0, segments.size(), pool);
        }
        drop_unused_terms(segments, pool);
        set(std::move(segments));
    }

    /// compact(), and also unpacks the lists of frequent terms.
    void freeze(executor const* pool) {
        compact(pool);
        auto segments = *next_.segments;
        for (auto& segment : segments) {
            if (!segment.frequent)
                segment.frequent = counted_ptr<count_table const>::make(*segment.rows, pool);
        }
        set(std::move(segments));
    }

    /// The next snapshot; the writer must not be used after it.
    [[nodiscard]] reader finish() {
        next_.terms = next_.dictionary->size();
        next_.slots = next_.dictionary->current_slots();
        return counted_ptr<index_snapshot const>::make(std::move(next_));
    }

    /// Removes the terms that were added: the snapshot to start from stays the newest.
    void abandon() noexcept { before_->dictionary->truncate(before_->terms); }

private:
    void set(buffer<live_segment> segments) {
        next_.segments = counted_ptr<buffer<live_segment> const>::make(std::move(segments));
    }

    /// Makes a segment of the tail, merges segments where there are many and begins a new tail.
    void seal() {
        if (auto documents = next_.tail_segment()) {
            auto segments = *next_.segments;
            segments.push_back({.rows = std::move(documents)});
            merge_small(segments, nullptr);
            set(std::move(segments));
        }
        next_.tail = counted_ptr<index_tail>::make();
        next_.tail_size = 0;
        next_.tail_live = 0;
    }

    static void merge_small(buffer<live_segment>& segments, executor const* pool) {
        constexpr std::size_t fan = 8;
        auto const size_class = [](live_segment const& segment) { // rows: 64, 512, 4096 …
            return (static_cast<int>(std::bit_width(segment.rows->rows() / 64 | 1u)) - 1) / 3;
        };
        for (int size = 0; size < 10; ++size) {
            auto last = segments.size();
            while (last > 0 && size_class(segments[last - 1]) < size) --last;
            auto first = last;
            while (first > 0 && size_class(segments[first - 1]) <= size) --first;
            if (last - first >= fan) merge(segments, first, last, pool);
        }
    }

    static void merge(
        buffer<live_segment>& segments, std::size_t first, std::size_t last, executor const* pool) {
        buffer<segment_merge::input> inputs;
        for (auto i = first; i < last; ++i) {
            inputs.push_back({segments[i].rows.get(), segments[i].live.get()});
        }
        live_segment merged{.rows = segment_merge(inputs).run(pool)};
        buffer<live_segment> made;
        made.reserve(segments.size());
        for (std::size_t i = 0; i < segments.size(); ++i) {
            if (i == first && merged.rows->rows() > 0) made.push_back(merged);
            if (i < first || i >= last) made.push_back(segments[i]);
        }
        segments.swap(made);
    }

    /// If the dictionary has terms that no document holds, gives those of the one segment new ids,
    /// 0, 1, 2, … in their old order, so that of the segment only the table of terms changes.
    void drop_unused_terms(buffer<live_segment>& segments, executor const* pool) {
        auto const held = segments.empty() ? 0 : segments[0].rows->lists().size();
        if (held >= next_.dictionary->size()) return;
        auto dictionary = counted_ptr<term_dictionary>::make();
        for (std::size_t i = 0; i < held; ++i) {
            auto const term = next_.dictionary->term(segments[0].rows->lists().term(i));
            if (dictionary->intern(term) != i) return; // a damaged file has a term twice
        }
        if (held > 0) {
            auto const& before = segments[0].rows;
            auto all = before->all();
            all.lists.terms = {};
            live_segment renumbered{
                .rows = counted_ptr<segment const>::make(all, owner::of(before))};
            if (segments[0].frequent) {
                renumbered.frequent = counted_ptr<count_table const>::make(*renumbered.rows, pool);
            }
            segments[0] = std::move(renumbered);
        }
        next_.dictionary = std::move(dictionary);
    }

    [[nodiscard]] static counted_document counted(field_document& document) {
        auto const& positions = document.positions;
        auto& order = document.order; // the term above its position
        order.resize(document.terms.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = sort_key(document.terms[i], positions.empty() ? 0 : positions[i]);
        sort_ascending(order);
        std::size_t distinct = 0;
        for (std::size_t i = 0; i < order.size(); ++i)
            distinct += i == 0 || order[i] >> 32 != order[i - 1] >> 32 ? 1u : 0u;
        counted_document made;
        made.counts.reserve(distinct);
        if (!positions.empty()) made.gaps.resize(order.size() + counted_document::slack);
        std::uint32_t before = 0;
        for (std::size_t i = 0; i < order.size(); ++i) {
            auto const term = static_cast<term_id>(order[i] >> 32);
            if (made.counts.empty() || made.counts.back().term != term) {
                made.counts.push_back({term, 0});
                before = 0;
            }
            ++made.counts.back().count;
            if (positions.empty()) continue;
            auto const position = static_cast<std::uint32_t>(order[i]);
            made.gaps[i] = position - std::exchange(before, position);
        }
        return made;
    }

    reader before_;
    index_snapshot next_;
};

} // namespace detail
TRAWL_END_NAMESPACE
