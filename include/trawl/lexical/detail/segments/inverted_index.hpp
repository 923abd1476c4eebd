// SPDX-License-Identifier: MIT
#pragma once

/// Which documents hold which terms, how often: all that BM25 needs to know, whatever its formula.
/// One writer at a time makes the next snapshot while any number of readers use those that they
/// took.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/words.hpp>
#include <trawl/lexical/detail/segments/index_snapshot.hpp>
#include <trawl/lexical/detail/segments/segment_builder.hpp>
#include <trawl/lexical/detail/segments/segment_merge.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// New documents go to a tail of 64; a full one becomes a segment, and eight segments of a size one
/// of the next: a document is moved O(log n) times, and there are at most 7 segments of each size.
/// A segment of which half is erased is written anew. Where a document comes to stand depends on
/// the ids alone, not on the texts: so the fields of an inverted_fields have it in the same place.
class inverted_index {
public:
    using number = index_snapshot::number;
    using reader = std::shared_ptr<index_snapshot const>;

    /// @throws trawl::error (invalid_argument) if TRAWL_FORCE_ISA names what this machine lacks.
    inverted_index() { static_cast<void>(active_bm25_kernels()); }
    explicit inverted_index(reader begin) : published_(std::move(begin)) {
        static_cast<void>(active_bm25_kernels());
    }
    inverted_index(inverted_index const& other) : published_(other.copied()) {}
    inverted_index(inverted_index&& other) noexcept : published_(std::move(other.published_)) {}
    inverted_index& operator=(inverted_index const& other) {
        if (this != &other) published_ = other.copied();
        return *this;
    }
    inverted_index& operator=(inverted_index&& other) noexcept {
        published_ = std::exchange(other.published_, nullptr);
        return *this;
    }
    ~inverted_index() = default;

    /// The index as it is now.
    [[nodiscard]] reader read() const {
        std::lock_guard const lock(published_mutex_);
        if (published_ == nullptr) published_ = std::make_shared<index_snapshot const>();
        return published_;
    }

    /// The right to change the index, one thread at a time. What it does is seen at once when
    /// publish() is called, and forgotten without.
    class writer {
    public:
        explicit writer(inverted_index& index)
            : index_(index), lock_(index.writing_mutex_), next_(*index.read()) {}

        [[nodiscard]] index_snapshot const& state() const noexcept { return next_; }

        /// Adds a document, its terms in any order.
        /// @param id  not there.
        /// @param positions  as segment_builder::add takes them.
        void append(doc_id id, std::uint32_t length, std::span<number const> terms,
            std::span<std::uint32_t const> positions) {
            if (next_.tail == nullptr || next_.tail_size == index_tail::capacity) seal();
            auto& slot = next_.tail->documents[next_.tail_size];
            slot = counted(terms, positions);
            slot.id = id;
            slot.length = length;
            next_.tail_live |= std::uint64_t{1} << next_.tail_size++;
            next_.next_id = (std::max)(next_.next_id, id + 1);
            ++next_.live;
            next_.total_length += length;
        }

        [[nodiscard]] number intern(std::string_view term) {
            return next_.dictionary->intern(term);
        }

        /// Takes a live document out.
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

        /// Adds documents that are a segment already, their ids above all before.
        void append(std::shared_ptr<segment const> documents, executor const* where) {
            seal();
            next_.next_id = documents->id(documents->rows() - 1) + 1;
            next_.live += documents->rows();
            for (auto const length : documents->lengths()) next_.total_length += length;
            auto parts = *next_.parts;
            parts.push_back({.rows = std::move(documents)});
            merge_small(parts, where);
            set(std::move(parts));
        }

        /// Makes one segment of all documents.
        void compact(executor const* where = nullptr) {
            seal();
            auto parts = *next_.parts;
            if (parts.size() > 1 || (parts.size() == 1 && parts[0].dead > 0)) {
                merge(parts, 0, parts.size(), where);
            }
            set(std::move(parts));
        }

        /// Makes one segment of all documents, with what makes its frequent terms fast.
        void freeze(executor const* where = nullptr) {
            compact(where);
            auto parts = *next_.parts;
            for (auto& part : parts) {
                if (!part.frequent)
                    part.frequent = std::make_shared<count_table const>(*part.rows, where);
            }
            set(std::move(parts));
        }

        void publish() { publish(finish()); }

