// SPDX-License-Identifier: MIT
#pragma once

/// The writer of a collection: what collection is a shell of.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <trawl/collection/condition.hpp>
#include <trawl/collection/detail/new_segment.hpp>
#include <trawl/collection/detail/schema.hpp>
#include <trawl/collection/detail/segment_store.hpp>
#include <trawl/collection/detail/state.hpp>
#include <trawl/collection/document.hpp>
#include <trawl/collection/options.hpp>
#include <trawl/embed/any_embedder.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// One thread changes the collection at a time; others wait. Reading the current state waits for a
/// pointer copy only.
class collection_engine {
public:
    using progress = any_embedder::progress;

    /// Opens the collection in the store, or makes it there.
    /// @throws trawl::error (io; corrupt; invalid_argument).
    collection_engine(std::unique_ptr<segment_store> store, collection_options const& options);
    collection_engine(collection_engine const&) = delete;
    collection_engine& operator=(collection_engine const&) = delete;
    ~collection_engine() = default;

    [[nodiscard]] std::shared_ptr<collection_state const> state() const {
        std::lock_guard const lock(published_mutex_);
        return published_;
    }

    void put_all(std::vector<document> documents, progress const* report);
    bool erase(std::string_view key);
    std::size_t erase(condition const& where);
    void commit();
    void rollback();
    [[nodiscard]] std::size_t pending() const;
    void compact(executor const* pool);
    bool maintain(executor const* pool);
    bool refresh();
    void verify() const;
    void refit(std::string_view space, any_embedder embedder, progress const* report);

private:
    [[nodiscard]] pending_document prepared(document given) const;
    void check_vectors(pending_document& of) const;
    void embed(std::vector<pending_document>& documents, progress const* report) const;
    void require_writable(char const* what) const;

    /// Makes a manifest current: on the disk, then here.
    void publish(manifest next, std::shared_ptr<collection_schema const> const& schema);
    void set(std::shared_ptr<collection_state const> next) noexcept;
    void merge(std::size_t first, std::size_t last, executor const* pool);
    void merge_small();
    bool merge_beside(executor const* pool);
    /// A number for a new segment, which no merge under way has.
    [[nodiscard]] std::uint64_t take_number(manifest& next) noexcept;
    /// Removes files that the manifest does not name, unless a merge is writing one: its end does it.
    void remove_unused() noexcept;
    void rollback_locked() noexcept;
    [[nodiscard]] manifest without_erased(collection_state const& now) const;
    [[nodiscard]] static std::shared_ptr<collection_state const> read(segment_store const& store,
        collection_options const& options, collection_state const* before);

    std::unique_ptr<segment_store> store_;
    collection_options options_;
    std::mutex mutable published_mutex_;
    std::shared_ptr<collection_state const> published_;

    std::mutex mutable writing_mutex_; ///< guards what follows
    std::vector<pending_document> pending_;
    std::unordered_map<std::string, std::size_t> pending_keys_; ///< the place of the live one
    std::unordered_set<std::string> erased_keys_;               ///< of documents that are committed
    std::uint64_t next_number_ =
        0;                 ///< at least: segments that merges under way write have lower ones
    bool merging_ = false; ///< maintain() is writing a segment
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/collection/detail/collection_engine_inl.hpp>
#include <trawl/collection/detail/prepare_inl.hpp>
#endif
