// SPDX-License-Identifier: MIT
#pragma once

/// Cuts markdown documents into passages for retrieval.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/error.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>
#include <trawl/text/detail/sentence.hpp>
#include <trawl/text/passages/markdown.hpp>

TRAWL_BEGIN_NAMESPACE

struct chunk_options {
    std::size_t tokens = 200; ///< of a chunk at most, the overlap included; > 0
    /// that a chunk repeats of the one before it in its section; < tokens
    std::size_t overlap = 40;
};

/// A passage: the bytes [begin, end) of the document.
struct chunk {
    std::string id = {};                    ///< "D022-chunk-2": document, number from 1
    std::vector<std::string> headings = {}; ///< the path to it: "Guide", "Install"
    std::string text = {};
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t tokens = 0;
};

struct chunked_document {
    front_matter metadata = {};
    std::vector<chunk> chunks = {};
};

namespace detail {

/// Fills chunks with the blocks of one section after the other.
class chunk_packer {
public:
    struct extent {
        std::size_t begin;
        std::size_t end;
    };

    chunk_packer(std::string_view document_id, std::string_view text, chunk_options options,
        std::vector<extent> tokens, std::vector<chunk>& out)
        : id_(document_id), text_(text), options_(options), tokens_(std::move(tokens)), out_(out) {}

    void begin_section(std::size_t begin, std::vector<std::string> headings) {
        headings_ = std::move(headings);
        section_begin_ = start_ = filled_ = begin;
        section_ = first_ = next_ = token_at(begin);
        repeated_ = 0;
        fresh_ = body_ = false;
    }

    void rename_section(std::vector<std::string> headings) { headings_ = std::move(headings); }

    void place(markdown_block const& block) {
        switch (block.kind) {
        case block_kind::heading:
            place(block.begin, block.end, grain::heading);
            break;
        case block_kind::paragraph:
            place(block.begin, block.end, grain::prose);
            break;
        case block_kind::list:
            place(block.begin, block.end, grain::list);
            break;
        case block_kind::table:
        case block_kind::code:
            place(block.begin, block.end, grain::lines);
            break;
        }
    }

    void end_section() {
        if (fresh_) close();
    }

private:
    // What a stretch of text breaks into when it does not fit: lists into items, tables and code
    // into lines, prose into sentences, and all of these into words.
    enum class grain : unsigned char { heading, prose, list, lines, words };

    void place(std::size_t begin, std::size_t end, grain kind) {
        auto const count = token_at(end) - token_at(begin);
        auto const whole = kind == grain::list || kind == grain::lines;
        if (count > room()) {
            auto const most = whole ? options_.tokens : options_.tokens - options_.overlap;
            if (count > most || !(whole || body_)) return split(begin, end, kind);
            make_room(count);
        }
        extend(end, kind != grain::heading && count > 0);
    }

    void split(std::size_t begin, std::size_t end, grain kind) {
        if (kind == grain::words || kind == grain::heading) return place_words(end);
        auto const inner = kind == grain::list ? grain::prose : grain::words;
        for (auto at = begin; at < end;) {
            auto const next = kind == grain::prose  ? past_sentence(text_, at, end)
                              : kind == grain::list ? past_item(at, end)
                                                    : past_line(at, end);
            place(at, next, inner);
            at = next;
        }
    }

    void place_words(std::size_t end) {
        for (auto const last = token_at(end); next_ < last;) {
            if (room() == 0) close();
            auto const stop = next_ + (std::min)(room(), last - next_);
            extend(stop == last ? end : cut_before(stop), true);
        }
        extend(end, true);
    }

    [[nodiscard]] std::size_t room() const noexcept { return options_.tokens - (next_ - first_); }

    void extend(std::size_t end, bool body) {
        filled_ = end;
        next_ = token_at(end);
        fresh_ = true;
        body_ = body_ || body;
    }

    // Starts a chunk that takes so many tokens whole, with less overlap if need be.
    void make_room(std::size_t count) {
        if (fresh_) close();
        if (count > room()) start_chunk(options_.tokens - count);
    }

    void close() {
        auto const passage = trimmed(text_.substr(start_, filled_ - start_));
        if (next_ > first_ + repeated_) {
            auto const begin = static_cast<std::size_t>(passage.data() - text_.data());
            out_.push_back({join(id_, "-chunk-", out_.size() + 1), headings_, std::string(passage),
                begin, begin + passage.size(), next_ - first_});
        }
        start_chunk(options_.overlap);
    }

    void start_chunk(std::size_t overlap) {
        repeated_ = (std::min)(overlap, next_ - section_);
        first_ = next_ - repeated_;
        start_ = repeated_ == 0       ? filled_
                 : first_ == section_ ? section_begin_
                                      : cut_before(first_);
        fresh_ = body_ = false;
    }

