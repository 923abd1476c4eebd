// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of bert_words.hpp.

#include <trawl/models/detail/bert_words.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <trawl/detail/buffer.hpp>
#include <trawl/models/detail/aligned_text.hpp>
#include <trawl/models/detail/character.hpp>
#include <trawl/models/detail/token_list.hpp>
#include <trawl/models/detail/token_vocabulary.hpp>
#include <trawl/models/detail/word_piece.hpp>
#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE bert_words::bert_words(
    bert_rules rules, token_vocabulary const& pieces, word_piece const& model)
    : rules_(rules) {
    for (auto& one : actions_) one = action::other;
    for (std::size_t c = 0; c < 128; ++c) {
        auto const kind = kind_of(static_cast<char32_t>(c));
        actions_[c] = rules.clean && kind.dropped() ? action::drop
                      : kind.space()                ? action::space
                      : kind.punctuation()          ? action::punctuation
                                                    : action::letter;
        auto const upper = rules.lower && c >= 'A' && c <= 'Z';
        lower_[c] = static_cast<char>(upper ? c + 32 : c);
        auto const byte = static_cast<char>(c);
        single_[c] = pieces.find({&byte, 1});
        if (single_[c] == token_vocabulary::none || model.longest() == 0)
            single_[c] = model.unknown();
    }
}

// One pass: the word under way, and where it came from.
class bert_scan {
public:
    bert_scan(bert_words const& words, std::string_view text, token_vocabulary const& pieces,
        word_piece const& model, token_list& out) noexcept
        : words_(words), text_(text), pieces_(pieces), model_(model), out_(out) {}

    void run(byte_span span, std::size_t most) {
        using enum bert_words::action;
        auto const* const bytes = text_.data();
        auto const action_at = [&](std::uint32_t at) {
            return words_.actions_[static_cast<unsigned char>(bytes[at])];
        };
        for (auto at = span.first; at < span.last && out_.size() <= most;) {
            switch (action_at(at)) {
            case letter: {
                auto const first = at;
                do ++at;
                while (at < span.last && action_at(at) == letter);
                append_ascii(first, at);
                break;
            }
            case space:
                finish();
                ++at;
                break;
            case punctuation:
                finish();
                out_.push_back(
                    {words_.single_[static_cast<unsigned char>(bytes[at])], {at, at + 1}});
                ++at;
                break;
            case drop:
                ++at;
                break;
            case other: {
                auto const decoded = decode_utf8(text_.substr(0, span.last), at);
                auto const size =
                    decoded.bytes == 0 ? 1 : static_cast<std::uint32_t>(decoded.bytes);
                read(decoded.bytes == 0 ? char32_t{0xFFFD} : decoded.code, {at, at + size});
                at += size;
            }
            }
        }
        finish();
    }

private:
    void append_ascii(std::uint32_t first, std::uint32_t last) {
        continue_at(first);
        auto const count = last - first;
        auto const before = word_.size();
        word_.append(text_.data() + first, count);
        for (auto* at = word_.data() + before; at != word_.end(); ++at)
            *at = words_.lower_[static_cast<unsigned char>(*at)];
        if (!contiguous_) {
            for (auto at = first; at < last; ++at) origins_.push_back({at, at + 1});
        }
        characters_ += count;
        marks_.clear();
    }

    // While the bytes of a word are those of the text, one for one, its origins need not be written down.
    void continue_at(std::uint32_t at) {
        if (word_.empty()) {
            begin_ = at;
            contiguous_ = true;
        } else if (contiguous_ && begin_ + word_.size() != at) {
            keep_origins();
        }
    }
    void keep_origins() {
        contiguous_ = false;
        origins_.clear();
        for (std::size_t i = 0; i < word_.size(); ++i) {
            auto const at = begin_ + static_cast<std::uint32_t>(i);
            origins_.push_back(whole_character(at));
        }
    }
    // Of the character that byte `at` of the text is part of.
    [[nodiscard]] byte_span whole_character(std::uint32_t at) const noexcept {
        while (at > begin_ && (static_cast<unsigned char>(text_[at]) & 0xC0) == 0x80) --at;
        return {at, at + static_cast<std::uint32_t>(decode_utf8(text_, at).bytes)};
    }

