// SPDX-License-Identifier: MIT
#pragma once

/// One field of a document on its way into an index, as terms.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/lexical/detail/lexical_engine.hpp>
#include <trawl/lexical/detail/segments/term_dictionary.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Reused from document to document, so that its memory is.
struct field_document {
    std::vector<std::uint32_t> terms = {};     ///< their ids, in the order of the text
    std::vector<std::uint32_t> positions = {}; ///< of the terms; empty: not kept
    std::uint32_t length = 0;                  ///< how many positions hold a term

    /// Splits a text into terms.
    /// @param dictionary  gives the terms their ids.
    void analyze(analyze_ref split, std::string_view text, bool keep_positions,
        term_dictionary& dictionary) {
        clear();
        std::uint32_t last = 0;
        split(text, [&](token const& t) {
            if (length == 0 || last != t.position) ++length;
            last = t.position;
            terms.push_back(dictionary.intern(t.term));
            if (keep_positions) positions.push_back(t.position);
        });
    }

    /// Takes terms in order, each at a position of its own.
    void take(
        std::span<std::string_view const> given, bool keep_positions, term_dictionary& dictionary) {
        clear();
        for (auto const term : given) {
            if (keep_positions) positions.push_back(length);
            terms.push_back(dictionary.intern(term));
            ++length;
        }
    }

private:
    void clear() noexcept {
        terms.clear();
        positions.clear();
        length = 0;
    }
};

} // namespace detail
TRAWL_END_NAMESPACE
