// SPDX-License-Identifier: MIT
#pragma once

/// TREC's run and qrels files, and BEIR's judgements.
///
/// A run line is "query Q0 document rank score tag"; what follows is ignored, and so is the rank:
/// the score decides. A judgement line is "query iteration document grade" (TREC) or
/// "query<TAB>document<TAB>grade", the first line perhaps a header (BEIR); the first line shows
/// which. Blank lines, and TREC lines that begin with #, are passed over. Errors begin "FILE:LINE:
/// ".

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
#include <trawl/formats/detail/lines.hpp>
#include <trawl/storage/file.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline bool is_trec_note(std::string_view line) noexcept {
    while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
    return line.empty() || line.front() == '#';
}

[[nodiscard]] inline int parse_grade(
    std::string_view text, std::string_view file, std::size_t line) {
    auto const grade = parse_integer<int>(text);
    if (!grade) fail_at(errc::parse, file, line, join("grade '", text, "' is not a whole number"));
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

inline void check_trec_query(std::string_view query) {
    check_trec_word("query", query);
    if (query.front() == '#') {
        fail(errc::invalid_argument,
            join("a TREC file cannot hold the query '", query, "': its lines would be comments"));
    }
}

} // namespace detail

namespace detail {

// Lines of a run that are as the one before, with one blank between columns: "query Q0 " and "
// tag\n" are compared, not split again.
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

