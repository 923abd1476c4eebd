// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of chunker.hpp.

#include <trawl/text/passages/chunker.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/text/detail/chunk_packer.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The extents of the positions of a text, made sound whatever the analyzer says: inside the text,
/// begins ascending strictly and on characters, none empty.
[[nodiscard]] inline std::vector<chunk_packer::extent> extents_of(
    std::string_view text, function_ref<void(std::string_view, token_sink)> count) {
    std::vector<chunk_packer::extent> out;
    std::uint32_t last = 0;
    count(text, [&](token const& t) {
        std::size_t begin = t.begin;
        if (begin >= text.size()) return;
        for (int i = 0; i < 3 && begin > 0; ++i) {
            if ((static_cast<unsigned char>(text[begin]) & 0xC0) != 0x80) break;
            --begin;
        }
        auto const longest = text.size() - begin;
        auto const bytes = t.end > begin ? t.end - begin : std::size_t{1};
        auto const end = begin + (bytes < longest ? bytes : longest);
        if (out.empty() || (t.position != last && begin > out.back().begin)) {
            out.push_back({begin, end});
        } else if (out.back().end < end) {
            out.back().end = end;
        }
        last = t.position;
    });
    return out;
}

/// The beginning of a heading, at most 255 bytes: each chunk below it holds a copy.
[[nodiscard]] inline std::string_view bounded_title(std::string_view title) noexcept {
    constexpr std::size_t longest = 255;
    if (title.size() <= longest) return title;
    auto end = longest;
    while (end > longest - 4 && (static_cast<unsigned char>(title[end]) & 0xC0) == 0x80) --end;
    return title.substr(0, end);
}

TRAWL_INLINE chunked_document chunk_document(std::string_view document_id, std::string_view text,
    chunk_options const& options, function_ref<void(std::string_view, token_sink)> count) {
    if (options.tokens == 0) {
        fail(errc::invalid_argument, "chunk_markdown: tokens must be > 0, is 0");
    }
    auto const overlap = options.overlap.value_or(options.tokens / 5);
    if (overlap >= options.tokens) {
        fail(errc::invalid_argument, join("chunk_markdown: overlap must be below tokens, ",
                                         options.tokens, ", is ", overlap));
    }
    if (options.bytes > 0 && options.bytes < 4) {
        fail(errc::invalid_argument,
            join("chunk_markdown: bytes must be 0 or at least 4, is ", options.bytes));
    }
    constexpr std::size_t many = ~std::size_t{0} / 4;
    auto const bytes = options.bytes > 0            ? (options.bytes < many ? options.bytes : many)
                       : options.tokens < many / 40 ? 40 * options.tokens
                                                    : many;

    auto document = parse_markdown(text);
    chunked_document out{std::move(document.metadata), {}};
    chunk_packer packer(
        document_id, text, options.tokens, overlap, bytes, extents_of(text, count), out.chunks);
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
            for (auto const& above : path) headings.emplace_back(bounded_title(above.title));
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

} // namespace detail
TRAWL_END_NAMESPACE
