// SPDX-License-Identifier: MIT
#pragma once

/// A question as people type it.
///
///     dead lock            either word, better both
///     +dead -lock          the first must be there, the second must not
///     "dead lock"          side by side; "dead lock"~2 up to two places out of line
///     ref*                 words that begin so
///     refnd~  refnd~1      misspelt words, two edits or one
///     refund^2             counts twice; after any of the above
///     title:refund         stands in that field; in front of any of the above, behind a + or -
///     \+ \- \" \* \~ \^ \: \\    the character itself
///
/// A sign counts only where its place gives it a meaning: in front of a word or phrase, or at its
/// end. c++ and PROD-4817 are words. A colon counts only in an index of fields and behind a name,
/// which is letters, digits, _, - and ., a letter first: 10:30 and "Note: ..." are words, and so is
/// http://...

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/holding.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/detail/number_text.hpp>
#include <trawl/lexical/bm25.hpp>
#include <trawl/lexical/detail/search/boolean_query.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class query_parser {
public:
    query_parser(std::string_view text, std::span<bm25_field const> fields)
        : text_(text), fields_(fields) {}

    [[nodiscard]] lexical_query parse() {
        lexical_query question;
        for (;;) {
            while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
            if (at_ == text_.size()) return question;
            clause(question);
        }
    }

private:
    struct character {
        char value;
        bool plain; ///< not behind a backslash
        std::size_t at;
    };

    [[nodiscard]] static bool is_blank(char c) noexcept {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
    }
    [[nodiscard]] static bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

    [[noreturn]] void refuse(std::size_t at, std::string const& why) const {
        std::size_t column = 1; // in characters
        for (std::size_t i = 0; i < at; ++i)
            column += (static_cast<unsigned char>(text_[i]) & 0xC0u) != 0x80u;
        fail(errc::parse, join("query, column ", column, ": ", why));
    }

    void clause(lexical_query& question) {
        auto const sign = text_[at_];
        auto const signed_at = at_;
        bool const is_signed = sign == '+' || sign == '-';
        if (is_signed) ++at_;
        if (is_signed && (at_ == text_.size() || is_blank(text_[at_]))) {
            refuse(signed_at, join("a word or a phrase must follow '", sign,
                                  "'; for the sign itself write \\", sign));
        }
        auto const in = field();
        auto part = text_[at_] == '"' ? phrase() : word(is_signed);
        if (in != nullptr) part.field = in->name;
        auto& among = sign == '+'   ? question.must
                      : sign == '-' ? question.must_not
                                    : question.should;
        among.push_back(std::move(part));
    }

    [[nodiscard]] static bool is_letter(char c) noexcept {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'
               || static_cast<unsigned char>(c) >= 128;
    }

    /// The field that is named in front of a word or phrase; null if none is.
    [[nodiscard]] bm25_field const* field() {
        if (fields_.empty() || !is_letter(text_[at_])) return nullptr;
        auto colon = at_;
        auto const belongs = [](char c) {
            return is_letter(c) || is_digit(c) || c == '-' || c == '.';
        };
        while (colon < text_.size() && belongs(text_[colon])) ++colon;
        if (colon == text_.size() || text_[colon] != ':') return nullptr;
        auto const name = text_.substr(at_, colon - at_);
        auto const rest = text_.substr(colon + 1);
        auto const named = std::find_if(
            fields_.begin(), fields_.end(), [&](bm25_field const& of) { return of.name == name; });
        auto const ends = rest.empty() || is_blank(rest.front());
        if (named == fields_.end()) {
            if (ends || rest.starts_with("//")) return nullptr;
            std::string all;
            for (auto const& of : fields_) all += join(all.empty() ? "" : ", ", of.name);
            refuse(at_, join("there is no field '", name, "', only ", all,
                            "; for the sign itself write \\:"));
        }
        if (ends) {
            refuse(colon, join("a word or a phrase must follow '", name,
                              ":'; for the sign itself write \\:"));
        }
        at_ = colon + 1;
        return &*named;
    }

    [[nodiscard]] lexical_query phrase() {
        auto const opened = at_++;
        std::string inside;
        for (;; ++at_) {
            if (at_ == text_.size()) refuse(opened, "the quotation mark is never closed");
            if (text_[at_] == '"') break;
            if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
            inside.push_back(text_[at_]);
        }
        ++at_;
        auto part = ask::phrase(std::move(inside));
        auto const rest = token();
        std::size_t next = 0;
        if (next < rest.size() && rest[next].value == '~') {
            auto const slop = whole_number(rest, ++next);
            if (!slop) refuse(rest[next - 1].at, "a whole number must follow '~' behind a phrase");
            part.distance = *slop;
        }
        if (next < rest.size() && rest[next].value == '^') {
            part.weight = weight(rest, next);
        } else if (next < rest.size()) {
            refuse(rest[next].at, "a blank, ~ or ^ must follow a phrase");
        }
        return part;
    }

    [[nodiscard]] lexical_query word(bool whole) {
        auto letters = token();
        double factor = 1;
        if (auto const at = last(letters, '^'); at > 0) {
            factor = weight(letters, at);
            letters.resize(at);
        }
        auto part = pattern(letters, whole);
        part.weight = factor;
        return part;
    }

    [[nodiscard]] lexical_query pattern(std::vector<character> const& letters, bool whole) const {
        if (auto const at = last(letters, '~'); at > 0) {
            auto next = at + 1;
            std::uint32_t edits = 2;
            if (next < letters.size()) {
                auto const given = whole_number(letters, next);
                if (!given || next < letters.size()) {
                    refuse(letters[at].at,
                        "only 1 or 2 may follow '~'; for the sign itself write \\~");
                }
                edits = *given;
            }
            if (edits < 1 || edits > 2) {
                refuse(letters[at + 1].at, join("a word may be 1 or 2 edits away, not ", edits));
            }
            return ask::fuzzy(text_of(letters, at), edits);
        }
        if (letters.back().plain && letters.back().value == '*') {
            if (letters.size() == 1) refuse(letters[0].at, "letters must stand before '*'");
            return ask::prefix(text_of(letters, letters.size() - 1));
        }
        auto text = text_of(letters, letters.size());
        return whole ? ask::every(std::move(text)) : ask::words(std::move(text));
    }

    /// All up to the next blank.
    [[nodiscard]] std::vector<character> token() {
        std::vector<character> letters;
        for (; at_ < text_.size() && !is_blank(text_[at_]); ++at_) {
            auto const escaped = text_[at_] == '\\' && at_ + 1 < text_.size();
            if (escaped) ++at_;
            letters.push_back({text_[at_], !escaped, at_});
        }
        return letters;
    }

    /// Where the sign stands last; 0 if nowhere, or only in front.
    [[nodiscard]] static std::size_t last(
        std::vector<character> const& letters, char sign) noexcept {
        auto at = letters.size();
        while (at > 0 && !(letters[at - 1].plain && letters[at - 1].value == sign)) --at;
        return at > 0 ? at - 1 : 0;
    }

    [[nodiscard]] static std::string text_of(
        std::vector<character> const& letters, std::size_t end) {
        std::string text;
        for (std::size_t i = 0; i < end; ++i) text.push_back(letters[i].value);
        return text;
    }

    /// Up to 9 digits from next on, which moves behind them.
    [[nodiscard]] static std::optional<std::uint32_t> whole_number(
        std::vector<character> const& letters, std::size_t& next) {
        auto const first = next;
        std::uint32_t value = 0;
        for (; next < letters.size() && next - first < 9 && is_digit(letters[next].value); ++next) {
            value = 10 * value + static_cast<std::uint32_t>(letters[next].value - '0');
        }
        return next > first ? std::optional(value) : std::nullopt;
    }

    /// The number behind the ^ at this place, up to the end.
    [[nodiscard]] double weight(std::vector<character> const& letters, std::size_t at) const {
        std::string number;
        for (auto i = at + 1; i < letters.size(); ++i) number.push_back(letters[i].value);
        auto const value = parse_double(number);
        if (!value || !is_finite(*value) || *value < 0) {
            refuse(letters[at].at, join("a number >= 0 must follow '^', not '", number,
                                       "'; for the sign itself write \\^"));
        }
        return *value;
    }

    std::string_view text_;
    std::span<bm25_field const> fields_;
    std::size_t at_ = 0;
};

} // namespace detail

