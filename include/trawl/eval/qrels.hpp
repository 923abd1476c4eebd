// SPDX-License-Identifier: MIT
#pragma once

/// The judgements of many questions, as TREC and BEIR files hold them.

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/eval/detail/key_numbering.hpp>
#include <trawl/eval/judgements.hpp>
#include <trawl/eval/ordered_keys.hpp>

TRAWL_BEGIN_NAMESPACE

/// One judgement: query, key, value (the grade). The texts are borrowed.
using qrels_row = detail::keyed_row<int>;

/// Questions and documents are numbered in the byte order of their keys.
class qrels {
public:
    qrels() = default;

    /// Rows in any order. O(n log n) time at worst.
    /// @throws trawl::error (duplicate_key) if a document is judged twice for one question.
    explicit qrels(std::span<qrels_row const> rows)
        : qrels(rows, [&](std::size_t i) {
              detail::fail(
                  errc::duplicate_key, detail::join("qrels: document '", rows[i].key,
                                           "' is judged twice for query '", rows[i].query, "'"));
          }) {}
    qrels(std::initializer_list<qrels_row> rows)
        : qrels(std::span<qrels_row const>(rows.begin(), rows.size())) {}

    /// The same, where the caller reports a repeated row: on_duplicate(index of the row) must
    /// throw.
    template <class OnDuplicate>
    qrels(std::span<qrels_row const> rows, OnDuplicate&& on_duplicate) {
        auto numbered = detail::key_numbering<judgement>(rows, on_duplicate);
        queries_ = std::move(numbered.queries);
        documents_ = std::move(numbered.keys);
        judgements_.reserve(numbered.entries.size());
        for (auto& entries : numbered.entries) judgements_.emplace_back(std::move(entries));
    }

    /// How many questions there are.
    [[nodiscard]] std::size_t size() const noexcept { return judgements_.size(); }

    /// The key of question i. @throws trawl::error (unknown_id) if i >= size().
    [[nodiscard]] std::string_view query(std::size_t i) const { return queries_.key(i); }

    /// The number of a question. O(log size()).
    [[nodiscard]] std::optional<std::size_t> find(std::string_view query) const {
        auto const at = queries_.find(query);
        return at ? std::optional<std::size_t>(*at) : std::nullopt;
    }

    /// What is known about question i; document ids are numbers in documents().
    /// @throws trawl::error (unknown_id) if i >= size().
    [[nodiscard]] trawl::judgements const& judgements(std::size_t i) const {
        if (i >= size()) {
            detail::fail(errc::unknown_id,
                detail::join("qrels::judgements: no question ", i, ", there are ", size()));
        }
        return judgements_[i];
    }

    [[nodiscard]] ordered_keys const& queries() const noexcept { return queries_; }
    [[nodiscard]] ordered_keys const& documents() const noexcept { return documents_; }

private:
    ordered_keys queries_;
    ordered_keys documents_;
    std::vector<trawl::judgements> judgements_;
};

TRAWL_END_NAMESPACE
