// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of collection_engine.hpp, but for what prepares documents (prepare_inl.hpp).

#include <trawl/collection/detail/collection_engine.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/collection/detail/columns_builder.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The current manifest of a store with all its segments. While another process replaces the
/// manifest, it may remove segments that the one before names: then the new one is read.
TRAWL_INLINE std::shared_ptr<collection_state const> collection_engine::read(
    segment_store const& store, collection_options const& options, collection_state const* before) {
    auto const open = [&](section_file const& file) {
        auto schema =
            std::make_shared<collection_schema const>(collection_schema::opened(file, options));
        return collection_state::opened(store, std::move(schema), manifest::opened(file), before);
    };
    auto file = store.manifest();
    if (!file) fail(errc::io, join(store.name(), ": there is no such collection"));
#if TRAWL_HAS_EXCEPTIONS
    for (int attempt = 0; attempt < 100; ++attempt) {
        try {
            return open(*file);
        } catch (error const&) {
            auto const generation = file->value<manifest_head>("head").generation;
            file = store.manifest();
            if (!file || file->value<manifest_head>("head").generation == generation) throw;
        }
    }
#endif
    return open(*file);
}

TRAWL_INLINE collection_engine::collection_engine(
    std::unique_ptr<segment_store> store, collection_options const& options)
    : store_(std::move(store)), options_(options) {
    if (store_->manifest() || options_.read_only) {
        published_ = read(*store_, options_, nullptr);
        if (!options_.read_only) remove_unused();
        return;
    }
    auto schema = std::make_shared<collection_schema const>(collection_schema::of(options_));
    auto first = collection_state::opened(*store_, schema, {}, nullptr);
    section_writer writer(manifest_kind, manifest_version);
    add_to(writer, first->moment, schema->encoded());
    store_->write_manifest(writer);
    published_ = std::move(first);
}

TRAWL_INLINE void collection_engine::require_writable(char const* what) const {
    if (!options_.read_only) return;
    fail(errc::invalid_argument,
        join("collection::", what, ": ", store_->name(), " is open for reading only"));
}

TRAWL_INLINE void collection_engine::set(std::shared_ptr<collection_state const> next) noexcept {
    std::lock_guard const lock(published_mutex_);
    published_.swap(next); // the old one goes when the lock is free again
}

TRAWL_INLINE void collection_engine::publish(
    manifest next, std::shared_ptr<collection_schema const> const& schema) {
    auto const now = state();
    next.generation = now->moment.generation + 1;
    auto const generation = next.generation;
    auto made = collection_state::opened(*store_, schema, std::move(next), now.get());
    section_writer writer(manifest_kind, manifest_version);
    add_to(writer, made->moment, schema->encoded());
#if TRAWL_HAS_EXCEPTIONS
    try {
        store_->write_manifest(writer);
    } catch (...) {
        // The file may have been replaced before the error: what it says then counts.
        bool replaced = false;
        try {
            auto const file = store_->manifest();
            replaced = file && file->value<manifest_head>("head").generation == generation;
        } catch (...) { // the old state is the one that was published last
        }
        if (replaced) set(std::move(made));
        throw;
    }
#else
    static_cast<void>(generation);
    store_->write_manifest(writer);
#endif
    set(std::move(made));
}

TRAWL_INLINE std::uint64_t collection_engine::take_number(manifest& next) noexcept {
    auto const number = (std::max)(next.next_segment, next_number_);
    next_number_ = number + 1;
    next.next_segment = number + 1;
    return number;
}

TRAWL_INLINE void collection_engine::remove_unused() noexcept {
    if (merging_) return;
    std::vector<std::uint64_t> used;
#if TRAWL_HAS_EXCEPTIONS
    try {
#endif
        for (auto const& segment : state()->moment.segments) used.push_back(segment.number);
#if TRAWL_HAS_EXCEPTIONS
    } catch (...) { // without memory for the list, files stay until the next time
        return;
    }
#endif
    store_->keep_only(used);
}