/// Reads a question in the syntax above.
/// @param fields  of the index that is asked, index.fields(); none: a colon is a letter.
/// @throws trawl::error (parse), "query, column 7: …", counting characters from 1, and nothing
/// else.
/// @par Complexity O(size of the text).
[[nodiscard]] inline lexical_query parse_query(
    std::string_view text, std::span<bm25_field const> fields = {}) {
    return detail::query_parser(text, fields).parse();
}

/// A bm25_index or bm25f_index that reads questions in the syntax above: a retriever, an arm of a
/// pipeline. An lvalue is borrowed, an rvalue owned, a shared_ptr shared.
/// @tparam Index Its holder; deduced.
template <class Index>
class syntax_search {
public:
    template <class I>
        requires(std::same_as<detail::held<I>, Index> && retriever<detail::held_target<I>>)
    explicit syntax_search(I&& index)
        : index_(
            (detail::require_object(index, "syntax_search: the index"), std::forward<I>(index))) {}

    /// As the index does for parse_query(q.text); q.terms, if any, are asked as they are.
    /// @throws trawl::error as parse_query and the index.
    [[nodiscard]] ranking search(query const& q, search_options const& options) const {
        return q.terms.empty() ? index_.get().search(parsed(q.text), options)
                               : index_.get().search(q, options);
    }
    [[nodiscard]] ranking search(std::string_view text, std::size_t k, filter where = {}) const {
        return search(query{.text = text}, search_options{.k = k, .where = where});
    }

    [[nodiscard]] std::vector<hit> score(
        query const& q, std::span<doc_id const> ids, search_options const& options = {}) const {
        if (!q.terms.empty() || q.text.empty()) return index_.get().score(q, ids, options);
        return index_.get().score(parsed(q.text), ids, options);
    }

    [[nodiscard]] explanation explain(
        query const& q, doc_id id, search_options const& options = {}) const {
        return q.terms.empty() ? index_.get().explain(parsed(q.text), id, options)
                               : index_.get().explain(q, id, options);
    }

    [[nodiscard]] std::size_t size() const { return index_.get().size(); }
    [[nodiscard]] doc_id next_id() const { return index_.get().next_id(); }
    [[nodiscard]] bool contains(doc_id id) const { return index_.get().contains(id); }

private:
    [[nodiscard]] lexical_query parsed(std::string_view text) const {
        if constexpr (requires { index_.get().fields(); }) {
            return parse_query(text, index_.get().fields());
        } else {
            return parse_query(text);
        }
    }

    Index index_;
};

template <class I>
syntax_search(I&&) -> syntax_search<detail::held<I>>;

TRAWL_END_NAMESPACE