    // The first token that begins at this byte or later.
    [[nodiscard]] std::size_t token_at(std::size_t byte) const noexcept {
        auto const at = std::lower_bound(tokens_.begin(), tokens_.end(), byte,
            [](extent const& token, std::size_t begin) { return token.begin < begin; });
        return static_cast<std::size_t>(at - tokens_.begin());
    }

    // Where to cut before a token that has one before it: at the blank between them if there is
    // one.
    [[nodiscard]] std::size_t cut_before(std::size_t i) const noexcept {
        auto const between = text_.substr(0, tokens_[i].begin);
        return (std::min)(between.find_first_of(blanks, tokens_[i - 1].end), between.size());
    }

    [[nodiscard]] std::size_t past_line(std::size_t at, std::size_t end) const noexcept {
        auto const stop = (std::min)(text_.find_first_of("\r\n", at), end);
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
    chunk_options options_;
    std::vector<extent> tokens_;
    std::vector<chunk>& out_;
    std::vector<std::string> headings_;
    std::size_t start_ = 0;  // byte where the open chunk begins, its overlap included
    std::size_t filled_ = 0; // byte up to which it is filled
    std::size_t section_begin_ = 0;
    std::size_t section_ = 0;  // first token of the section
    std::size_t first_ = 0;    // first token of the chunk
    std::size_t next_ = 0;     // first token that is not placed yet
    std::size_t repeated_ = 0; // tokens of the overlap
    bool fresh_ = false;       // whether anything is in it that was in no chunk before
    bool body_ = false;        // and more than headings
};

} // namespace detail

/// Cuts a markdown document into chunks of at most options.tokens tokens.
///
/// A chunk lies in one section; a heading with nothing but a deeper heading below it goes with that
/// one. It is filled with whole blocks; code, tables and lists are kept whole where they fit at
/// all, if need be with less overlap. A block that does not fit is cut at lines, items or
/// sentences, and only where these do not fit, at words. The overlap is the last tokens of the
/// chunk before, in the same section. What holds no token is in no chunk of its own.
/// @param document_id  the beginning of the chunks' ids
/// @param text   markdown, any bytes; see parse_markdown
/// @param counter   an analyzer: tokens are counted by its positions
/// @return The front matter and the chunks in the order of the text; none for an empty document.
/// @throws trawl::error (invalid_argument) if tokens is 0, overlap is not below it, or the text too
/// long for the counter.
/// @par Complexity O(n log n) time, O(n) space, besides the analysis; n bytes.
template <analyzer Counter = standard_analyzer>
[[nodiscard]] chunked_document chunk_markdown(std::string_view document_id, std::string_view text,
    chunk_options const& options = {}, Counter const& counter = {}) {
    if (options.tokens == 0) {
        detail::fail(errc::invalid_argument, "chunk_markdown: tokens must be > 0, is 0");
    }
    if (options.overlap >= options.tokens) {
        detail::fail(
            errc::invalid_argument, detail::join("chunk_markdown: overlap must be below tokens, ",
                                        options.tokens, ", is ", options.overlap));
    }
    std::vector<detail::chunk_packer::extent> tokens;
    std::uint32_t last = 0;
    counter.analyze(text, [&](token const& t) {
        if (tokens.empty() || t.position != last) {
            tokens.push_back({t.begin, t.end});
            last = t.position;
        } else {
            tokens.back().end = (std::max)(tokens.back().end, std::size_t{t.end});
        }
    });

    auto document = parse_markdown(text);
    chunked_document out{std::move(document.metadata), {}};
    detail::chunk_packer packer(document_id, text, options, std::move(tokens), out.chunks);
    std::vector<markdown_block> path; // the headings above, each deeper than the one before
    bool only_headings = false;       // so far in this section
    for (auto const& block : document.blocks) {
        auto const heading = block.kind == block_kind::heading;
        auto const deeper = heading && !path.empty() && block.level > path.back().level;
        auto const begins =
            &block == document.blocks.data() || (heading && !(only_headings && deeper));
        if (heading) {
            while (!path.empty() && path.back().level >= block.level) path.pop_back();
            path.push_back(block);
        }
        if (begins) packer.end_section();
        if (begins || heading) {
            std::vector<std::string> headings;
            for (auto const& above : path) headings.emplace_back(above.title);
            if (begins) {
                packer.begin_section(block.begin, std::move(headings));
            } else {
                packer.rename_section(std::move(headings));
            }
        }
        only_headings = heading && (begins || only_headings);
        packer.place(block);
    }
    packer.end_section();
    return out;
}

TRAWL_END_NAMESPACE
