// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of collection.hpp.

#include <trawl/collection/collection.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/collection/detail/collection_engine.hpp>
#include <trawl/collection/detail/segment_store.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE collection::collection(std::shared_ptr<detail::collection_engine> engine)
    : engine_(std::move(engine)), all_(engine_, condition()) {}

TRAWL_INLINE collection::collection(collection&&) noexcept = default;
TRAWL_INLINE collection& collection::operator=(collection&&) noexcept = default;
TRAWL_INLINE collection::~collection() = default;

TRAWL_INLINE collection collection::open(
    std::string const& path, collection_options const& options) {
    return collection(std::make_shared<detail::collection_engine>(
        detail::open_directory(path, options.read_only), options));
}

TRAWL_INLINE collection collection::in_memory(collection_options const& options) {
    return collection(std::make_shared<detail::collection_engine>(detail::open_memory(), options));
}

TRAWL_INLINE void collection::put(document given) {
    std::vector<document> one;
    one.push_back(std::move(given));
    engine_->put_all(std::move(one), nullptr);
}

TRAWL_INLINE void collection::put_all(std::vector<document> documents) {
    engine_->put_all(std::move(documents), nullptr);
}
TRAWL_INLINE void collection::put_all(std::vector<document> documents, progress report) {
    engine_->put_all(std::move(documents), &report);
}

TRAWL_INLINE bool collection::erase(std::string_view key) { return engine_->erase(key); }
TRAWL_INLINE std::size_t collection::erase(condition const& where) { return engine_->erase(where); }
TRAWL_INLINE std::size_t collection::pending() const { return engine_->pending(); }
TRAWL_INLINE void collection::commit() { engine_->commit(); }
TRAWL_INLINE void collection::rollback() { engine_->rollback(); }
TRAWL_INLINE void collection::compact(executor const* pool) { engine_->compact(pool); }
TRAWL_INLINE bool collection::maintain(executor const* pool) { return engine_->maintain(pool); }
TRAWL_INLINE bool collection::refresh() { return engine_->refresh(); }
TRAWL_INLINE void collection::verify() const { engine_->verify(); }
TRAWL_INLINE void collection::refit(std::string_view space, any_embedder embedder) {
    engine_->refit(space, std::move(embedder), nullptr);
}
TRAWL_INLINE void collection::refit(
    std::string_view space, any_embedder embedder, progress report) {
    engine_->refit(space, std::move(embedder), &report);
}

TRAWL_END_NAMESPACE
