// SPDX-License-Identifier: MIT
#pragma once

/// Fills chunks with the blocks of one section after the other.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/text/detail/blanks.hpp>
#include <trawl/text/detail/fold.hpp>
#include <trawl/text/detail/identifier.hpp>
#include <trawl/text/detail/markdown_lines.hpp>
#include <trawl/text/detail/sentence.hpp>
#include <trawl/text/passages/chunker.hpp>
#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Whether a text holds a letter, a digit or a symbol, and not only blanks and punctuation.
[[nodiscard]] inline bool says_something(std::string_view text) noexcept {
    for (std::size_t at = 0; at < text.size();) {
        auto const c = decode_utf8(text, at);
        at += c.bytes == 0 ? 1 : c.bytes;
        if (c.bytes < 2) {
            if (c.bytes == 1 && identifier::is_alphanumeric(text[at - 1])) return true;
            continue;
        }
        auto const known = properties_of(c.code);
        switch (class_of(c.code, known)) {
        case char_class::letter:
        case char_class::hebrew:
        case char_class::digit:
        case char_class::katakana:
        case char_class::ideograph:
        case char_class::kana_mark:
            return true;
        case char_class::separator: {
            // Arrows, boxes and other symbols begin at U+2190; then come CJK's punctuation and forms.
            auto const symbol =
                c.code >= 0x2190 && c.code < 0xE000 && (c.code < 0x2E00 || c.code >= 0x3040);
            if (symbol || known.pictographic()) return true;
            break;
        }
        default:
            break;
        }
    }
    return false;
}

class chunk_packer {
public:
    struct extent {
        std::size_t begin;
        std::size_t end;
    };

    /// @param options  checked; the overlap and the bytes are set.
    /// @param tokens  of the text: begins ascend strictly, and no token is empty.
    chunk_packer(std::string_view document_id, std::string_view text, std::size_t tokens,
        std::size_t overlap, std::size_t bytes, std::vector<extent> extents,
        std::vector<chunk>& out)
        : id_(document_id),
          text_(text),
          most_tokens_(tokens),
          overlap_(overlap),
          most_bytes_(bytes),
          tokens_(std::move(extents)),
          out_(out) {}

    void begin_section(std::size_t begin, std::vector<std::string> headings) {
        headings_ = std::move(headings);
        section_begin_ = start_ = filled_ = news_ = begin;
        section_ = first_ = next_ = token_at(begin);
        repeated_ = 0;
        fresh_ = body_ = false;
        header_ = {};
    }

    void rename_section(std::vector<std::string> headings) { headings_ = std::move(headings); }

    void place(markdown_block const& block) {
        switch (block.kind) {
        case block_kind::heading:
            return place(block.begin, block.end, grain::heading);
        case block_kind::paragraph:
            return place(block.begin, block.end, grain::prose);
        case block_kind::list:
            return place(block.begin, block.end, grain::list);
        case block_kind::table:
            return place(block.begin, block.end, grain::table);
        case block_kind::code:
            return place(block.begin, block.end, grain::lines);
        }
    }

    void end_section() {
        if (fresh_) close();
    }

private:
    // What a range of text breaks into if it does not fit: lists into items, tables and code into
    // lines, prose into sentences, and all of these into words.
    enum class grain : unsigned char { heading, prose, list, table, lines, words };

    struct table_header {
        std::string_view text = {}; // empty: none
        std::size_t tokens = 0;
        // with the end of its last line
        [[nodiscard]] std::size_t bytes() const noexcept {
            return text.empty() ? 0 : text.size() + 1;
        }
    };

    void place(std::size_t begin, std::size_t end, grain kind) {
        TRAWL_COUNT(1);
        if (!fresh_ && repeated_ == 0) begin_at(begin);
        auto const count = token_at(end) - token_at(begin);
        if (!fits(end)) {
            auto const whole = kind == grain::list || kind == grain::lines || kind == grain::table;
            auto const most = whole || !table_.text.empty() ? most_tokens_ - table_.tokens
                                                            : most_tokens_ - overlap_;
            auto const bytes = most_bytes_ - table_.bytes();
            if (count > most || end - begin > bytes || !(whole || body_))
                return split(begin, end, kind);
            make_room(begin, end, count);
        }
        extend(end, kind != grain::heading && count > 0);
    }