    void read(char32_t code, byte_span origin) {
        auto const& rules = words_.rules_;
        auto const kind = kind_of(code);
        if (rules.clean && kind.dropped()) return;
        if (kind.space()) return finish();
        auto const alone = rules.split_chinese && is_chinese(code);
        if (alone) finish();
        if (rules.drop_accents) {
            decompose(code, [&](char32_t part) { without_accent(part, origin); });
        } else if (rules.lower) {
            lower_case(code, [&](char32_t part) { append(part, 0, origin); });
        } else {
            append(code, 0, origin);
        }
        if (alone) finish();
    }

    void without_accent(char32_t code, byte_span origin) {
        auto const kind = kind_of(code);
        auto const order = kind.combining_class();
        if (kind.nonspacing()) {
            if (order == 0) marks_.clear();
            return;
        }
        if (words_.rules_.lower) {
            lower_case(code, [&](char32_t part) { append(part, order, origin); });
        } else {
            append(code, order, origin);
        }
    }

    void append(char32_t code, std::uint32_t order, byte_span origin) {
        auto const kind = kind_of(code);
        if (kind.space()) return finish();
        if (kind.punctuation()) finish();
        char encoded[4] = {};
        auto const size = static_cast<std::size_t>(encode_utf8(code, encoded) - encoded);
        continue_at(origin.first);
        if (contiguous_ && size != origin.last - origin.first) keep_origins();
        auto place = word_.size();
        if (order == 0 || characters_ > model_.longest()) { // unknown, whatever its order
            marks_.clear();
        } else {
            // Behind the marks of the same combining class or a lower one.
            auto mark = marks_.size();
            while (mark > 0 && marks_[mark - 1].order > order) --mark;
            if (mark < marks_.size()) {
                place = marks_[mark].place;
                if (contiguous_) keep_origins();
            }
            marks_.insert(mark, {order, place});
            for (++mark; mark < marks_.size(); ++mark) marks_[mark].place += size;
        }
        for (std::size_t i = 0; i < size; ++i) {
            if (!contiguous_) origins_.insert(place + i, origin);
            word_.insert(place + i, encoded[i]);
        }
        ++characters_;
        if (kind.punctuation()) finish();
    }

    void finish() {
        if (!word_.empty()) {
            std::string_view const word(word_.data(), word_.size());
            if (contiguous_) {
                model_.split(pieces_, word, characters_, out_,
                    [begin = begin_](std::size_t first, std::size_t last) {
                        return byte_span{begin + static_cast<std::uint32_t>(first),
                            begin + static_cast<std::uint32_t>(last)};
                    });
            } else {
                model_.split(
                    pieces_, word, characters_, out_, [&](std::size_t first, std::size_t last) {
                        return byte_span{origins_[first].first, origins_[last - 1].last};
                    });
            }
        }
        word_.clear();
        marks_.clear();
        characters_ = 0;
    }

    struct placed_mark {
        std::uint32_t order = 0; ///< its combining class
        std::size_t place = 0;   ///< in the word
    };

    bert_words const& words_;
    std::string_view text_;
    token_vocabulary const& pieces_;
    word_piece const& model_;
    token_list& out_;
    buffer<char> word_ = {};
    std::size_t characters_ = 0;
    bool contiguous_ = true;
    std::uint32_t begin_ = 0;        ///< of a contiguous word, in the text
    buffer<byte_span> origins_ = {}; ///< of each byte of another
    buffer<placed_mark> marks_ = {}; ///< behind the last character that is none
};

TRAWL_INLINE void bert_words::split(std::string_view text, byte_span span,
    token_vocabulary const& pieces, word_piece const& model, std::size_t most,
    token_list& out) const {
    bert_scan(*this, text, pieces, model, out).run(span, most);
}

} // namespace detail
TRAWL_END_NAMESPACE
