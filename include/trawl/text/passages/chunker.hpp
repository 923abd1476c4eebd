// SPDX-License-Identifier: MIT
#pragma once

/// Cuts markdown documents into passages for retrieval.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/core/words.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>
#include <trawl/text/passages/markdown.hpp>

TRAWL_BEGIN_NAMESPACE

struct chunk_options {
    std::size_t tokens = 200; ///< at most in a chunk, the overlap included; > 0
    /// Tokens that a chunk repeats of the one before it in its section; must be < tokens. By default
    /// a fifth of tokens.
    std::optional<std::size_t> overlap = {};
    /// At most in a chunk, for texts in which the analyzer counts few tokens; at least 4, or 0 for
    /// 40 times `tokens`.
    std::size_t bytes = 0;
};

/// A passage: the bytes [begin, end) of the document.
struct chunk {
    std::string id = {}; ///< "D022-chunk-2": document, number from 1
    /// The headings above it, outermost first, each cut to 255 bytes: "Guide", "Install".
    std::vector<std::string> headings = {};
    /// The bytes of the passage. If it begins inside a table: the table's first two lines before them.
    std::string text = {};
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t tokens = 0; ///< in `text`
};

struct chunked_document {
    front_matter metadata = {};
    std::vector<chunk> chunks = {};
};

namespace detail {

[[nodiscard]] chunked_document chunk_document(std::string_view document_id, std::string_view text,
    chunk_options const& options, function_ref<void(std::string_view, token_sink)> count);

} // namespace detail

/// Cuts a markdown document into chunks of at most options.tokens tokens and options.bytes bytes.
///
/// A chunk lies in one section; a heading with only a deeper heading below it is kept with that
/// one. A chunk is filled with whole blocks. Code, tables and lists are kept whole if they fit in a
/// chunk at all, with less overlap if need be. A block that does not fit is cut at lines, items or
/// sentences; what still does not fit, at words; a word that does not fit, between characters. Cut
/// code keeps its indentation. A table that is cut continues with its header lines, in place of the
/// overlap, if they take at most half a chunk. The overlap is the last tokens of the chunk before,
/// in the same section. Every chunk holds at least a token, letter, digit or symbol: a chunk of
/// emoji alone has 0 tokens.
/// @param document_id  the prefix of the chunks' ids
/// @param text   markdown, any bytes; see parse_markdown
/// @param counter   an analyzer: tokens are counted by its positions; those that begin at the same
/// byte count as one
/// @return The front matter and the chunks in the order of the text; no chunks for an empty document.
/// @throws trawl::error (invalid_argument) if tokens is 0, overlap is not below tokens, bytes is 1 to
/// 3, or the text is too long for the counter.
/// @par Complexity O(n log n) time, O(n) space, besides the analysis; n bytes, a chunk's bytes
/// repeated by overlap and headings counted.
template <analyzer Counter = standard_analyzer>
[[nodiscard]] chunked_document chunk_markdown(std::string_view document_id, std::string_view text,
    chunk_options const& options = {}, Counter const& counter = {}) {
    return detail::chunk_document(document_id, text, options,
        [&](std::string_view counted, token_sink sink) { counter.analyze(counted, sink); });
}

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/text/detail/chunker_inl.hpp>
#endif