    void split(std::size_t begin, std::size_t end, grain kind) {
        if (kind == grain::words || kind == grain::heading) return place_words(end);
        auto at = begin;
        if (kind == grain::table) {
            auto const rows = past_line(past_line(begin, end), end);
            at = past_line(rows, end);
            place(begin, at, at < end ? grain::lines : grain::words); // the header and a row
            auto const header = trimmed(text_.substr(begin, rows - begin));
            auto const count = token_at(rows) - token_at(begin);
            if (2 * count <= most_tokens_ && 2 * header.size() < most_bytes_)
                table_ = {header, count};
        }
        auto const inner = kind == grain::list ? grain::prose : grain::words;
        while (at < end) {
            auto const next = kind == grain::prose  ? past_sentence(text_, at, end)
                              : kind == grain::list ? past_item(at, end)
                                                    : past_line(at, end);
            place(at, next, inner);
            at = next;
        }
        table_ = {};
    }

    // Each turn fills more, or ends a chunk that was filled, or drops what this one repeats.
    void place_words(std::size_t end) {
        while (filled_ < end) {
            TRAWL_COUNT(1);
            auto const last = token_at(end);
            auto const limit = start_ + byte_room();
            auto const stop = (std::min)(next_ + room(), last);
            auto cut = stop == last ? end : stop > next_ ? cut_before(stop) : filled_;
            if (cut > limit) cut = cut_within(limit);
            if (cut <= filled_ && fresh_) {
                close();
            } else if (cut <= filled_ && (repeated_ > 0 || !header_.text.empty())) {
                header_ = table_ = {};
                start_chunk(0);
            } else {
                extend(cut > filled_ ? cut : character_before(limit), true);
            }
        }
    }

    [[nodiscard]] std::size_t room() const noexcept {
        return most_tokens_ - header_.tokens - (next_ - first_);
    }

    // Bytes that the text of the chunk may have.
    [[nodiscard]] std::size_t byte_room() const noexcept { return most_bytes_ - header_.bytes(); }

    void extend(std::size_t end, bool body) {
        filled_ = end;
        next_ = token_at(end);
        fresh_ = true;
        body_ = body_ || body;
    }

    // Whether what is not placed yet fits up to `end`.
    [[nodiscard]] bool fits(std::size_t end) const noexcept {
        return token_at(end) - next_ <= room() && end - start_ <= byte_room();
    }

    // Starts a chunk that takes [begin, end) and its tokens whole, with less overlap if need be.
    void make_room(std::size_t begin, std::size_t end, std::size_t count) {
        if (fresh_) close();
        if (!fits(end)) start_chunk(most_tokens_ - header_.tokens - count);
        if (!fits(end)) start_chunk(0);
        if (repeated_ == 0) begin_at(begin);
    }

    // Leaves out the blanks before an empty chunk.
    void begin_at(std::size_t begin) noexcept {
        start_ = filled_ = news_ = begin;
        first_ = next_ = token_at(begin);
    }

    void close() {
        auto const passage = without_outer_blanks(start_, filled_);
        auto const news = trimmed(text_.substr(news_, filled_ - news_));
        if (!news.empty() && (next_ > first_ + repeated_ || says_something(news))) {
            auto const begin = static_cast<std::size_t>(passage.data() - text_.data());
            auto const count = header_.tokens + (next_ - first_);
            auto text =
                header_.text.empty() ? std::string(passage) : join(header_.text, "\n", passage);
            out_.push_back({join(id_, "-chunk-", out_.size() + 1), headings_, std::move(text),
                begin, begin + passage.size(), count});
        }
        start_chunk(table_.text.empty() ? overlap_ : 0);
    }

    // A chunk that repeats the last tokens, but inside a table its header.
    void start_chunk(std::size_t overlap) {
        header_ = table_;
        repeated_ = (std::min)(overlap, next_ - section_);
        first_ = next_ - repeated_;
        start_ = repeated_ == 0       ? filled_
                 : first_ == section_ ? section_begin_
                                      : cut_before(first_);
        if (filled_ - start_ >= byte_room()) {
            repeated_ = 0;
            first_ = next_;
            start_ = filled_;
        }
        news_ = filled_;
        fresh_ = body_ = false;
    }

