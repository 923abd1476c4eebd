// SPDX-License-Identifier: MIT
#pragma once

/// What is known about one question: which documents answer it, and how well.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// A grade of 0 is judged and not relevant, higher is better; a negative one is pooled but not
/// judged.
struct judgement {
    doc_id id = no_doc;
    int grade = 0;
    friend bool operator==(judgement const&, judgement const&) = default;
};

/// The judgements of one question, ascending by document.
class judgements {
public:
    judgements() = default;

    /// In any order, each document once.
    /// @throws trawl::error (duplicate_key) if a document is judged twice.
    explicit judgements(std::vector<judgement> all) : all_(std::move(all)) {
        std::sort(all_.begin(), all_.end(), by_id);
        auto const twice = std::adjacent_find(all_.begin(), all_.end(),
            [](judgement const& a, judgement const& b) { return a.id == b.id; });
        if (twice != all_.end()) {
            detail::fail(errc::duplicate_key,
                detail::join("judgements: document ", twice->id, " is judged twice, as ",
                    twice->grade, " and as ", std::next(twice)->grade));
        }
        for (auto const& j : all_) {
            if (j.grade >= 0) grades_.push_back(j.grade);
        }
        std::sort(grades_.begin(), grades_.end(), std::greater<>{});
    }
    judgements(std::initializer_list<judgement> all) : judgements(std::vector<judgement>(all)) {}

    /// O(log size()).
    [[nodiscard]] std::optional<int> grade(doc_id id) const noexcept {
        auto const at = std::lower_bound(all_.begin(), all_.end(), judgement{id}, by_id);
        return at == all_.end() || at->id != id ? std::nullopt : std::optional(at->grade);
    }

    /// How many documents have at least this grade. O(log size()).
    [[nodiscard]] std::size_t count(int level) const noexcept {
        auto const end = std::partition_point(
            grades_.begin(), grades_.end(), [level](int grade) { return grade >= level; });
        return static_cast<std::size_t>(end - grades_.begin());
    }

    [[nodiscard]] std::span<judgement const> all() const noexcept { return all_; }

    /// The grades of the judged documents (those >= 0), best first: the ideal ranking.
    [[nodiscard]] std::span<int const> grades() const noexcept { return grades_; }

    [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }

private:
    [[nodiscard]] static bool by_id(judgement const& a, judgement const& b) noexcept {
        return a.id < b.id;
    }

    std::vector<judgement> all_;
    std::vector<int> grades_;
};

TRAWL_END_NAMESPACE
