// SPDX-License-Identifier: MIT
#pragma once

/// One field of a document on its way into an index, as terms.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <trawl/core/words.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/lexical/detail/analyzer_ref.hpp>
#include <trawl/lexical/detail/lexical_engine.hpp>
#include <trawl/lexical/detail/segments/term_dictionary.hpp>
#include <trawl/lexical/detail/sorting.hpp>
#include <trawl/lexical/detail/surface_terms.hpp>
#include <trawl/lexical/detail/word_positions.hpp>
#include <trawl/text/surface.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Reused from document to document, so that its memory is.
struct field_document {
    buffer<std::uint32_t> terms = {};     ///< their ids, in the order of the text
    buffer<std::uint32_t> positions = {}; ///< of the terms, not falling; empty: not kept
    buffer<std::uint64_t> order = {};     ///< room to sort the terms
    std::uint32_t length = 0;             ///< how many positions hold a term

    /// Splits a text into terms.
    /// @param dictionary  gives the terms their ids.
    void analyze(analyzer_ref split, std::string_view text, index_options keep,
        term_dictionary& dictionary) {
        clear();
        if (keep.surfaces && split.has_surfaces()) {
            split(text, [&](surface_token const& t) { take(t, keep, dictionary); });
        } else {
            split.tokens(text, [&](token const& t) {
                if (!t.term.empty()) take(t, keep, dictionary);
            });
        }
        if (keep.positions && keep.surfaces) place_words();
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
    void take(token const& t, index_options keep, term_dictionary& dictionary) {
        if (length == 0 || last_ != t.position) ++length;
        last_ = t.position;
        terms.push_back(dictionary.intern(t.term));
        if (keep.positions) positions.push_back(token_position(t, keep));
    }

    void take(surface_token const& t, index_options keep, term_dictionary& dictionary) {
        auto const& indexed = t.indexed;
        if (!indexed.term.empty()) take(indexed, keep, dictionary);
        if (t.surface == indexed.term) return;
        make_surface_entry(t.surface, indexed.term, entry_);
        terms.push_back(dictionary.intern(entry_));
        if (keep.positions) {
            positions.push_back(
                indexed.term.empty() ? token_position(indexed, keep) : positions.back());
        }
    }

    /// The analyzer's position, or if words count, the number of the token.
    [[nodiscard]] std::uint32_t token_position(token const& t, index_options keep) {
        if (!keep.surfaces) return t.position;
        words_.add(t);
        return tokens_++;
    }

    /// Replaces the numbers of tokens by their word positions.
    void place_words() {
        words_.finish();
        auto const& words = words_.all();
        if (positions.size() == words.size()) { // a term for each token
            positions = words;
        } else {
            for (auto& position : positions) position = words[position];
        }
        bool sorted = true;
        for (std::size_t i = 1; i < positions.size(); ++i)
            sorted = sorted && positions[i - 1] <= positions[i];
        if (sorted) return;
        order.clear();
        for (std::size_t i = 0; i < terms.size(); ++i) order.push_back(sort_key(positions[i], i));
        sort_ascending(order);
        auto const unsorted = terms;
        for (std::size_t i = 0; i < terms.size(); ++i) {
            positions[i] = static_cast<std::uint32_t>(order[i] >> 32);
            terms[i] = unsorted[place_of_key(order[i])];
        }
    }

    void clear() {
        constexpr std::size_t large = 65536; // terms: such memory is given back
        if (terms.capacity() > large) *this = {};
        words_.clear();
        tokens_ = 0;
        terms.clear();
        positions.clear();
        length = 0;
    }

    word_positions words_ = {};
    std::uint32_t tokens_ = 0;
    std::uint32_t last_ = 0; ///< position
    std::string entry_ = {};
};

} // namespace detail
TRAWL_END_NAMESPACE
