// SPDX-License-Identifier: MIT
#pragma once

/// How texts are split: into identifiers, that is one or more runs of letters or digits joined by
/// single . _ / - : #. Most have one run and are plain words.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <trawl/core/words.hpp>
#include <trawl/text/detail/check_length.hpp>
#include <trawl/text/detail/fold.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// A folded identifier and where its runs lie in the text. Holds no memory of its own, so that
/// splitting allocates nothing. What is longer than 255 bytes goes on as the next identifier, as in
/// Lucene.
class identifier {
public:
    static constexpr std::size_t capacity = 255;

    [[nodiscard]] bool empty() const noexcept { return bytes_ == 0; }
    [[nodiscard]] std::size_t room() const noexcept { return capacity - bytes_; }
    [[nodiscard]] std::size_t runs() const noexcept { return count_; }

    /// False if no capital letter stands inside a run, as in getUserName; true may be wrong.
    [[nodiscard]] bool has_capitals() const noexcept { return capitals_ != 0; }
    void note_capital() noexcept {
        if (!between_runs_ && count_ > 0) capitals_ = 1;
    }

    /// Whether the last run has a single byte.
    [[nodiscard]] bool ends_in_one_byte() const noexcept {
        return count_ > 0 && runs_[count_ - 1].to - runs_[count_ - 1].from == 1;
    }

    /// Whether it is two characters of a script without blanks; each is a run then.
    [[nodiscard]] bool is_pair() const noexcept { return count_ == 2 && runs_[1].joiner == 0; }

    /// The joiner before run i; 0 before the first and in a pair.
    [[nodiscard]] char joiner(std::size_t i) const noexcept { return runs_[i].joiner; }

    /// The runs first to last, both included, as one token.
    [[nodiscard]] token part(
        std::size_t first, std::size_t last, std::uint32_t position) const noexcept {
        auto const& head = runs_[first];
        auto const& tail = runs_[last];
        return {{text_.data() + head.from, std::size_t{tail.to} - head.from}, position, head.begin,
            tail.end};
    }

    [[nodiscard]] token whole(std::uint32_t position) const noexcept {
        return part(0, count_ - 1, position);
    }

    /// Appends a folded character of the text's bytes [begin, end); there must be room.
    void append(std::string_view folded, std::size_t begin, std::size_t end) noexcept {
        std::memcpy(text_.data() + bytes_, folded.data(), folded.size());
        grow(folded.size(), begin, end);
    }

    /// Appends the ASCII letters and digits at text[begin] as lower case, as many as there is room
    /// for; returns where it stopped.
    [[nodiscard]] TRAWL_ALWAYS_INLINE std::size_t append_ascii(
        std::string_view text, std::size_t begin) noexcept {
        auto const stop = room() < text.size() - begin ? begin + room() : text.size();
        auto at = begin;
        auto* out = text_.data() + bytes_;
        constexpr std::uint64_t lower_bits = 0x2020202020202020u; // set in a to z and in digits
        // What is changed to lower case is a capital, which does not count where a run begins.
        auto counted = between_runs_ ? ~std::uint64_t{0xFF} : ~std::uint64_t{0};
        // Eight at once, for a loop over single bytes ends where no branch predictor expects it.
        for (; stop - at >= 8; at += 8, out += 8, counted = ~std::uint64_t{0}) {
            std::uint64_t eight;
            std::memcpy(&eight, text.data() + at, 8);
            auto const other = not_alphanumeric(eight);
            auto const capitals = ~eight & lower_bits & counted;
            eight |= lower_bits;
            std::memcpy(out, &eight, 8);
            if (other != 0) {
                auto const below = ((other & (0 - other)) >> 7) - 1; // the bytes before the first
                capitals_ |= capitals & below;
                return end_ascii(begin, at + static_cast<std::size_t>(std::countr_zero(other)) / 8);
            }
            capitals_ |= capitals;
        }
        for (; at < stop && is_alphanumeric(text[at]); ++at) {
            if ((text[at] & 0x20) == 0 && (at > begin || !between_runs_)) capitals_ = 1;
            *out++ = static_cast<char>(text[at] | 0x20);
        }
        return end_ascii(begin, at);
    }

