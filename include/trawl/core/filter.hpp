// SPDX-License-Identifier: MIT
#pragma once

/// Which documents a search may return.

#include <utility>

#include <trawl/core/doc_set.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/counted_ptr.hpp>

TRAWL_BEGIN_NAMESPACE

/// The documents that a search may return. Borrows an lvalue, which the caller keeps alive and
/// unchanged during the search; owns an rvalue, such as a | b, and copies share it. The default
/// filter admits every document, the filter of an empty set none.
class filter {
public:
    filter() = default;
    filter(doc_set const& allowed) noexcept // NOLINT(google-explicit-constructor)
        : allowed_(&allowed) {}
    filter(doc_set&& allowed) // NOLINT(google-explicit-constructor)
        : owned_(detail::counted_ptr<doc_set const>::make(std::move(allowed))),
          allowed_(owned_.get()) {}

    [[nodiscard]] bool admits(doc_id id) const noexcept {
        return allowed_ == nullptr || allowed_->contains(id);
    }
    [[nodiscard]] bool admits_all() const noexcept { return allowed_ == nullptr; }

    /// The set, or null where every document is admitted.
    [[nodiscard]] doc_set const* set() const noexcept { return allowed_; }

private:
    detail::counted_ptr<doc_set const> owned_ = {};
    doc_set const* allowed_ = nullptr;
};

TRAWL_END_NAMESPACE
