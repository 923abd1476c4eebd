// SPDX-License-Identifier: MIT
#pragma once

/// The parser of the query language.

#include <trawl/lexical/query_syntax.hpp>

#include <cstdint>
#include <optional>
#include <string>

#include <trawl/detail/number_text.hpp>
#include <trawl/error.hpp>
#include <trawl/lexical/detail/query_characters.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// A recursive descent parser without recursion: a clause has no clauses in it.
class query_parser {
public:
    query_parser(std::string_view text, std::span<bm25_field const> fields, syntax_mode mode)
        : text_(text), all_(query_characters(text)), fields_(fields), mode_(mode) {}

    [[nodiscard]] lexical_query parse() {
        lexical_query parsed;
        for (;;) {
            while (at_ < all_.size() && is_blank(at_)) ++at_;
            if (at_ == all_.size()) return parsed;
            clause(parsed);
        }
    }

private:
    using characters = std::span<query_character const>;

    /// Reports an error at a character, unless the mode is lenient.
    void refuse(query_character const& at, std::string const& why) const {
        if (mode_ == syntax_mode::lenient) return;
        std::size_t column = 1; // in characters
        for (std::size_t i = 0; i < at.begin; ++i)
            column += (static_cast<unsigned char>(text_[i]) & 0xC0u) != 0x80u;
        fail(errc::parse, join("query, column ", column, ": ", why));
    }

    /// An escaped blank is an ordinary character.
    [[nodiscard]] bool is_blank(std::size_t at) const noexcept {
        return !all_[at].escaped && is_query_blank(all_[at].code);
    }

    void clause(lexical_query& parsed) {
        auto const sign = sign_at(at_);
        if (sign != 0) ++at_;
        auto const* const in = field();
        auto made = phrase();
        if (!made) made = word(sign != 0);
        if (!made) return;
        if (in != nullptr) made->field = in->name;
        auto& among = sign == U'+' ? parsed.must : sign == U'-' ? parsed.must_not : parsed.should;
        among.push_back(std::move(*made));
    }

    /// The + or - that begins a clause here; 0 if there is none.
    [[nodiscard]] char32_t sign_at(std::size_t at) const noexcept {
        auto const& c = all_[at];
        if (!c.is(U'+') && !c.is(U'-')) return 0;
        if (at > 0 && !is_blank(at - 1)) return 0; // directly behind a phrase
        if (at + 1 == all_.size() || is_blank(at + 1)) return 0;
        auto const& next = all_[at + 1];
        auto const begins_word =
            next.escaped || is_query_letter(next.code) || is_query_digit(next.code)
            || is_quote(next.code) || next.code == U'.' || next.code == U'/' || next.code == U'#'
            || next.code == U'@' || next.code == U'$' || next.code == 0x110000u;
        return begins_word ? c.code : 0;
    }

    /// The field named before a word or phrase, which at_ then points to; null if there is none.
    [[nodiscard]] bm25_field const* field() {
        auto colon = at_;
        auto const in_name = [&](query_character const& c) {
            return !c.escaped
                   && (is_query_letter(c.code)
                       || (colon > at_
                           && (is_query_digit(c.code) || c.code == U'-' || c.code == U'.')));
        };
        if (fields_.empty()) return nullptr;
        while (colon < all_.size() && in_name(all_[colon])) ++colon;
        if (colon == at_ || colon == all_.size() || !all_[colon].is(U':')) return nullptr;
        auto const name = text_.substr(all_[at_].begin, all_[colon].begin - all_[at_].begin);
        auto const ends = colon + 1 == all_.size() || is_blank(colon + 1);
        for (auto const& known : fields_) {
            if (known.name != name) continue;
            if (ends) {
                refuse(all_[colon], join("a word or a phrase must follow '", name,
                                        ":'; for the sign itself write \\:"));
                return nullptr;
            }
            at_ = colon + 1;
            return &known;
        }
        auto const is_url = text_.substr(all_[colon].end).starts_with("//");
        if (ends || is_url || mode_ == syntax_mode::lenient) return nullptr;
        std::string names;
        for (auto const& known : fields_) names += join(names.empty() ? "" : ", ", known.name);
        refuse(all_[at_], join("there is no field '", name, "', only ", names,
                              "; for the sign itself write \\:"));
        return nullptr;
    }

    /// The quote that closes the one at this place: of the same kind, straight or curly, if there
    /// is one, else of the other. The end if there is none.
    [[nodiscard]] std::size_t closing_quote(std::size_t opened) {
        auto const curly = is_curly_quote(all_[opened].code);
        auto& last = curly ? last_curly_ : last_straight_;
        if (last > opened) { // where the next one is not known to be missing
            for (auto at = opened + 1; at < all_.size(); ++at) {
                if (!all_[at].escaped && is_quote(all_[at].code)
                    && is_curly_quote(all_[at].code) == curly) {
                    return at;
                }
            }
            last = opened;
        }
        for (auto at = opened + 1; !no_more_quotes_ && at < all_.size(); ++at) {
            if (!all_[at].escaped && is_quote(all_[at].code)) return at;
        }
        no_more_quotes_ = true;
        return all_.size();
    }