    [[nodiscard]] static bool is_alphanumeric(char c) noexcept {
        auto const byte = static_cast<unsigned char>(c);
        return byte < 0x80
               && (ascii_classes[byte] == char_class::letter
                   || ascii_classes[byte] == char_class::digit);
    }

    /// Stretches the last run over characters of the text that fold to nothing.
    void extend(std::size_t end) noexcept {
        runs_[count_ - 1].end = static_cast<std::uint32_t>(end);
    }

    /// Ends the last run; the next append begins another one.
    void join(char joiner) noexcept {
        text_[bytes_++] = joiner;
        between(joiner);
    }

    /// The same without a joiner between: the two runs are a pair.
    void join() noexcept { between(0); }

    /// Leaves the second character of a pair.
    void drop_first() noexcept {
        auto const second = runs_[1];
        auto const bytes = static_cast<std::uint8_t>(second.to - second.from);
        std::memmove(text_.data(), text_.data() + second.from, bytes);
        runs_[0] = {second.begin, second.end, 0, bytes, 0};
        count_ = 1;
        bytes_ = bytes;
    }

    void clear() noexcept {
        capitals_ = 0;
        bytes_ = 0;
        count_ = 0;
        between(0);
    }

private:
    struct run {
        std::uint32_t begin; // in the text
        std::uint32_t end;
        std::uint8_t from; // in the folded identifier
        std::uint8_t to;
        char joiner;
    };

    void between(char joiner) noexcept {
        joiner_ = joiner;
        between_runs_ = true;
    }

    void grow(std::size_t bytes, std::size_t begin, std::size_t end) noexcept {
        auto const from = bytes_;
        bytes_ = static_cast<std::uint8_t>(bytes_ + bytes);
        if (between_runs_) {
            runs_[count_++] = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end),
                from, bytes_, joiner_};
            between_runs_ = false;
        } else {
            runs_[count_ - 1].to = bytes_;
            extend(end);
        }
    }

    [[nodiscard]] std::size_t end_ascii(std::size_t begin, std::size_t end) noexcept {
        if (end > begin) grow(end - begin, begin, end);
        return end;
    }

    // The high bits of those of eight bytes that are not ASCII letters or digits.
    [[nodiscard]] static std::uint64_t not_alphanumeric(std::uint64_t word) noexcept {
        constexpr std::uint64_t ones = 0x0101010101010101u;
        constexpr std::uint64_t high = 0x80 * ones;
        auto const from = [](std::uint64_t bytes, unsigned char first) {
            return bytes + (0x80u - first) * ones;
        };
        auto const low = word & ~high;
        auto const lower = low | 0x20 * ones;
        auto const letter = from(lower, 'a') & ~from(lower, 'z' + 1);
        auto const digit = from(low, '0') & ~from(low, '9' + 1);
        return ~((letter | digit) & ~word) & high;
    }

    std::array<char, capacity> text_; // not initialised, like the runs: 2 KB a text would show
    std::array<run, capacity / 2 + 1> runs_;
    std::size_t count_ = 0;
    std::uint64_t capitals_ = 0; // 0: none
    std::uint8_t bytes_ = 0;
    char joiner_ = 0;
    bool between_runs_ = true;
};

/// Takes folded characters and calls visit(identifier const&) for each identifier.
template <class Visit>
class splitter {
public:
    explicit splitter(Visit& visit) noexcept : visit_(visit) {}

    /// Whether ASCII letters and digits simply go on with, or begin, the current run.
    [[nodiscard]] bool takes_ascii() const noexcept {
        return held_ == char_class::separator && last_ != char_class::katakana
               && last_ != char_class::ideograph;
    }

