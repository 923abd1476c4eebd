// SPDX-License-Identifier: MIT
#pragma once

/// Collections in the format of BEIR: corpus.jsonl (_id, title, text) and queries.jsonl (_id, text) or
/// queries.tsv (id, tab, text). An _id is a string or a whole number; the title may be missing; other
/// fields are ignored. formats/trec.hpp reads the judgements. Messages of errors begin with
/// "FILE:LINE: ". Reading takes O(n) time, n bytes.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <trawl/core/key_table.hpp>
#include <trawl/core/words.hpp>
#include <trawl/error.hpp>
#include <trawl/formats/detail/columns.hpp>
#include <trawl/formats/json.hpp>
#include <trawl/formats/lines.hpp>
#include <trawl/storage/file.hpp>

TRAWL_BEGIN_NAMESPACE

/// The documents in the order of the file: document i is that of line i, not counting blank lines.
struct beir_corpus {
    key_table keys = {};
    std::vector<std::string> titles = {}; ///< by doc_id, empty where there is none
    std::vector<std::string> texts = {};  ///< by doc_id

    [[nodiscard]] std::size_t size() const noexcept { return texts.size(); }

    /// The text to search: title, a blank, text; only the text if there is no title.
    [[nodiscard]] std::string searched(doc_id id) const {
        return titles[id].empty() ? texts[id] : titles[id] + " " + texts[id];
    }
};

/// The queries in the order of the file.
struct beir_queries {
    key_table keys = {};
    std::vector<std::string> texts = {};

    [[nodiscard]] std::size_t size() const noexcept { return texts.size(); }
};

namespace detail {

/// The fields of one line.
struct beir_record {
    std::optional<std::string> id = {};
    std::optional<std::string> title = {};
    std::optional<std::string> text = {};
};

// Takes the three fields from the outermost object as the parser comes by; builds no tree.
class beir_sax {
public:
    using number_integer_t = nlohmann::json::number_integer_t;
    using number_unsigned_t = nlohmann::json::number_unsigned_t;
    using number_float_t = nlohmann::json::number_float_t;
    using string_t = nlohmann::json::string_t;
    using binary_t = nlohmann::json::binary_t;

    beir_record record;
    std::string reason; ///< what is wrong; empty if nothing

    bool null() { return value(); }
    bool boolean(bool) { return value(); }
    bool number_integer(number_integer_t n) { return number(n); }
    bool number_unsigned(number_unsigned_t n) { return number(n); }
    bool number_float(number_float_t, string_t const&) { return value(); }
    bool binary(binary_t&) { return value(); }
    bool string(string_t& text) {
        if (wanted_ == nullptr || depth_ != 1) return value();
        if (*wanted_) return stop(join("field '", name_, "' is there twice"));
        *wanted_ = std::move(text);
        wanted_ = nullptr;
        return true;
    }
    bool start_object(std::size_t) { return open(); }
    bool start_array(std::size_t) {
        if (depth_ == 0) return stop("is no object");
        return open();
    }
    bool end_object() {
        --depth_;
        return true;
    }
    bool end_array() { return end_object(); }
    bool key(string_t& name) {
        if (depth_ != 1) return true;
        wanted_ = name == "_id" ? &record.id : name == "title" ? &record.title : nullptr;
        if (name == "text") wanted_ = &record.text;
        name_ = name;
        return true;
    }
    bool parse_error(std::size_t, std::string const&, nlohmann::detail::exception const& e) {
        reason = json_reason(e.what());
        return false;
    }

private:
    bool stop(std::string what) {
        reason = std::move(what);
        return false;
    }
    bool open() {
        if (depth_ == 1 && !value()) return false;
        ++depth_;
        return true;
    }
    template <class Number>
    bool number(Number n) {
        if (depth_ != 1 || wanted_ != &record.id) return value();
        auto text = join(n);
        return string(text);
    }
    // A value that is no text.
    bool value() {
        if (depth_ == 0) return stop("is no object");
        if (depth_ == 1 && wanted_ == &record.title) wanted_ = nullptr; // "title": null
        if (depth_ == 1 && wanted_ != nullptr)
            return stop(join("field '", name_, "' is not a string"));
        return true;
    }