/// The segments of a moment without the documents that were erased or replaced since.
TRAWL_INLINE manifest collection_engine::without_erased(collection_state const& now) const {
    auto next = now.moment;
    std::vector<std::vector<std::uint64_t>> live(next.segments.size());
    auto const erase = [&](std::string_view key) {
        auto const at = now.find(key);
        if (!at) return;
        auto const& segment = *now.segments[at->segment];
        auto& bits = live[at->segment];
        auto& of = next.segments[at->segment];
        if (bits.empty()) {
            bits = of.live
                       ? *of.live
                       : std::vector<std::uint64_t>((segment.rows() + 63) / 64, ~std::uint64_t{0});
            if (segment.rows() % 64 != 0)
                bits.back() &= (std::uint64_t{1} << segment.rows() % 64) - 1;
        }
        auto const [first, last] =
            segment.documents.rows_of(segment.documents.document_of(at->row));
        for (auto row = first; row < last; ++row) {
            if ((bits[row / 64] >> row % 64 & 1u) == 0) continue;
            bits[row / 64] &= ~(std::uint64_t{1} << row % 64);
            ++of.erased;
        }
    };
    for (auto const& key : erased_keys_) erase(key);
    for (auto const& [key, place] : pending_keys_) {
        if (!erased_keys_.contains(key)) erase(key);
    }
    for (std::size_t i = 0; i < live.size(); ++i) {
        if (live[i].empty()) continue;
        next.segments[i].live =
            std::make_shared<std::vector<std::uint64_t> const>(std::move(live[i]));
    }
    return next;
}

TRAWL_INLINE void collection_engine::commit() {
    std::lock_guard const lock(writing_mutex_);
    require_writable("commit");
    if (pending_keys_.empty() && erased_keys_.empty()) return rollback_locked();
    auto const now = state();
    auto next = without_erased(*now);
    // Undoes what was done before the manifest was replaced.
    struct undo {
        collection_engine& engine;
        lexical_dictionary terms;
        std::vector<std::uint32_t> sizes;
        std::uint64_t generation;
        ~undo() {
            if (engine.state()->moment.generation != generation) return;
            terms.forget(sizes);
            engine.remove_unused();
        }
    };
    undo const guard{*this, now->terms, now->terms.sizes(), now->moment.generation};
    if (!pending_keys_.empty()) {
        auto terms = now->terms;
        new_segment made(*now->schema, pending_, next.next_id, terms, options_.pool);
        section_writer writer(segment_kind, segment_version);
        made.add_to(writer, options_.pool);
        auto const segment = take_number(next);
        static_cast<void>(store_->write(segment, writer));
        next.segments.push_back({segment, made.rows(), 0, nullptr});
        next.next_id = made.last_id() + 1;
    }
    publish(std::move(next), now->schema);
    rollback_locked();
    if (merging_ || !options_.merge_on_commit) return;
        // The commit is done: that segments could not be merged is no reason to fail.
#if TRAWL_HAS_EXCEPTIONS
    try {
        merge_small();
    } catch (...) {
        remove_unused();
    }
#else
    merge_small();
#endif
}

TRAWL_INLINE void collection_engine::rollback_locked() noexcept {
    pending_.clear();
    pending_keys_.clear();
    erased_keys_.clear();
}

TRAWL_INLINE void collection_engine::rollback() {
    std::lock_guard const lock(writing_mutex_);
    rollback_locked();
}

TRAWL_INLINE std::size_t collection_engine::pending() const {
    std::lock_guard const lock(writing_mutex_);
    auto changes = pending_keys_.size();
    for (auto const& key : erased_keys_) changes += pending_keys_.contains(key) ? 0u : 1u;
    return changes;
}

TRAWL_INLINE bool collection_engine::erase(std::string_view key) {
    std::lock_guard const lock(writing_mutex_);
    require_writable("erase");
    std::string const name(key);
    auto const committed = !erased_keys_.contains(name) && state()->find(key).has_value();
    if (committed) erased_keys_.insert(name);
    auto const at = pending_keys_.find(name);
    if (at == pending_keys_.end()) return committed;
    pending_[at->second].replaced = true;
    pending_keys_.erase(at);
    return true;
}