    /// Takes the ASCII letters and digits at text[at], at least one, where takes_ascii(); returns
    /// their end.
    [[nodiscard]] TRAWL_ALWAYS_INLINE std::size_t take_ascii(
        std::string_view text, std::size_t at) {
        for (;;) {
            at = current_.append_ascii(text, at);
            last_ = ascii_classes[static_cast<unsigned char>(text[at - 1])];
            if (current_.room() > 0 || at == text.size() || !identifier::is_alphanumeric(text[at]))
                return at;
            flush(); // there was no room
        }
    }

    /// Takes a character of the text's bytes [begin, end).
    void take(folded_character const& c, std::size_t begin, std::size_t end) {
        switch (c.kind) {
        case char_class::letter:
        case char_class::hebrew:
        case char_class::digit:
        case char_class::katakana:
            take_letter(c, begin, end);
            break;
        case char_class::ideograph:
            take_ideograph(c, begin, end);
            break;
        case char_class::kana_mark:
            take_kana_mark(c, begin, end);
            break;
        case char_class::plus:
            if (held_ == char_class::plus && current_.room() >= 2) {
                held_ = char_class::separator;
                current_.append("++", held_begin_, end);
                flush();
            } else if (open() && last_ == char_class::letter) {
                hold(c, begin, end);
            } else {
                flush();
            }
            break;
        case char_class::mark:
            if (open() && c.text.size() <= current_.room()) current_.append(c.text, begin, end);
            break;
        case char_class::ignored:
            if (open()) current_.extend(end);
            break;
        case char_class::joiner:
        case char_class::mid_letter:
        case char_class::mid_number:
        case char_class::mid_both:
        case char_class::quote:
        case char_class::sharp:
            if (!open() || last_ == char_class::ideograph) {
                flush();
            } else {
                hold(c, begin, end);
            }
            break;
        case char_class::separator:
            flush();
            break;
        }
    }

    /// What stands at text[at] will be folded: from a capital letter, perhaps.
    void note_folded(std::string_view text, std::size_t at) noexcept {
        if (current_.empty()) return;
        auto const code = decode_utf8(text, at).code;
        if (code < 0x100 ? code >= 0xC0 && code <= 0xDE : lower(code) != code)
            current_.note_capital();
    }

    TRAWL_ALWAYS_INLINE void flush() {
        if (held_ != char_class::separator) end_with_sharp();
        if (!current_.empty()) {
            if (current_.is_pair()) shift();
            visit_(static_cast<identifier const&>(current_));
            current_.clear();
        }
        last_ = held_ = char_class::separator;
    }

private:
    [[nodiscard]] bool open() const noexcept {
        return !current_.empty() && held_ == char_class::separator;
    }

    // C#, but not the end of a page#
    TRAWL_COLD void end_with_sharp() {
        if (held_text_[0] == '#' && last_ == char_class::letter && current_.ends_in_one_byte()
            && current_.room() > 0) {
            current_.append("#", held_begin_, held_end_);
        }
    }

    void hold(folded_character const& c, std::size_t begin, std::size_t end) noexcept {
        held_ = c.kind;
        held_begin_ = begin;
        held_end_ = end;
        held_bytes_ = c.text.size();
        std::memcpy(held_text_.data(), c.text.data(), held_bytes_);
    }

    // ー goes with what stands before it; ヵ and ヶ stand among ideographs, but in Katakana words.
    void take_kana_mark(folded_character const& c, std::size_t begin, std::size_t end) {
        auto const alone = held_ == char_class::separator;
        auto const among = alone && last_ == char_class::ideograph;
        auto const katakana = alone && last_ == char_class::katakana;
        if (among || (c.text != "\xE3\x83\xBC" && !katakana)) {
            take_ideograph(c, begin, end);
        } else {
            take_letter({c.text, char_class::katakana}, begin, end);
        }
    }