    std::size_t depth_ = 0;
    std::optional<std::string>* wanted_ = nullptr; ///< where the next value goes
    std::string name_;
};

[[nodiscard]] inline beir_record parse_beir_line(std::string_view line, line_reader const& lines) {
    beir_sax sax;
    bool const good = nlohmann::json::sax_parse(line.begin(), line.end(), &sax);
    if (!good) lines.fail(errc::parse, sax.reason);
    if (!sax.record.id) lines.fail(errc::parse, "has no _id");
    if (!sax.record.text) lines.fail(errc::parse, "has no text");
    return std::move(sax.record);
}

inline void add_beir_key(key_table& keys, std::string_view key, line_reader const& lines,
    std::vector<std::size_t>& numbers) {
    if (auto const there = keys.find(key)) {
        lines.fail(
            errc::duplicate_key, join("_id '", key, "' is in line ", numbers[*there], " already"));
    }
    keys.add(key);
    numbers.push_back(lines.number());
}

[[nodiscard]] inline bool is_query_title(std::string_view id, std::string_view text) noexcept {
    return (text == "text" || text == "query")
           && (id == "_id" || id == "id" || id == "qid" || id == "query-id" || id == "query_id");
}

} // namespace detail

/// Reads a corpus from a text.
/// @param name  The name of the file, for error messages.
/// @throws trawl::error (parse, duplicate_key).
[[nodiscard]] inline beir_corpus parse_corpus(std::string_view text, std::string_view name) {
    beir_corpus out;
    std::vector<std::size_t> numbers;
    line_reader lines(text, name);
    for (std::string_view line; lines.next(line);) {
        if (is_blank(line)) continue;
        auto record = detail::parse_beir_line(line, lines);
        detail::add_beir_key(out.keys, *record.id, lines, numbers);
        out.titles.push_back(std::move(record.title).value_or(std::string{}));
        out.texts.push_back(std::move(*record.text));
    }
    return out;
}

/// Reads queries from a text, jsonl or tsv; the first character shows which. A tsv may have a header,
/// "_id" or "query-id" and "text".
/// @param name  The name of the file, for error messages.
/// @throws trawl::error (parse, duplicate_key).
[[nodiscard]] inline beir_queries parse_queries(std::string_view text, std::string_view name) {
    beir_queries out;
    std::vector<std::size_t> numbers;
    std::optional<bool> json;
    line_reader lines(text, name);
    for (std::string_view line; lines.next(line);) {
        if (is_blank(line)) continue;
        bool const first = !json;
        if (first) json = line.find_first_not_of(" \t") == line.find('{');
        if (*json) {
            auto record = detail::parse_beir_line(line, lines);
            detail::add_beir_key(out.keys, *record.id, lines, numbers);
            out.texts.push_back(std::move(*record.text));
            continue;
        }
        std::array<std::string_view, 2> field;
        if (auto const count = detail::split_tabs(line, field); count != 2) {
            lines.fail(errc::parse,
                detail::join("a query has 2 columns between tabs, id and text; here are ", count));
        }
        if (first && detail::is_query_title(field[0], field[1])) continue;
        detail::add_beir_key(out.keys, field[0], lines, numbers);
        out.texts.emplace_back(field[1]);
    }
    return out;
}

/// @throws trawl::error (io, parse, duplicate_key).
[[nodiscard]] inline beir_corpus read_corpus(std::string const& path) {
    return parse_corpus(read_file(path), path);
}

/// @throws trawl::error (io, parse, duplicate_key).
[[nodiscard]] inline beir_queries read_queries(std::string const& path) {
    return parse_queries(read_file(path), path);
}

TRAWL_END_NAMESPACE
