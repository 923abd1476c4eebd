// SPDX-License-Identifier: MIT
#pragma once

/// Runs and judgements as JSON, {"query": {"document": number, …}, …}: what ranx saves, and
/// pytrec_eval and BEIR keep in memory. Messages of errors begin with "FILE:LINE: ". Reading takes
/// O(n log n) time at worst, n bytes.

#include <cstddef>
#include <deque>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <trawl/error.hpp>
#include <trawl/eval/convention.hpp>
#include <trawl/eval/qrels.hpp>
#include <trawl/eval/run.hpp>
#include <trawl/formats/detail/columns.hpp>
#include <trawl/formats/detail/last_rows.hpp>
#include <trawl/formats/json.hpp>
#include <trawl/storage/file.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// Goes through a text for the parser and tells how far it has come.
class watched_text {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = char const*;
    using reference = char const&;

    watched_text(char const* at, char const** reached) noexcept : at_(at), reached_(reached) {}

    reference operator*() const noexcept { return *at_; }
    watched_text& operator++() noexcept {
        *reached_ = ++at_;
        return *this;
    }
    watched_text operator++(int) noexcept {
        auto const before = *this;
        ++*this;
        return before;
    }
    friend bool operator==(watched_text const& a, watched_text const& b) noexcept {
        return a.at_ == b.at_;
    }

private:
    char const* at_;
    char const** reached_;
};

// Collects the rows while the parser reads; builds no tree.
class nested_sax {
public:
    using number_integer_t = nlohmann::json::number_integer_t;
    using number_unsigned_t = nlohmann::json::number_unsigned_t;
    using number_float_t = nlohmann::json::number_float_t;
    using string_t = nlohmann::json::string_t;
    using binary_t = nlohmann::json::binary_t;

    nested_sax(char const* const* reached, bool grades) noexcept
        : reached_(reached), grades_(grades) {}

    std::vector<run_row> rows;
    std::vector<char const*> places; ///< of the rows in the text
    std::string reason;              ///< what is wrong; empty if nothing

    bool null() { return no_number(); }
    bool boolean(bool) { return no_number(); }
    bool string(string_t&) { return no_number(); }
    bool binary(binary_t&) { return no_number(); }
    bool start_array(std::size_t) { return no_number(); }
    bool end_array() { return true; }
    bool number_integer(number_integer_t n) { return whole(n); }
    bool number_unsigned(number_unsigned_t n) { return whole(n); }
    bool number_float(number_float_t n, string_t const& text) {
        if (grades_) return stop(join("grade ", text, " is not a whole number"));
        return add(n);
    }
    bool start_object(std::size_t) {
        if (++depth_ > 2) return stop("objects are nested too deep");
        return true;
    }
    bool end_object() {
        --depth_;
        return true;
    }
    bool key(string_t& name) {
        texts_.push_back(std::move(name));
        (depth_ == 1 ? query_ : document_) = texts_.back();
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
    bool no_number() {
        return stop(depth_ < 2
                        ? "is no object of objects"
                        : join("document '", document_, "' of query '", query_, "' has no number"));
    }
    template <class Number>
    bool whole(Number n) {
        if (grades_ && !std::in_range<int>(n)) return stop(join("grade ", n, " is too large"));
        return add(static_cast<double>(n)); // exact for grades
    }
    bool add(double value) {
        if (depth_ != 2) return no_number();
        rows.push_back({query_, document_, value});
        places.push_back(*reached_);
        return true;
    }

    char const* const* reached_;
    bool grades_;
    std::deque<std::string> texts_; // the rows borrow them
    std::size_t depth_ = 0;
    std::string_view query_;
    std::string_view document_;
};

// Calls visit(rows, fail(code, index of a row, reason)) with the rows of a JSON text.
template <class Visit>
auto visit_nested(std::string_view text, std::string_view name, bool grades, Visit const& visit) {
    auto const* reached = text.data();
    auto const fail_there = [&](errc code, char const* place, std::string_view reason) {
        // The parser reads one character ahead.
        auto const read = static_cast<std::size_t>(place - text.data());
        fail_at(code, name, line_of(text, read == 0 ? 0 : read - 1), reason);
    };
    nested_sax sax(&reached, grades);
    auto const* const end = text.data() + text.size();
    if (!nlohmann::json::sax_parse(
            watched_text(text.data(), &reached), watched_text(end, &reached), &sax))
        fail_there(errc::parse, reached, sax.reason);
    return visit(sax.rows, [&](std::size_t i, std::string_view reason) {
        fail_there(errc::duplicate_key, sax.places[i], reason);
    });
}

} // namespace detail

/// Reads a run from a text of JSON.
/// @param name  The name of the file, for error messages.
/// @param repeated  What to do with a document that a query has twice.
/// @throws trawl::error (parse, not_finite, duplicate_key).
[[nodiscard]] inline run parse_json_run(std::string_view text, std::string_view name,
    repeated_documents repeated = repeated_documents::fail) {
    return detail::visit_nested(
        text, name, false, [&](std::vector<run_row>& rows, auto const& fail_row) {
            if (repeated == repeated_documents::keep_last) detail::keep_last_rows(rows);
            return run(rows, "trawl", [&](std::size_t i) {
                fail_row(i, detail::join("document '", rows[i].key, "' is there twice for query '",
                                rows[i].query, "'"));
            });
        });
}

/// Reads judgements from a text of JSON.
/// @param name  The name of the file, for error messages.
/// @throws trawl::error (parse, duplicate_key).
[[nodiscard]] inline qrels parse_json_qrels(std::string_view text, std::string_view name) {
    return detail::visit_nested(
        text, name, true, [&](std::vector<run_row> const& rows, auto const& fail_row) {
            std::vector<qrels_row> grades;
            grades.reserve(rows.size());
            for (auto const& r : rows)
                grades.push_back({r.query, r.key, static_cast<int>(r.value)});
            return qrels(grades, [&](std::size_t i) {
                fail_row(i, detail::join("document '", rows[i].key, "' is judged twice for query '",
                                rows[i].query, "'"));
            });
        });
}

/// @throws trawl::error (io, parse, not_finite, duplicate_key).
[[nodiscard]] inline run read_json_run(
    std::string const& path, repeated_documents repeated = repeated_documents::fail) {
    return parse_json_run(read_file(path), path, repeated);
}

/// @throws trawl::error (io, parse, duplicate_key).
[[nodiscard]] inline qrels read_json_qrels(std::string const& path) {
    return parse_json_qrels(read_file(path), path);
}

/// {"query": {"document": score, …}, …}, as ranx takes it; documents best first.
template <class Json>
void to_json(Json& out, run const& found) {
    out = Json::object();
    for (std::size_t q = 0; q < found.size(); ++q) {
        auto& hits = out[std::string(found.query(q))] = Json::object();
        for (auto const& e : found.entries(q))
            hits[std::string(found.documents().key(e.id))] = e.score;
    }
}

TRAWL_END_NAMESPACE
