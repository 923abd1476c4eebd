// SPDX-License-Identifier: MIT
#pragma once

/// The rankings of many questions, as a TREC run file holds them.

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/detail/key_numbering.hpp>
#include <trawl/eval/ordered_keys.hpp>

TRAWL_BEGIN_NAMESPACE

/// One retrieved document: query, key, value (the score). The texts are borrowed.
using run_row = detail::keyed_row<double>;

/// Questions and documents are numbered in the byte order of their keys. Scores are kept in double,
/// as the files have them: rounding to float would make ties.
class run {
public:
    struct entry {
        doc_id id = no_doc;
        double score = 0;
        friend bool operator==(entry const&, entry const&) = default;
    };

    run() = default;

    /// Rows in any order. O(n log n) time at worst.
    /// @throws trawl::error (duplicate_key) if a document is retrieved twice for one question,
    /// (not_finite) if a score is NaN or infinite.
    explicit run(std::span<run_row const> rows, std::string tag = "trawl")
        : run(rows, std::move(tag), [&](std::size_t i) {
              detail::fail(
                  errc::duplicate_key, detail::join("run: document '", rows[i].key,
                                           "' is retrieved twice for query '", rows[i].query, "'"));
          }) {}
    run(std::initializer_list<run_row> rows)
        : run(std::span<run_row const>(rows.begin(), rows.size())) {}

    /// The same, where the caller reports a repeated row: on_duplicate(index of the row) must
    /// throw.
    template <class OnDuplicate>
    run(std::span<run_row const> rows, std::string tag, OnDuplicate&& on_duplicate)
        : tag_(std::move(tag)) {
        auto numbered = detail::key_numbering<entry>(rows, on_duplicate);
        queries_ = std::move(numbered.queries);
        documents_ = std::move(numbered.keys);
        entries_ = std::move(numbered.entries);
        for (std::size_t q = 0; q < entries_.size(); ++q) {
            auto& found = entries_[q];
            for (auto const& e : found) {
                if (detail::is_finite(e.score)) continue;
                detail::fail(errc::not_finite,
                    detail::join("run: the score of document '", documents_.key(e.id),
                        "' for query '", query(q), "' is ", e.score));
            }
            if (!std::is_sorted(found.begin(), found.end(), by_score)) {
                std::sort(found.begin(), found.end(), by_score);
            }
        }
    }

    /// How many questions there are.
    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }

    /// The key of question i. @throws trawl::error (unknown_id) if i >= size().
    [[nodiscard]] std::string_view query(std::size_t i) const { return queries_.key(i); }

    /// The number of a question. O(log size()).
    [[nodiscard]] std::optional<std::size_t> find(std::string_view query) const {
        auto const at = queries_.find(query);
        return at ? std::optional<std::size_t>(*at) : std::nullopt;
    }

    /// The documents of question i: score descending, then key ascending; ids are numbers in
    /// documents().
    /// @throws trawl::error (unknown_id) if i >= size().
    [[nodiscard]] std::span<entry const> entries(std::size_t i) const {
        if (i >= size()) {
            detail::fail(errc::unknown_id,
                detail::join("run::entries: no question ", i, ", there are ", size()));
        }
        return entries_[i];
    }

    /// The same as a ranking; scores rounded to float, beyond its range to its largest number.
    /// @throws trawl::error (unknown_id) if i >= size().
    [[nodiscard]] trawl::ranking ranking(std::size_t i) const {
        constexpr double largest = 3.4028234663852886e38;
        trawl::ranking hits;
        for (auto const& e : entries(i)) {
            hits.push_back({e.id, static_cast<float>((std::clamp)(e.score, -largest, largest))});
        }
        return hits;
    }

    [[nodiscard]] ordered_keys const& queries() const noexcept { return queries_; }
    [[nodiscard]] ordered_keys const& documents() const noexcept { return documents_; }

    /// The name of the system that made it, the last column of a run file.
    [[nodiscard]] std::string const& tag() const noexcept { return tag_; }

private:
    [[nodiscard]] static bool by_score(entry const& a, entry const& b) noexcept {
        return a.score != b.score ? a.score > b.score : a.id < b.id;
    }

    std::string tag_ = "trawl";
    ordered_keys queries_;
    ordered_keys documents_;
    std::vector<std::vector<entry>> entries_;
};

TRAWL_END_NAMESPACE