        /// What publish() lets readers see; nothing may be changed after it.
        [[nodiscard]] reader finish() {
            next_.terms = next_.dictionary->size();
            next_.slots = next_.dictionary->current_slots();
            return std::make_shared<index_snapshot const>(std::move(next_));
        }
        void publish(reader made) {
            std::lock_guard const lock(index_.published_mutex_);
            index_.published_.swap(made); // the old one goes when the lock is free again
        }

    private:
        void set(std::vector<index_part> parts) {
            next_.parts = std::make_shared<std::vector<index_part> const>(std::move(parts));
        }

        /// Makes a segment of the tail, merges segments where there are many and begins a new tail.
        void seal() {
            std::vector<counted_document const*> documents;
            next_.for_each_in_tail(
                [&](counted_document const& document, number) { documents.push_back(&document); });
            std::sort(documents.begin(), documents.end(),
                [](counted_document const* a, counted_document const* b) { return a->id < b->id; });
            if (!documents.empty()) {
                segment_builder builder;
                for (auto const* const document : documents) builder.add(*document);
                auto parts = *next_.parts;
                parts.push_back({.rows = std::move(builder).take()});
                merge_small(parts, nullptr);
                set(std::move(parts));
            }
            next_.tail = std::make_shared<index_tail>();
            next_.tail_size = 0;
            next_.tail_live = 0;
        }

        static void merge_small(std::vector<index_part>& parts, executor const* where) {
            constexpr std::size_t fan = 8;
            auto const size_class = [](index_part const& part) { // rows: 64, 512, 4096 …
                return (static_cast<int>(std::bit_width(part.rows->rows() / 64 | 1u)) - 1) / 3;
            };
            for (int size = 0; size < 10; ++size) {
                auto last = parts.size();
                while (last > 0 && size_class(parts[last - 1]) < size) --last;
                auto first = last;
                while (first > 0 && size_class(parts[first - 1]) <= size) --first;
                if (last - first >= fan) merge(parts, first, last, where);
            }
        }

        static void merge(std::vector<index_part>& parts, std::size_t first, std::size_t last,
            executor const* where) {
            std::vector<segment_merge::input> inputs;
            for (auto part = first; part < last; ++part) {
                inputs.push_back({parts[part].rows.get(), parts[part].live.get()});
            }
            index_part merged{.rows = segment_merge(inputs).run(where)};
            auto const at = parts.begin() + static_cast<std::ptrdiff_t>(first);
            parts.erase(at + 1, parts.begin() + static_cast<std::ptrdiff_t>(last));
            if (merged.rows->rows() > 0) {
                *at = std::move(merged);
            } else {
                parts.erase(at);
            }
        }

        [[nodiscard]] static counted_document counted(
            std::span<number const> terms, std::span<std::uint32_t const> positions) {
            counted_document made;
            std::vector<std::uint64_t> placed(terms.size()); // the term above its position
            for (std::size_t i = 0; i < terms.size(); ++i) {
                placed[i] = std::uint64_t{terms[i]} << 32 | (positions.empty() ? 0 : positions[i]);
            }
            std::sort(placed.begin(), placed.end());
            std::uint32_t before = 0;
            for (auto const word : placed) {
                auto const term = static_cast<number>(word >> 32);
                auto const position = static_cast<std::uint32_t>(word);
                if (made.counts.empty() || made.counts.back().first != term) {
                    made.counts.emplace_back(term, 0u);
                    before = 0;
                }
                ++made.counts.back().second;
                if (!positions.empty())
                    made.gaps.push_back(position - std::exchange(before, position));
            }
            if (!positions.empty()) made.gaps.resize(made.gaps.size() + counted_document::slack);
            return made;
        }

        inverted_index& index_;
        std::unique_lock<std::mutex> lock_;
        index_snapshot next_;
    };

    /// The same snapshot for another index: it shares only what is never written again.
    [[nodiscard]] static reader independent(index_snapshot const& from) {
        index_snapshot copy(from);
        copy.dictionary = std::make_shared<term_dictionary>(*from.dictionary, from.terms);
        copy.slots = copy.dictionary->current_slots();
        if (from.tail != nullptr) {
            copy.tail = std::make_shared<index_tail>();
            std::copy_n(from.tail->documents.begin(), from.tail_size, copy.tail->documents.begin());
        }
        return std::make_shared<index_snapshot const>(std::move(copy));
    }

private:
    [[nodiscard]] reader copied() const { return independent(*read()); }

    std::mutex mutable published_mutex_;
    reader mutable published_; // null: nothing yet
    std::mutex writing_mutex_;
};

} // namespace detail
TRAWL_END_NAMESPACE
