// SPDX-License-Identifier: MIT
#pragma once

/// Metadata in lines of JSON, and conditions on it.

#include <optional>
#include <string>
#include <vector>

#include <trawl/collection/condition.hpp>
#include <trawl/collection/metadata_table.hpp>
#include <trawl/core/doc_set.hpp>

namespace cli {

/// The members of a corpus' documents besides _id, title and text, as typed fields; those of a member
/// "metadata" too. A field of which every value is a date (ISO 8601) is a field of dates; one of
/// values of several types is text. Null and nested values are left out.
/// @param path  jsonl, a document a line; blank lines are no documents.
/// @throws trawl::error (io, parse), "FILE:LINE: " before its text.
[[nodiscard]] trawl::metadata_table read_metadata(std::string const& path);

/// The condition of each query of a jsonl file: of its member "where", in text or JSON. Nothing where
/// a query has none; empty if the file is no jsonl.
/// @throws trawl::error (parse), "FILE:LINE: " before its text.
[[nodiscard]] std::vector<std::optional<trawl::condition>> read_conditions(std::string const& path);

/// Which documents each query may find.
class eligibility {
public:
    /// Every document.
    eligibility() = default;

    /// @param where  a condition for all queries; empty: none.
    /// @param queries  a file of queries, which may have conditions of their own; empty: none.
    /// @throws trawl::error as read_metadata, read_conditions and validate.
    eligibility(std::string const& corpus, std::string const& where, std::string const& queries);

    /// Of query number i of the file.
    [[nodiscard]] trawl::filter of_query(std::size_t i) const;

    /// Whether a query may find less than everything.
    [[nodiscard]] bool restricts() const noexcept { return common_ || !own_.empty(); }

private:
    std::optional<trawl::doc_set> common_ = {};
    std::vector<std::optional<trawl::doc_set>> own_ = {};
};

} // namespace cli
