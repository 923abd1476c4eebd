// SPDX-License-Identifier: MIT
#pragma once

/// Which documents a search may return.

#include <trawl/core/doc_set.hpp>
#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE

/// Borrows a doc_set: the caller keeps it alive and unchanged during the search. The default filter
/// admits everything, the filter of an empty set nothing.
class filter {
public:
    filter() = default;
    filter(doc_set const& allowed) noexcept
        : allowed_(&allowed) {} // NOLINT(google-explicit-constructor)

    [[nodiscard]] bool admits(doc_id id) const noexcept {
        return allowed_ == nullptr || allowed_->contains(id);
    }
    [[nodiscard]] bool admits_all() const noexcept { return allowed_ == nullptr; }

    /// The set, or null where everything is admitted.
    [[nodiscard]] doc_set const* set() const noexcept { return allowed_; }

private:
    doc_set const* allowed_ = nullptr;
};

TRAWL_END_NAMESPACE