    void take_letter(folded_character const& c, std::size_t begin, std::size_t end) {
        auto const kana = c.kind == char_class::katakana;
        if (held_ != char_class::separator) {
            if (!goes_on(c.kind) || held_bytes_ + c.text.size() > current_.room()) {
                held_ = char_class::separator;
                flush();
            } else if (held_ == char_class::joiner) {
                current_.join(held_text_[0]);
            } else {
                current_.append({held_text_.data(), held_bytes_}, held_begin_, held_end_);
            }
            held_ = char_class::separator;
        } else if (last_ == char_class::ideograph
                   || (last_ != char_class::separator && kana != (last_ == char_class::katakana))) {
            flush();
        }
        if (c.text.size() > current_.room()) flush();
        current_.append(c.text, begin, end);
        last_ = c.kind;
    }

    void take_ideograph(folded_character const& c, std::size_t begin, std::size_t end) {
        if (last_ != char_class::ideograph) flush();
        if (current_.is_pair()) shift();
        if (c.text.size() > current_.room()) flush();
        if (!current_.empty()) current_.join();
        current_.append(c.text, begin, end);
        last_ = char_class::ideograph;
    }

    void shift() {
        visit_(static_cast<identifier const&>(current_));
        current_.drop_first();
    }

    // Whether the punctuation held belongs to the word, now that this letter or digit follows.
    [[nodiscard]] bool goes_on(char_class next) const noexcept {
        auto const letter = [](char_class c) {
            return c == char_class::letter || c == char_class::hebrew;
        };
        auto const letters = letter(last_) && letter(next);
        auto const digits = last_ == char_class::digit && next == char_class::digit;
        switch (held_) {
        case char_class::joiner:
            return true;
        case char_class::mid_both:
            return letters || digits;
        case char_class::mid_letter:
            return letters;
        case char_class::mid_number:
            return digits;
        case char_class::quote:
            return last_ == char_class::hebrew && next == char_class::hebrew;
        default:
            return false;
        }
    }

    Visit& visit_;
    identifier current_;
    // what the current run ends with; separator: there is none
    char_class last_ = char_class::separator;
    // punctuation that counts only if the run goes on after it
    char_class held_ = char_class::separator;
    std::array<char, 4> held_text_{};
    std::size_t held_bytes_ = 0;
    std::size_t held_begin_ = 0;
    std::size_t held_end_ = 0;
};

/// Folds a text, splits it and calls visit(identifier const&) for each one, in order. Words end
/// where UAX #29 ends them, except at joiners: an apostrophe is kept inside letters (don't), a comma
/// inside digits (1,000). Characters of scripts without blanks between words (Han, Hiragana, Thai)
/// are visited as pairs, each with the next one, and the last or only one of a run alone.
/// Rules::kind(folded_character const&) -> char_class may give characters other classes, except
/// ASCII letters, digits and separators.
/// @throws trawl::error (invalid_argument) if the text has 4 GiB or more.
template <class Rules, class Visit>
void split(std::string_view text, Visit&& visit) {
    check_length(text);
    splitter parts(visit);
    folded_cluster cluster;
    for (std::size_t at = 0; at < text.size();) {
        auto const byte = static_cast<unsigned char>(text[at]);
        if (byte < 0x80) {
            auto const kind = ascii_classes[byte];
            if (kind == char_class::separator) {
                parts.flush();
                ++at;
                continue;
            }
            if ((kind == char_class::letter || kind == char_class::digit) && parts.takes_ascii()) {
                at = parts.take_ascii(text, at);
                continue;
            }
        }
        auto const piece = fold_at(text, at, cluster);
        if (!piece.single) parts.note_folded(text, at);
        for_each_character(piece, [&](folded_character const& c) {
            parts.take({c.text, Rules::kind(c)}, at, at + piece.bytes);
        });
        at += piece.bytes;
    }
    parts.flush();
}

} // namespace detail
TRAWL_END_NAMESPACE
