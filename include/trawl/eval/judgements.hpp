// SPDX-License-Identifier: MIT
#pragma once

/// The judgements of one query: which documents are relevant, and how relevant.

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE

/// The grade that a judge gave a document: 0 is not relevant, higher is more relevant. A negative
/// grade means that the document was pooled but not judged.
struct judgement {
    doc_id id = no_doc;
    int grade = 0;
    friend bool operator==(judgement const&, judgement const&) = default;
};

/// The judgements of one query, in ascending order of document ids.
class judgements {
public:
    judgements() = default;

    /// @param all  In any order, each document at most once.
    /// @throws trawl::error (duplicate_key) if a document is judged twice.
    /// @par Complexity O(n log n).
    explicit judgements(std::vector<judgement> all);
    judgements(std::initializer_list<judgement> all) : judgements(std::vector<judgement>(all)) {}

    /// The grade of a document, or none if it has no judgement. O(log size()).
    [[nodiscard]] std::optional<int> grade(doc_id id) const noexcept;

    /// The number of judged documents with this grade or a higher one. O(log size()).
    /// @param level  At least 0.
    [[nodiscard]] std::size_t count(int level) const noexcept;

    [[nodiscard]] std::span<judgement const> all() const noexcept {
        return {all_.data(), all_.size()};
    }

    /// The grades of all judged documents (grades of 0 or more), highest first. This is the ideal
    /// ranking.
    [[nodiscard]] std::span<int const> grades() const noexcept {
        return {grades_.data(), grades_.size()};
    }

    [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }

private:
    std::vector<judgement> all_;
    std::vector<int> grades_;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/judgements_inl.hpp>
#endif
