// SPDX-License-Identifier: MIT
#pragma once

/// TREC's run and qrels files, and BEIR's judgements.
///
/// A line of a run is "query Q0 document rank score tag". The score decides the order; the rank must
/// be a number and is ignored, and so is what follows the tag. A key with white space shifts the
/// columns, which is an error: its rank is no number; or the tag is a number and more words follow;
/// or, if there is no tag, the tag's place holds numbers that differ, and the score's the ranks. A
/// single such line without a tag ("q Q0 Apollo 11 1 9.5") cannot be told from a run of a document
/// Apollo.
///
/// A line of judgements is "query iteration document grade" (TREC) or
/// "query<TAB>document<TAB>grade" (BEIR), whose first line may be a header; the first line shows
/// which. Blank lines are skipped, and so are lines of TREC files that begin with #. Messages of
/// errors begin with "FILE:LINE: ". Reading takes O(n log n) time at worst, n bytes.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <trawl/core/words.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/convention.hpp>
#include <trawl/eval/qrels.hpp>
#include <trawl/eval/run.hpp>

TRAWL_BEGIN_NAMESPACE

/// Reads a run from a text.
/// @param name  The name of the file, for error messages.
/// @param repeated  What to do with a document that a query has twice.
/// @throws trawl::error (parse, not_finite, duplicate_key).
[[nodiscard]] run parse_run(std::string_view text, std::string_view name,
    repeated_documents repeated = repeated_documents::fail);

/// Reads judgements from a text, TREC's or BEIR's.
/// @param name  The name of the file, for error messages.
/// @throws trawl::error (parse, duplicate_key).
[[nodiscard]] qrels parse_qrels(std::string_view text, std::string_view name);

/// @throws trawl::error (io, parse, not_finite, duplicate_key).
[[nodiscard]] run read_run(
    std::string const& path, repeated_documents repeated = repeated_documents::fail);

/// @throws trawl::error (io, parse, duplicate_key).
[[nodiscard]] qrels read_qrels(std::string const& path);

namespace detail {

// Collects the lines of one query.
class run_lines {
public:
    run_lines(std::string_view query, std::string_view tag);
    void add(std::string_view key, float score);
    [[nodiscard]] std::string const& text() const noexcept { return text_; }

private:
    std::string_view query_;
    std::string_view tag_;
    std::string text_;
    std::size_t rank_ = 0;
    float before_ = 0;
};

} // namespace detail

/// Appends the lines of one query to the text of a run. Ranks start at 1, scores have 9 significant
/// digits. The order of the hits is kept when a tool sorts the lines by score: a score that is not
/// below the one before it is written as the next lower float.
/// @param key_of  Returns the key of a doc_id, as a std::string or std::string_view.
/// @throws trawl::error (invalid_argument) if the query, the tag or a key is empty or has white
/// space, or the query begins with #; (not_finite) for a score that is not finite. The text is then
/// unchanged.
template <class KeyOf>
void append_run(std::string& out, std::string_view query, std::span<hit const> hits, KeyOf&& key_of,
    std::string_view tag = "trawl") {
    detail::run_lines lines(query, tag);
    for (auto const& h : hits) lines.add(key_of(h.id), h.score);
    out += lines.text();
}

/// The text of a run file, queries in the byte order of their keys. Scores are written so that they
/// read back as the same numbers: equal scores stay equal, and every measure keeps its value.
/// @throws trawl::error (invalid_argument) for a query, key or tag that append_run refuses.
[[nodiscard]] std::string to_text(run const& found);

/// The text of a TREC qrels file, in the byte order of queries and documents.
/// @throws trawl::error (invalid_argument) for a key that is empty or has white space, or a query
/// that begins with # or a byte order mark.
[[nodiscard]] std::string to_text(qrels const& judged);

/// @throws trawl::error (io) and as to_text.
void write_run(std::string const& path, run const& found);

/// @throws trawl::error (io) and as to_text.
void write_qrels(std::string const& path, qrels const& judged);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/formats/detail/trec_inl.hpp>
#endif
