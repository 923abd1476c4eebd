// SPDX-License-Identifier: MIT
#pragma once

/// How texts are split: into identifiers, that is one or more runs of letters or digits joined by single
/// . _ / - : #. Most have one run and are plain words.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

#include <trawl/core/words.hpp>
#include <trawl/error.hpp>
#include <trawl/text/folding.hpp>

namespace trawl::inline v0_1::detail {

/// A folded identifier and where its runs lie in the text. Holds no memory of its own, so that splitting
/// allocates nothing. What is longer than 255 bytes goes on as the next identifier, as in Lucene.
class identifier {
public:
    static constexpr std::size_t capacity = 255;

    [[nodiscard]] bool empty() const noexcept { return bytes_ == 0; }
    [[nodiscard]] bool fits(std::size_t bytes) const noexcept { return bytes_ + bytes <= capacity; }
    [[nodiscard]] std::size_t runs() const noexcept { return count_; }

    /// The joiner before run i; 0 before the first.
    [[nodiscard]] char joiner(std::size_t i) const noexcept { return runs_[i].joiner; }

    /// The runs first to last, both included, as one token.
    [[nodiscard]] token part(std::size_t first, std::size_t last, std::uint32_t position) const noexcept {
        auto const& head = runs_[first];
        auto const& tail = runs_[last];
        return {{text_.data() + head.from, std::size_t{tail.to} - head.from}, position, head.begin, tail.end};
    }

    [[nodiscard]] token whole(std::uint32_t position) const noexcept { return part(0, count_ - 1, position); }

    /// Appends a folded character of the text's bytes [begin, end); it must fit.
    void append(std::string_view folded, std::size_t begin, std::size_t end) noexcept {
        if (between_runs_) {
            runs_[count_++] = {static_cast<std::uint32_t>(begin), 0, bytes_, 0, joiner_};
            between_runs_ = false;
        }
        std::memcpy(text_.data() + bytes_, folded.data(), folded.size());
        bytes_ = static_cast<std::uint8_t>(bytes_ + folded.size());
        runs_[count_ - 1].to = bytes_;
        extend(end);
    }

    /// Stretches the last run over characters of the text that fold to nothing.
    void extend(std::size_t end) noexcept { runs_[count_ - 1].end = static_cast<std::uint32_t>(end); }

    /// Ends the last run; the next append begins another one.
    void join(char joiner) noexcept {
        text_[bytes_++] = joiner;
        joiner_ = joiner;
        between_runs_ = true;
    }

    void clear() noexcept {
        bytes_ = 0;
        count_ = 0;
        joiner_ = 0;
        between_runs_ = true;
    }

private:
    struct run {
        std::uint32_t begin; // in the text
        std::uint32_t end;
        std::uint8_t from; // in the folded identifier
        std::uint8_t to;
        char joiner;
    };

    std::array<char, capacity> text_;
    std::array<run, capacity / 2 + 1> runs_; // not initialised: 2 KB a text would show
    std::size_t count_ = 0;
    std::uint8_t bytes_ = 0;
    char joiner_ = 0;
    bool between_runs_ = true;
};

/// Folds a text, splits it and calls visit(identifier const&) for each one, in order. Words end where UAX #29
/// ends them, save for the joiners: an apostrophe stays inside letters (don't), a comma inside digits
/// (1,000), each Han or Hiragana character is a word. Rules::kind(folded_character const&) -> char_class may
/// see characters otherwise.
/// @throws trawl::error (invalid_argument) if the text has 4 GiB or more.
template <class Rules, class Visit>
void split(std::string_view text, Visit&& visit) {
    if (text.size() > (std::numeric_limits<std::uint32_t>::max)()) {
        fail(errc::invalid_argument,
            join("analyze: the text has ", text.size(), " bytes, at most 4294967295 are allowed"));
    }
    identifier current;
    auto last = char_class::separator; // letter or digit: what the current run ends with
    folded_character pending;          // punctuation that counts only if the run goes on after it
    auto held = char_class::separator; // its class; separator: there is none

    auto const flush = [&] {
        if (!current.empty()) visit(current);
        current.clear();
        held = char_class::separator;
    };
    auto const goes_on = [&](char_class next) {
        if (held == char_class::joiner) return true;
        if (last != next) return false;
        return held == char_class::mid_both
               || held == (next == char_class::letter ? char_class::mid_letter : char_class::mid_number);
    };

    for (std::size_t at = 0; at < text.size();) {
        auto const character = fold_at(text, at);
        auto const begin = at;
        at += character.bytes;
        auto const kind = Rules::kind(character);
        switch (kind) {
        case char_class::letter:
        case char_class::digit:
            if (held != char_class::separator) {
                if (!goes_on(kind) || !current.fits(pending.text.size() + character.text.size())) {
                    flush();
                } else if (held == char_class::joiner) {
                    current.join(pending.text.front());
                } else {
                    current.append(pending.text, begin - pending.bytes, begin);
                }
                held = char_class::separator;
            }
            if (!current.fits(character.text.size())) flush();
            current.append(character.text, begin, at);
            last = kind;
            break;
        case char_class::mark:
            if (!current.empty() && held == char_class::separator && current.fits(character.text.size())) {
                current.append(character.text, begin, at);
            }
            break;
        case char_class::ignored:
            if (!current.empty() && held == char_class::separator) current.extend(at);
            break;
        case char_class::joiner:
        case char_class::mid_letter:
        case char_class::mid_number:
        case char_class::mid_both:
            if (held != char_class::separator) {
                flush();
            } else if (!current.empty()) {
                held = kind;
                pending = character;
            }
            break;
        case char_class::ideograph:
            flush();
            current.append(character.text, begin, at);
            flush();
            break;
        case char_class::separator:
            flush();
            break;
        }
    }
    flush();
}

} // namespace trawl::inline v0_1::detail