TRAWL_INLINE std::size_t collection_engine::erase(condition const& where) {
    std::lock_guard const lock(writing_mutex_);
    require_writable("erase");
    auto const now = state();
    validate(where, now->schema->fields);
    std::unordered_set<std::string> keys;
    for (std::size_t i = 0; i < now->segments.size(); ++i) {
        auto const& segment = *now->segments[i];
        auto const rows = live_matching(*now, i, where);
        for (std::size_t word = 0; word < rows.size(); ++word) {
            for (auto rest = rows[word]; rest != 0; rest &= rest - 1) {
                auto const row = 64 * word + static_cast<std::size_t>(std::countr_zero(rest));
                std::string key(segment.documents.key(segment.documents.document_of(row)));
                if (!pending_keys_.contains(key) && !erased_keys_.contains(key))
                    keys.insert(std::move(key));
            }
        }
    }
    columns_builder metadata(now->schema->fields);
    for (auto const& each : pending_) metadata.add(each.given.metadata);
    auto const matching = metadata.finish().evaluate(where);
    std::vector<std::size_t> among_pending;
    for (std::size_t i = 0; i < pending_.size(); ++i) {
        if (!pending_[i].replaced && (matching[i / 64] >> i % 64 & 1u) != 0)
            among_pending.push_back(i);
    }
    // An erased document that was pending may have a committed one below it: both go.
    for (auto const i : among_pending) {
        if (now->find(pending_[i].given.key)) keys.insert(pending_[i].given.key);
    }
    auto const only_pending = [&] {
        std::size_t count = 0;
        for (auto const i : among_pending) count += keys.contains(pending_[i].given.key) ? 0u : 1u;
        return count;
    }();
    auto const erased = keys.size() + only_pending;
    erased_keys_.reserve(erased_keys_.size() + keys.size());
    erased_keys_.merge(keys);
    for (auto const i : among_pending) {
        pending_[i].replaced = true;
        pending_keys_.erase(pending_[i].given.key);
    }
    return erased;
}

TRAWL_INLINE void collection_engine::merge(
    std::size_t first, std::size_t last, executor const* pool) {
    auto const now = state();
    auto next = now->moment;
    auto const begin = next.segments.begin();
    auto const at = next.segments.erase(
        begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(last));
    {
        auto const all = first == 0 && last == now->segments.size();
        new_segment made(*now, first, last, !all, pool);
        // A segment without rows stays where terms of others follow its own.
        if (made.rows() > 0 || !all) {
            section_writer writer(segment_kind, segment_version);
            made.add_to(writer, pool);
            auto const segment = take_number(next);
            static_cast<void>(store_->write(segment, writer));
            next.segments.insert(at, {segment, made.rows(), 0, nullptr});
        }
    }
    publish(std::move(next), now->schema);
    remove_unused();
}

struct merge_range {
    std::size_t first = 0;
    std::size_t last = 0; ///< behind the last; no more than first: there is nothing to merge
};

/// Which segments to merge next. Eight of a size become one of the next, and one of which half is
/// erased is rewritten.
/// @param most_rows  of the result.
[[nodiscard]] TRAWL_INLINE merge_range merge_due(
    std::span<manifest_segment const> all, std::uint64_t most_rows) {
    constexpr std::size_t fan = 8;
    constexpr int sizes = 10;                                     // the last begins at 2^33 rows
    auto const size_class = [](manifest_segment const& segment) { // rows: 64, 512, 4096 …
        return (static_cast<int>(std::bit_width(segment.rows / 64 | 1u)) - 1) / 3;
    };
    for (int size = 0; size < sizes; ++size) {
        auto last = all.size();
        while (last > 0 && size_class(all[last - 1]) < size) --last;
        auto first = last;
        std::uint64_t rows = 0;
        while (first > 0 && size_class(all[first - 1]) <= size) rows += all[--first].rows;
        if (last - first >= fan && rows <= most_rows) return {first, last};
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto const& segment = all[i];
        if (segment.rows > 0 && 2 * segment.erased > segment.rows
            && segment.rows - segment.erased <= most_rows)
            return {i, i + 1};
    }
    return {};
}

/// What a commit does itself: large segments are for maintain() and compact().
TRAWL_INLINE void collection_engine::merge_small() {
    constexpr std::uint64_t most_rows = 65536;
    for (;;) {
        auto const [first, last] = merge_due(state()->moment.segments, most_rows);
        if (first >= last) return;
        merge(first, last, options_.pool);
        if (last - first == 1) return; // of segments with erased rows one a commit
    }
}

