// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of trec.hpp.

#include <trawl/formats/trec.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/placed.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/number_text.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/convention.hpp>
#include <trawl/eval/qrels.hpp>
#include <trawl/eval/run.hpp>
#include <trawl/formats/detail/columns.hpp>
#include <trawl/formats/detail/last_rows.hpp>
#include <trawl/formats/lines.hpp>
#include <trawl/storage/file.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline bool is_trec_note(std::string_view line) noexcept {
    while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
    return line.empty() || line.front() == '#';
}

[[nodiscard]] inline int parse_grade(std::string_view text, line_reader const& lines) {
    auto const grade = parse_integer<int>(text);
    if (!grade) lines.fail(errc::parse, join("grade '", text, "' is not a whole number"));
    return *grade;
}

[[nodiscard]] inline bool is_grade_title(std::string_view text) noexcept {
    return text == "score" || text == "relevance" || text == "grade" || text == "label"
           || text == "rel";
}

inline void check_trec_word(std::string_view what, std::string_view word) {
    if (word.empty() || std::any_of(word.begin(), word.end(), is_space)) {
        fail(errc::invalid_argument, join("a TREC file cannot hold the ", what, " '", word,
                                         "': it is empty or has white space"));
    }
}

[[noreturn]] TRAWL_COLD inline void bad_rank(
    line_reader const& lines, std::span<std::string_view const> column) {
    lines.fail(errc::parse, join("rank '", column[3], "' of document '", column[2],
                                "' is not a number: a document's key cannot have white space"));
}

/// Whether a line of 6 columns lacks its tag and has a key of two words, the second a number
/// ("Apollo 11"): its rank is read as the score, its score as the tag.
/// @param position  of the line among those of its query, from 0
/// @param first_tag  of the first line: other lines have the same
[[nodiscard]] inline bool lacks_tag(std::span<std::string_view const> column, double score,
    std::size_t position, std::string_view first_tag) noexcept {
    auto const is_rank = [&](double value) {
        auto const rank = static_cast<double>(position);
        return value == rank || value == rank + 1;
    };
    return column[5] != first_tag && is_rank(score) && !is_rank(*parse_double(column[3]))
           && parse_double(column[5]);
}

inline void check_trec_query(std::string_view query) {
    check_trec_word("query", query);
    if (query.front() == '#') {
        fail(errc::invalid_argument,
            join("a TREC file cannot hold the query '", query, "': its lines would be comments"));
    }
    if (query.starts_with("\xEF\xBB\xBF")) {
        fail(errc::invalid_argument, join("a TREC file cannot hold the query '", query,
                                         "': it begins with a byte order mark"));
    }
}

// Reads a line of a run that differs from the line before only in document, rank and score, with
// one blank between columns. Its other columns are compared, not split again.
class alike_lines {
public:
    explicit alike_lines(std::string_view text) noexcept : text_end_(text.data() + text.size()) {}

    /// Learns from a line that has been split.
    void learn(std::string_view line, std::span<std::string_view const> column) noexcept {
        auto const end = line.data() + line.size();
        query_ = column[0];
        before_ = {line.data(), static_cast<std::size_t>(column[2].data() - line.data())};
        after_ = {};
        auto const score_end = column[4].data() + column[4].size();
        if (end != text_end_ && *end == '\n')
            after_ = {score_end, static_cast<std::size_t>(end + 1 - score_end)};
    }

    /// Reads the row of the line at the beginning of `rest`.
    /// @return Its length, or 0 if the line must be split.
    [[nodiscard]] std::size_t read(std::string_view rest, run_row& row) const noexcept {
        if (after_.empty() || rest.substr(0, before_.size()) != before_) return 0;
        auto const* const key = rest.data() + before_.size();
        auto const* const key_end = end_of_word(key, text_end_);
        if (key == key_end || !is_blank_at(key_end)) return 0;
        auto const* rank_end = key_end + 1;
        while (rank_end != text_end_ && *rank_end >= '0' && *rank_end <= '9') ++rank_end;
        if (rank_end == key_end + 1 || !is_blank_at(rank_end)) return 0;
        auto const* const score = rank_end + 1;
        auto const* const score_end = end_of_word(score, text_end_);
        auto const value = parse_plain({score, static_cast<std::size_t>(score_end - score)});
        auto const left = static_cast<std::size_t>(text_end_ - score_end);
        if (!value || std::string_view(score_end, left).substr(0, after_.size()) != after_)
            return 0;
        row = {query_, {key, static_cast<std::size_t>(key_end - key)}, *value};
        return static_cast<std::size_t>(score_end - rest.data()) + after_.size();
    }

private:
    [[nodiscard]] bool is_blank_at(char const* at) const noexcept {
        return at != text_end_ && (*at == ' ' || *at == '\t');
    }

    char const* text_end_;
    std::string_view query_;
    std::string_view before_; // the document, from the beginning of a line
    std::string_view after_;  // the score, to the beginning of the next line
};

} // namespace detail