    [[nodiscard]] std::optional<lexical_query> phrase() {
        if (all_[at_].escaped || !is_quote(all_[at_].code)) return std::nullopt;
        auto const end = closing_quote(at_);
        if (end == all_.size()) {
            refuse(all_[at_], "the quotation mark is never closed");
            ++at_; // not a sign, then
            if (at_ == all_.size() || is_blank(at_)) return lexical_query{};
            return std::nullopt;
        }
        auto made = ask::phrase(text_of(characters(all_).subspan(at_ + 1, end - at_ - 1)));
        made.relaxed = mode_ == syntax_mode::lenient;
        at_ = end + 1;
        auto const rest = token(longest_suffix);
        if (!suffix_of_phrase(rest, made)) return made; // the rest is the next clause
        at_ += rest.size();
        return made;
    }

    /// Whether a token is [~integer][^number], which it then puts into the phrase.
    [[nodiscard]] bool suffix_of_phrase(characters rest, lexical_query& made) const {
        if (rest.size() > longest_suffix) return false;
        std::size_t next = 0;
        std::uint32_t slop = 0;
        double weight = 1;
        if (next < rest.size() && rest[next].is(U'~')) {
            auto const given = whole_number(rest, ++next);
            if (!given) return false;
            slop = *given;
        }
        if (next < rest.size()) {
            if (!rest[next].is(U'^')) return false;
            auto const given = number(rest, next);
            if (!given) return false;
            weight = *given;
        }
        made.distance = slop;
        made.weight = weight;
        return true;
    }

    [[nodiscard]] std::optional<lexical_query> word(bool whole) {
        auto rest = token();
        at_ += rest.size();
        double weight = 1;
        if (auto const at = last(rest, U'^'); at > 0) {
            if (auto const given = number(rest, at)) {
                weight = *given;
                rest = rest.first(at);
            }
        }
        auto made = pattern(rest, whole);
        if (made) made->weight = weight;
        return made;
    }

    [[nodiscard]] std::optional<lexical_query> pattern(characters word, bool whole) const {
        if (auto const at = last(word, U'~'); at > 0) {
            auto next = at + 1;
            auto const given = whole_number(word, next);
            auto const edits = given.value_or(2);
            if (next == word.size()) {
                if (edits == 1 || edits == 2) return ask::fuzzy(text_of(word.first(at)), edits);
                refuse(word[at + 1], join("a word may be 1 or 2 edits away, not ", edits));
            }
        }
        if (word.back().is(U'*')) {
            auto end = word.size();
            while (end > 0 && word[end - 1].is(U'*')) --end;
            if (end > 0) return ask::prefix(text_of(word.first(end)));
            refuse(word[0], "letters must stand before '*'");
        }
        auto text = text_of(word);
        return whole ? ask::every(std::move(text)) : ask::words(std::move(text));
    }

    /// All characters up to the next blank, or one more than `limit`.
    [[nodiscard]] characters token(
        std::size_t limit = static_cast<std::size_t>(-2)) const noexcept {
        auto end = at_;
        while (end < all_.size() && !is_blank(end) && end - at_ <= limit) ++end;
        return characters(all_).subspan(at_, end - at_);
    }

    /// The last place of the sign in a word; 0 if there is none, or only at the beginning.
    [[nodiscard]] static std::size_t last(characters word, char32_t sign) noexcept {
        auto at = word.size();
        while (at > 0 && !word[at - 1].is(sign)) --at;
        return at > 0 ? at - 1 : 0;
    }

    [[nodiscard]] std::string text_of(characters word) const {
        std::string text;
        for (auto const& c : word) text.append(text_.substr(c.begin, c.end - c.begin));
        return text;
    }

    /// Up to 9 digits; `next` moves behind them.
    [[nodiscard]] static std::optional<std::uint32_t> whole_number(
        characters word, std::size_t& next) {
        auto const first = next;
        std::uint32_t value = 0;
        for (; next < word.size() && next - first < 9 && is_query_digit(word[next].code); ++next) {
            value = 10 * value + static_cast<std::uint32_t>(word[next].code - U'0');
        }
        return next > first ? std::optional(value) : std::nullopt;
    }

    /// The number between the ^ at this place and the end, if it is one; what is a number, but no
    /// weight, is an error.
    [[nodiscard]] std::optional<double> number(characters word, std::size_t at) const {
        std::string digits;
        for (auto const& c : word.subspan(at + 1))
            digits.push_back(c.code < 128 ? static_cast<char>(c.code) : '?');
        if (digits.find_first_not_of("0123456789.+-eE") != digits.npos) return std::nullopt;
        auto const value = parse_double(digits);
        if (!value) return std::nullopt;
        if (*value >= 0 && (mode_ == syntax_mode::strict || *value <= max_weight)) return value;
        refuse(word[at], join("a number >= 0 must follow '^', not '", digits,
                             "'; for the sign itself write \\^"));
        return std::nullopt;
    }

    /// What is longer is no ~ or ^ behind a phrase: so that phrases side by side are linear.
    static constexpr std::size_t longest_suffix = 64;
    /// A lenient query must not overflow a score.
    static constexpr double max_weight = 1e6;

    std::string_view text_;
    std::vector<query_character> all_;
    std::span<bm25_field const> fields_;
    syntax_mode mode_;
    std::size_t at_ = 0;
    // No quote of the kind follows this place; so that many open ones are searched for once.
    std::size_t last_straight_ = static_cast<std::size_t>(-1);
    std::size_t last_curly_ = static_cast<std::size_t>(-1);
    bool no_more_quotes_ = false;
};

} // namespace detail

TRAWL_INLINE lexical_query parse_query(
    std::string_view text, std::span<bm25_field const> fields, syntax_mode mode) {
    return detail::query_parser(text, fields, mode).parse();
}

TRAWL_END_NAMESPACE