    // Without blank lines and blanks at the ends; a first line that is there whole keeps its
    // indentation.
    [[nodiscard]] std::string_view without_outer_blanks(
        std::size_t begin, std::size_t end) const noexcept {
        auto const passage = trimmed(text_.substr(begin, end - begin));
        if (passage.empty()) return text_.substr(begin, 0);
        auto const first = static_cast<std::size_t>(passage.data() - text_.data());
        auto line = first;
        while (line > begin && (text_[line - 1] == ' ' || text_[line - 1] == '\t')) --line;
        auto const whole = line == 0 || text_[line - 1] == '\n' || text_[line - 1] == '\r';
        auto const from = whole ? line : first;
        return text_.substr(from, first + passage.size() - from);
    }

    // The first token that begins at this byte or later.
    [[nodiscard]] std::size_t token_at(std::size_t byte) const noexcept {
        auto const at = std::lower_bound(tokens_.begin(), tokens_.end(), byte,
            [](extent const& token, std::size_t begin) { return token.begin < begin; });
        return static_cast<std::size_t>(at - tokens_.begin());
    }

    // Where to cut before a token that is not the first: at the blank before it if there is one.
    [[nodiscard]] std::size_t cut_before(std::size_t i) const noexcept {
        auto const begin = tokens_[i].begin;
        auto const from = (std::min)(tokens_[i - 1].end, begin);
        TRAWL_COUNT(begin - from);
        auto const blank = text_.substr(from, begin - from).find_first_of(blanks);
        return blank == std::string_view::npos ? begin : from + blank;
    }

    // The last place to cut after filled_ up to limit: before a token or at a blank; filled_ if there
    // is none.
    [[nodiscard]] std::size_t cut_within(std::size_t limit) const noexcept {
        if (limit <= filled_) return filled_;
        TRAWL_COUNT(limit - filled_);
        auto cut = filled_;
        if (auto const i = token_at(limit + 1); i > next_ + 1) cut = tokens_[i - 1].begin;
        auto const blank = text_.substr(filled_, limit + 1 - filled_).find_last_of(blanks);
        return blank == std::string_view::npos ? cut : (std::max)(cut, filled_ + blank);
    }

    // The last character boundary after filled_ up to limit.
    [[nodiscard]] std::size_t character_before(std::size_t limit) const noexcept {
        auto at = limit;
        while (at > filled_ + 1 && limit - at < 4 && at < text_.size()
               && (static_cast<unsigned char>(text_[at]) & 0xC0) == 0x80)
            --at;
        return at > filled_ && limit - at < 4 ? at : (std::max)(limit, filled_ + 1);
    }

    [[nodiscard]] std::size_t past_line(std::size_t at, std::size_t end) const noexcept {
        auto const stop = (std::min)(text_.find_first_of("\r\n", at), end);
        TRAWL_COUNT(stop - at);
        return (std::min)(text_.find_first_not_of("\r\n", stop), end);
    }

    [[nodiscard]] std::size_t past_item(std::size_t at, std::size_t end) const noexcept {
        do {
            at = past_line(at, end);
        } while (at < end && !starts_list_item(trimmed(text_.substr(at, past_line(at, end) - at))));
        return at;
    }

    std::string_view id_;
    std::string_view text_;
    std::size_t most_tokens_;
    std::size_t overlap_;
    std::size_t most_bytes_;
    std::vector<extent> tokens_;
    std::vector<chunk>& out_;
    std::vector<std::string> headings_;
    std::size_t start_ = 0;  // byte where the open chunk begins, its overlap included
    std::size_t filled_ = 0; // byte up to which it is filled
    std::size_t news_ = 0;   // byte after its overlap
    std::size_t section_begin_ = 0;
    std::size_t section_ = 0;  // first token of the section
    std::size_t first_ = 0;    // first token of the chunk
    std::size_t next_ = 0;     // first token that is not placed yet
    std::size_t repeated_ = 0; // tokens of the overlap
    bool fresh_ = false;       // whether it holds anything besides its overlap
    bool body_ = false;        // and more than headings
    table_header table_;       // of the table that is being cut
    table_header header_;      // that the open chunk begins with
};

} // namespace detail
TRAWL_END_NAMESPACE