    /// The row of the line at the beginning of `rest`, and how long it is; 0 if it must be split.
    [[nodiscard]] std::size_t read(std::string_view rest, run_row& row) const noexcept {
        if (after_.empty() || rest.substr(0, before_.size()) != before_) return 0;
        auto const* const key = rest.data() + before_.size();
        auto const* const key_end = end_of_word(key, text_end_);
        if (key == key_end || !is_blank_at(key_end)) return 0;
        auto const* const rank_end = end_of_word(key_end + 1, text_end_);
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

/// Reads a run from a text; `name` stands for the file in errors.
/// @param repeated  What becomes of a document that is there twice for one question.
/// @throws trawl::error (parse, not_finite, duplicate_key).
[[nodiscard]] inline run parse_run(std::string_view text, std::string_view name,
    repeated_documents repeated = repeated_documents::fail) {
    std::vector<run_row> rows;
    constexpr std::size_t shortest = 12; // of a line
    rows.reserve(text.size() / (std::max)(text.substr(0, text.find('\n')).size() + 1, shortest));
    std::string_view tag = "trawl";
    std::array<std::string_view, 6> column;
    detail::alike_lines alike(text);
    detail::line_reader lines(text);
    for (run_row row;;) {
        if (auto const size = alike.read(lines.rest(), row); size > 0) {
            rows.push_back(row);
            lines.pass(size);
            continue;
        }
        std::string_view line;
        if (!lines.next(line)) break;
        if (line.empty() || detail::is_trec_note(line)) continue;
        if (auto const count = detail::split_columns(line, column); count < column.size()) {
            detail::fail_at(errc::parse, name, lines.number(),
                detail::join(
                    "a run has 6 columns, query Q0 document rank score tag; here are ", count));
        }
        auto const score = detail::parse_double(column[4]);
        if (!score) {
            detail::fail_at(errc::parse, name, lines.number(),
                detail::join("score '", column[4], "' is not a number"));
        }
        if (!detail::is_finite(*score)) {
            detail::fail_at(errc::not_finite, name, lines.number(),
                detail::join("score '", column[4], "' is not finite"));
        }
        if (rows.empty()) tag = column[5];
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

/// Reads judgements from a text, TREC's or BEIR's; `name` stands for the file in errors.
/// @throws trawl::error (parse, duplicate_key).
[[nodiscard]] inline qrels parse_qrels(std::string_view text, std::string_view name) {
    std::vector<qrels_row> rows;
    std::array<std::string_view, 4> column;
    bool first = true;
    bool beir = false;
    detail::line_reader lines(text);
    for (std::string_view line; lines.next(line);) {
        if (detail::is_blank(line) || (!beir && detail::is_trec_note(line))) continue;
        if (first) {
            first = false;
            beir = detail::split_tabs(line, column) == 3;
            if (beir && detail::is_grade_title(column[2])) continue;
        }
        auto const count =
            beir ? detail::split_tabs(line, column) : detail::split_columns(line, column);
        if (count != (beir ? 3u : 4u)) {
            detail::fail_at(errc::parse, name, lines.number(),
                beir ? "judgements have 3 columns between tabs, query document grade"
                     : "judgements have 4 columns, query iteration document grade (or 3 between "
                       "tabs)");
        }
        auto const grade = detail::parse_grade(column[beir ? 2 : 3], name, lines.number());
        rows.push_back({column[0], column[beir ? 1 : 2], grade});
    }
    return qrels(rows, [&](std::size_t i) {
        detail::fail_at(errc::duplicate_key, name, detail::line_of(text, rows[i].key),
            detail::join(
                "document '", rows[i].key, "' is judged twice for query '", rows[i].query, "'"));
    });
}

/// @throws trawl::error (io, parse, not_finite, duplicate_key).
[[nodiscard]] inline run read_run(
    std::string const& path, repeated_documents repeated = repeated_documents::fail) {
    return parse_run(read_file(path), path, repeated);
}

/// @throws trawl::error (io, parse, duplicate_key).
[[nodiscard]] inline qrels read_qrels(std::string const& path) {
    return parse_qrels(read_file(path), path);
}

/// Appends the lines of one question to the text of a run. Ranks start at 1. Scores have 9
/// significant digits; one that would not fall is written one float step below the one before, so
/// that the order stays when trec_eval sorts the lines again.
/// @param key_of  Gives the key of a doc_id.
/// @throws trawl::error (invalid_argument) for a word that is empty or has white space, a query
/// that begins with #, (not_finite) for a score that is not finite; the text is then as it was.
template <class KeyOf>
void append_run(std::string& out, std::string_view query, std::span<hit const> hits, KeyOf&& key_of,
    std::string_view tag = "trawl") {
    detail::check_trec_query(query);
    detail::check_trec_word("tag", tag);
    std::string lines;
    float before = 0;
    for (std::size_t i = 0; i < hits.size(); ++i) {
        auto const key = key_of(hits[i].id);
        if (!detail::is_finite(hits[i].score)) {
            detail::fail(errc::not_finite,
                detail::join("append_run: the score of document '", key, "' is ", hits[i].score));
        }
        auto const score = i == 0 ? hits[i].score : placed(hits[i].score, before);
        if (!detail::is_finite(score)) {
            detail::fail(errc::not_finite, "append_run: there is no float below the lowest score");
        }
        before = score;
        std::string_view const word = key;
        detail::check_trec_word("key", word);
        char digits[32];
        auto const end =
            std::to_chars(digits, digits + sizeof digits, score, std::chars_format::general, 9).ptr;
        detail::append_text(lines, query);
        lines += " Q0 ";
        detail::append_text(lines, word);
        lines += ' ';
        detail::append_text(lines, i + 1);
        lines += ' ';
        lines.append(digits, end);
        lines += ' ';
        detail::append_text(lines, tag);
        lines += '\n';
    }
    out += lines;
}

/// The text of a run file, questions in the byte order of their keys.
/// @throws trawl::error as append_run.
[[nodiscard]] inline std::string to_text(run const& found) {
    std::string out;
    for (std::size_t q = 0; q < found.size(); ++q) {
        append_run(
            out, found.query(q), found.ranking(q),
            [&](doc_id id) { return found.documents().key(id); }, found.tag());
    }
    return out;
}

/// The text of a TREC qrels file, in the byte order of questions and documents.
/// @throws trawl::error (invalid_argument) for a key that is empty or has white space, a query that
/// begins with #.
[[nodiscard]] inline std::string to_text(qrels const& judged) {
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

/// @throws trawl::error (io) and as to_text.
inline void write_run(std::string const& path, run const& found) {
    write_file(path, to_text(found));
}

/// @throws trawl::error (io) and as to_text.
inline void write_qrels(std::string const& path, qrels const& judged) {
    write_file(path, to_text(judged));
}

TRAWL_END_NAMESPACE
