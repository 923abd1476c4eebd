// SPDX-License-Identifier: MIT
#pragma once

/// The default analyzer: words as people write them, and identifiers (PROD-4817, /api/v3/cursors,
/// max_retry_count) whole and by their parts, so that both exact and partial names find them.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <trawl/core/concepts.hpp>
#include <trawl/text/detail/identifier.hpp>

TRAWL_BEGIN_NAMESPACE

/// Folds (see folding.hpp), then splits by Unicode's word boundaries (UAX #29). An identifier, two
/// or more runs of letters or digits joined by single . _ / - : #, yields at one position, in this
/// order: itself, the segments and prefixes of its path that have several runs, its runs.
///
///     GET /api/v3/cursors   get | api/v3/cursors api/v3 api v3 cursors
///     op-guide/v3.5         op-guide/v3.5 op-guide v3.5 op guide v3 5
///     Don't, C++, 1,000     don't | c | 1,000
///     東京都 カメラ 한국어      東京 東 | 京都 京 | 都 | カメラ | 한국어
///
/// Scripts that put no blanks between words (Han, Hiragana, Thai, Lao, Khmer, Burmese) have a
/// position for each character with its marks; a token there is the pair of it and the next one,
/// and it alone, so that a question of one character finds it too. Katakana and Hangul are words.
/// Emoji and other symbols separate. A term has at most 255 bytes; what is longer is cut into
/// several. Thread-safe; allocates nothing. O(n).
class standard_analyzer {
public:
    /// Hands the tokens of a text (UTF-8; any bytes are allowed) to sink.
    /// @throws trawl::error (invalid_argument) if the text has 4 GiB or more.
    void analyze(std::string_view text, token_sink sink) const {
        std::uint32_t position = 0;
        detail::split<rules>(text, [&](detail::identifier const& found) {
            sink(found.whole(position));
            if (found.is_pair()) {
                sink(found.part(0, 0, position));
            } else if (found.runs() > 1) {
                parts(found, position, sink);
            }
            ++position;
        });
    }

private:
    struct rules {
        static detail::char_class kind(detail::folded_character const& c) noexcept {
            return c.kind;
        }
    };

    static void parts(detail::identifier const& found, std::uint32_t position, token_sink sink) {
        auto const runs = found.runs();
        std::size_t segment = 0; // first run of the path segment
        for (std::size_t i = 0; i < runs; ++i) {
            auto const last = i + 1 == runs;
            if (!last && found.joiner(i + 1) != '/') continue;
            if (segment > 0 && segment < i) sink(found.part(segment, i, position));
            if (i > 0 && !last) sink(found.part(0, i, position));
            segment = i + 1;
        }
        for (std::size_t i = 0; i < runs; ++i) sink(found.part(i, i, position));
    }
};

static_assert(analyzer<standard_analyzer>);

TRAWL_END_NAMESPACE