TRAWL_INLINE run parse_run(
    std::string_view text, std::string_view name, repeated_documents repeated) {
    std::vector<run_row> rows;
    constexpr std::size_t shortest = 12; // of a line
    rows.reserve(text.size() / (std::max)(text.substr(0, text.find('\n')).size() + 1, shortest));
    std::string_view tag = "trawl";
    std::size_t query_begin = 0; // among the rows
    std::array<std::string_view, 6> column;
    detail::alike_lines alike(text);
    line_reader lines(text, name);
    for (run_row row;;) {
        if (auto const size = alike.read(lines.rest(), row); size > 0) {
            rows.push_back(row);
            lines.skip(size);
            continue;
        }
        std::string_view line;
        if (!lines.next(line)) break;
        if (line.empty() || detail::is_trec_note(line)) continue;
        auto const count = detail::split_columns(line, column);
        if (count < column.size()) {
            lines.fail(errc::parse,
                detail::join(
                    "a run has 6 columns, query Q0 document rank score tag; here are ", count));
        }
        // More words, and a number for a tag: the columns are shifted by a key with white space.
        if (!detail::parse_double(column[3])
            || (count > column.size() && detail::parse_double(column[5]))) {
            detail::bad_rank(lines, column);
        }
        auto const score = detail::parse_double(column[4]);
        if (!score)
            lines.fail(errc::parse, detail::join("score '", column[4], "' is not a number"));
        if (!detail::is_finite(*score))
            lines.fail(errc::not_finite, detail::join("score '", column[4], "' is not finite"));
        if (rows.empty()) tag = column[5];
        if (rows.empty() || rows.back().query != column[0]) query_begin = rows.size();
        if (detail::lacks_tag(column, *score, rows.size() - query_begin, tag)) {
            lines.fail(errc::parse,
                detail::join("the tag '", column[5], "' is a number other than '", tag,
                    "' on the first line, and the line's rank is in place of the score, '",
                    column[4],
                    "': a document's key cannot have white space, and the tag cannot be left out"));
        }
        rows.push_back({column[0], column[2], *score});
        alike.learn(line, column);
    }
    if (repeated == repeated_documents::keep_last) detail::keep_last_rows(rows);
    return run(rows, std::string(tag), [&](std::size_t i) {
        detail::fail_at(errc::duplicate_key, name, detail::line_of(text, rows[i].key),
            detail::join(
                "document '", rows[i].key, "' is there twice for query '", rows[i].query, "'"));
    });
}

TRAWL_INLINE qrels parse_qrels(std::string_view text, std::string_view name) {
    std::vector<qrels_row> rows;
    std::array<std::string_view, 4> column;
    bool first = true;
    bool beir = false;
    line_reader lines(text, name);
    for (std::string_view line; lines.next(line);) {
        if (is_blank(line) || (!beir && detail::is_trec_note(line))) continue;
        if (first) {
            first = false;
            beir = detail::split_tabs(line, column) == 3;
            if (beir && detail::is_grade_title(column[2])) continue;
        }
        auto const count =
            beir ? detail::split_tabs(line, column) : detail::split_columns(line, column);
        if (count != (beir ? 3u : 4u)) {
            lines.fail(errc::parse,
                beir ? "judgements have 3 columns between tabs, query document grade"
                     : "judgements have 4 columns, query iteration document grade (or 3 between "
                       "tabs)");
        }
        auto const grade = detail::parse_grade(column[beir ? 2 : 3], lines);
        rows.push_back({column[0], column[beir ? 1 : 2], grade});
    }
    return qrels(rows, [&](std::size_t i) {
        detail::fail_at(errc::duplicate_key, name, detail::line_of(text, rows[i].key),
            detail::join(
                "document '", rows[i].key, "' is judged twice for query '", rows[i].query, "'"));
    });
}

TRAWL_INLINE run read_run(std::string const& path, repeated_documents repeated) {
    return parse_run(read_file(path), path, repeated);
}

TRAWL_INLINE qrels read_qrels(std::string const& path) {
    return parse_qrels(read_file(path), path);
}

TRAWL_INLINE detail::run_lines::run_lines(std::string_view query, std::string_view tag)
    : query_(query), tag_(tag) {
    check_trec_query(query);
    check_trec_word("tag", tag);
}

TRAWL_INLINE void detail::run_lines::add(std::string_view key, float score) {
    if (!is_finite(score)) {
        fail(errc::not_finite, join("append_run: the score of document '", key, "' is ", score));
    }
    before_ = rank_ == 0 ? score : placed(score, before_);
    if (!is_finite(before_))
        fail(errc::not_finite, "append_run: there is no float below the lowest score");
    check_trec_word("key", key);
    char digits[32];
    auto const* const end =
        std::to_chars(digits, digits + sizeof digits, before_, std::chars_format::general, 9).ptr;
    text_ += join(query_, " Q0 ", key, " ", ++rank_, " ",
        std::string_view(digits, static_cast<std::size_t>(end - digits)), " ", tag_, "\n");
}

TRAWL_INLINE std::string to_text(run const& found) {
    std::string out;
    for (std::size_t q = 0; q < found.size(); ++q) {
        detail::check_trec_query(found.query(q));
        detail::check_trec_word("tag", found.tag());
        std::size_t rank = 0;
        for (auto const& e : found.entries(q)) {
            auto const key = found.documents().key(e.id);
            detail::check_trec_word("key", key);
            out += detail::join(
                found.query(q), " Q0 ", key, " ", ++rank, " ", e.score, " ", found.tag(), "\n");
        }
    }
    return out;
}

TRAWL_INLINE std::string to_text(qrels const& judged) {
    std::string out;
    for (std::size_t q = 0; q < judged.size(); ++q) {
        detail::check_trec_query(judged.query(q));
        for (auto const& j : judged.judgements(q).all()) {
            auto const key = judged.documents().key(j.id);
            detail::check_trec_word("key", key);
            out += detail::join(judged.query(q), " 0 ", key, " ", j.grade, "\n");
        }
    }
    return out;
}

TRAWL_INLINE void write_run(std::string const& path, run const& found) {
    write_file(path, to_text(found));
}

TRAWL_INLINE void write_qrels(std::string const& path, qrels const& judged) {
    write_file(path, to_text(judged));
}

TRAWL_END_NAMESPACE