/// The rows of a merged segment that are live now: a bit each.
[[nodiscard]] TRAWL_INLINE std::vector<std::uint64_t> still_live(
    std::span<doc_id const> ids, doc_set const& live) {
    std::vector<std::uint64_t> made((ids.size() + 63) / 64, 0);
    for (std::size_t row = 0; row < ids.size(); ++row)
        if (live.contains(ids[row])) made[row / 64] |= std::uint64_t{1} << row % 64;
    return made;
}

/// Makes one merge that is due. The lock is held while it is chosen and while the manifest is
/// replaced; the segment is made and written without it, of a state that does not change.
/// @return false if none was due, or another thread is merging, or the segments are gone: the
/// collection was compacted or refitted meanwhile.
TRAWL_INLINE bool collection_engine::merge_beside(executor const* pool) {
    std::shared_ptr<collection_state const> from;
    merge_range range;
    std::uint64_t number = 0;
    {
        std::lock_guard const lock(writing_mutex_);
        if (merging_) return false;
        from = state();
        range = merge_due(from->moment.segments, no_doc - 1);
        if (range.first >= range.last) return false;
        number = (std::max)(from->moment.next_segment, next_number_);
        next_number_ = number + 1;
        merging_ = true;
    }
    struct ending {
        collection_engine& engine;
        ~ending() {
            std::lock_guard const lock(engine.writing_mutex_);
            engine.merging_ = false;
            engine.remove_unused();
        }
    } const guard{*this};
    auto const first = static_cast<std::ptrdiff_t>(range.first);
    auto const last = static_cast<std::ptrdiff_t>(range.last);
    new_segment made(*from, range.first, range.last, true, pool);
    section_writer writer(segment_kind, segment_version);
    made.add_to(writer, pool);
    auto const file = store_->write(number, writer);

    std::lock_guard const lock(writing_mutex_);
    auto const now = state();
    auto next = now->moment;
    // Commits add segments behind these and take rows of these away; merges of their own they leave.
    if (next.segments.size() < range.last) return false;
    for (auto i = range.first; i < range.last; ++i)
        if (next.segments[i].number != from->moment.segments[i].number) return false;
    manifest_segment merged{number, made.rows(), 0, nullptr};
    auto live = still_live(made.ids(), *now->live);
    for (auto const word : live) merged.erased += static_cast<unsigned>(std::popcount(word));
    merged.erased = merged.rows - merged.erased;
    if (merged.erased > 0)
        merged.live = std::make_shared<std::vector<std::uint64_t> const>(std::move(live));
    auto const at =
        next.segments.erase(next.segments.begin() + first, next.segments.begin() + last);
    next.segments.insert(at, std::move(merged));
    next.next_segment = (std::max)(next.next_segment, number + 1);
    publish(std::move(next), now->schema);
    return true;
}

TRAWL_INLINE bool collection_engine::maintain(executor const* pool) {
    require_writable("maintain");
    bool any = false;
    while (merge_beside(pool != nullptr ? pool : options_.pool)) any = true;
    return any;
}

TRAWL_INLINE void collection_engine::compact(executor const* pool) {
    std::lock_guard const lock(writing_mutex_);
    require_writable("compact");
    auto const now = state();
    auto const& all = now->moment.segments;
    auto const coded = [](stored_segment const& segment) {
        for (auto const& space : segment.vectors)
            if (space.lacks_codes()) return false;
        return true;
    };
    auto const clean =
        all.empty() || (all.size() == 1 && all[0].erased == 0 && coded(*now->segments[0]));
    if (!clean) merge(0, all.size(), pool != nullptr ? pool : options_.pool);
}

TRAWL_INLINE bool collection_engine::refresh() {
    std::lock_guard const lock(writing_mutex_);
    auto const now = state();
    if (!options_.read_only) return false;
    auto const file = store_->manifest();
    if (!file) fail(errc::io, join(store_->name(), ": there is no such collection"));
    if (file->value<manifest_head>("head").generation == now->moment.generation) return false;
    set(read(*store_, options_, now.get()));
    return true;
}

TRAWL_INLINE void collection_engine::verify() const {
    auto const now = state();
    if (auto const file = store_->manifest()) file->verify();
    for (auto const& segment : now->segments) segment->verify();
}

} // namespace detail
TRAWL_END_NAMESPACE
