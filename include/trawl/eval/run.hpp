// SPDX-License-Identifier: MIT
#pragma once

/// The rankings of many queries, as a TREC run file holds them.

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/function_ref.hpp>
#include <trawl/core/words.hpp>
#include <trawl/eval/ordered_keys.hpp>

TRAWL_BEGIN_NAMESPACE

/// One retrieved document of a query. The texts are borrowed.
struct run_row {
    std::string_view query = {};
    std::string_view key = {};
    double value = 0; ///< the score
};

/// Rankings by query. Queries and documents have ids in the byte order of their keys. Scores are
/// kept as doubles, as files have them: rounding to float would create ties.
class run {
public:
    struct entry {
        doc_id id = no_doc;
        double score = 0;
        friend bool operator==(entry const&, entry const&) = default;
    };

    run() = default;

    /// @param rows  In any order; scores decide.
    /// @param tag  The name of the system.
    /// @throws trawl::error (duplicate_key) if a document is retrieved twice for one query,
    /// (not_finite) if a score is NaN or infinite.
    /// @par Complexity O(n log n).
    explicit run(std::span<run_row const> rows, std::string tag = "trawl");
    run(std::initializer_list<run_row> rows)
        : run(std::span<run_row const>(rows.begin(), rows.size())) {}

    /// The same, with an error message of the caller's for a repeated row.
    /// @param on_duplicate  Called with the index of the row; it must throw.
    run(std::span<run_row const> rows, std::string tag,
        function_ref<void(std::size_t)> on_duplicate);

    /// The number of queries.
    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }

    /// The key of query i. @throws trawl::error (unknown_id) if i >= size().
    [[nodiscard]] std::string_view query(std::size_t i) const { return queries_.key(i); }

    /// The index of a query, or none. O(log size()).
    [[nodiscard]] std::optional<std::size_t> find(std::string_view query) const;

    /// The documents of query i, by descending score, then ascending key. Their ids are those of
    /// documents().
    /// @throws trawl::error (unknown_id) if i >= size().
    [[nodiscard]] std::span<entry const> entries(std::size_t i) const;

    /// The same as a ranking. Scores are rounded to float; those out of range become the largest
    /// float.
    /// @throws trawl::error (unknown_id) if i >= size().
    [[nodiscard]] trawl::ranking ranking(std::size_t i) const;

    [[nodiscard]] ordered_keys const& queries() const noexcept { return queries_; }
    [[nodiscard]] ordered_keys const& documents() const noexcept { return documents_; }

    /// The name of the system, the last column of a run file.
    [[nodiscard]] std::string const& tag() const noexcept { return tag_; }

private:
    void fill(std::span<run_row const> rows, function_ref<void(std::size_t)> on_duplicate);

    std::string tag_ = "trawl";
    ordered_keys queries_;
    ordered_keys documents_;
    std::vector<std::vector<entry>> entries_;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/run_inl.hpp>
#endif
