// SPDX-License-Identifier: MIT
#pragma once

/// Runs and judgements as JSON, {"query": {"document": number, …}, …}: what ranx saves, and
/// pytrec_eval and BEIR keep in memory. Errors begin "FILE:LINE: ".

#include <algorithm>
#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <trawl/error.hpp>
#include <trawl/eval/convention.hpp>
#include <trawl/eval/qrels.hpp>
#include <trawl/eval/run.hpp>
#include <trawl/formats/detail/lines.hpp>
#include <trawl/formats/json.hpp>
#include <trawl/storage/file.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// Collects the rows as the parser comes by; builds no tree.
template <class Value>
class nested_sax {
public:
    using number_integer_t = nlohmann::json::number_integer_t;
    using number_unsigned_t = nlohmann::json::number_unsigned_t;
    using number_float_t = nlohmann::json::number_float_t;
    using string_t = nlohmann::json::string_t;
    using binary_t = nlohmann::json::binary_t;

    std::vector<keyed_row<Value>> rows;
    std::string reason; ///< what is wrong; empty if nothing
    std::size_t byte = 0;

    bool null() { return no_number(); }
    bool boolean(bool) { return no_number(); }
    bool string(string_t&) { return no_number(); }
    bool binary(binary_t&) { return no_number(); }
    bool start_array(std::size_t) { return no_number(); }
    bool end_array() { return true; }
    bool number_integer(number_integer_t n) { return whole(n); }
    bool number_unsigned(number_unsigned_t n) { return whole(n); }
    bool number_float(number_float_t n, string_t const& text) {
        if constexpr (std::is_same_v<Value, int>) {
            return stop(join("grade ", text, " is not a whole number"));
        } else {
            return add(n);
        }
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
    bool parse_error(std::size_t at, std::string const&, nlohmann::detail::exception const& e) {
        byte = at;
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
        if constexpr (std::is_same_v<Value, int>) {
            if (!std::in_range<int>(n)) return stop(join("grade ", n, " is too large"));
        }
        return add(static_cast<Value>(n));
    }
    bool add(Value value) {
        if (depth_ != 2) return no_number();
        rows.push_back({query_, document_, value});
        return true;
    }

    std::deque<std::string> texts_; // the rows borrow them
    std::size_t depth_ = 0;
    std::string_view query_;
    std::string_view document_;
};

template <class Value>
[[nodiscard]] nested_sax<Value> parse_nested(std::string_view text, std::string_view name) {
    nested_sax<Value> sax;
    if (!nlohmann::json::sax_parse(text.begin(), text.end(), &sax)) {
        auto const at = (std::min)(sax.byte, text.size());
        auto const line = sax.byte == 0 ? 1 : line_of(text, text.substr(at));
        fail_at(errc::parse, name, line, sax.reason);
    }
    return sax;
}

} // namespace detail

/// Reads a run from a text of JSON; `name` stands for the file in errors.
/// @param repeated  What becomes of a document that is there twice for one question.
/// @throws trawl::error (parse, not_finite, duplicate_key).
[[nodiscard]] inline run parse_json_run(std::string_view text, std::string_view name,
    repeated_documents repeated = repeated_documents::fail) {
    auto parsed = detail::parse_nested<double>(text, name);
    if (repeated == repeated_documents::keep_last) detail::keep_last_rows(parsed.rows);
    return run(parsed.rows, "trawl", [&](std::size_t i) {
        detail::fail(
            errc::duplicate_key, detail::join(name, ": document '", parsed.rows[i].key,
                                     "' is there twice for query '", parsed.rows[i].query, "'"));
    });
}

/// Reads judgements from a text of JSON; `name` stands for the file in errors.
/// @throws trawl::error (parse, duplicate_key).
[[nodiscard]] inline qrels parse_json_qrels(std::string_view text, std::string_view name) {
    auto const parsed = detail::parse_nested<int>(text, name);
    return qrels(parsed.rows, [&](std::size_t i) {
        detail::fail(
            errc::duplicate_key, detail::join(name, ": document '", parsed.rows[i].key,
                                     "' is judged twice for query '", parsed.rows[i].query, "'"));
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
