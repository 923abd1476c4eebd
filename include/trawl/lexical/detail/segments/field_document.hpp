// SPDX-License-Identifier: MIT
#pragma once

/// One field of a document on its way into an index, as terms.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/lexical/detail/lexical_engine.hpp>
#include <trawl/lexical/detail/segments/term_dictionary.hpp>
#include <trawl/lexical/detail/surface_terms.hpp>
#include <trawl/lexical/detail/word_positions.hpp>
#include <trawl/text/surface.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Reused from document to document, so that its memory is.
struct field_document {
    std::vector<std::uint32_t> terms = {};     ///< their ids, in the order of the text
    std::vector<std::uint32_t> positions = {}; ///< of the terms, not falling; empty: not kept
    std::uint32_t length = 0;                  ///< how many positions hold a term

    /// Splits a text into terms.
    /// @param dictionary  gives the terms their ids.
    void analyze(
        analyze_ref split, std::string_view text, index_options keep, term_dictionary& dictionary) {
        clear();
        words_.clear();
        std::uint32_t last = 0;
        split(text, [&](surface_token const& t) {
            auto const& [term, position, begin, end] = t.indexed;
            if (!term.empty()) {
                if (length == 0 || last != position) ++length;
                last = position;
                terms.push_back(dictionary.intern(term));
                if (keep.positions) positions.push_back(token_position(t.indexed, keep));
            }
            if (keep.surfaces && t.surface != term) {
                make_surface_entry(t.surface, term, entry_);
                terms.push_back(dictionary.intern(entry_));
                if (keep.positions) {
                    positions.push_back(
                        term.empty() ? token_position(t.indexed, keep) : positions.back());
                }
            }
        });
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
    /// The analyzer's position, or if words count, the number of the token.
    [[nodiscard]] std::uint32_t token_position(token const& t, index_options keep) {
        if (!keep.surfaces) return t.position;
        words_.add(t);
        return tokens_++;
    }

    /// Replaces the numbers of tokens by their word positions.
    void place_words() {
        words_.finish();
        for (auto& position : positions) position = words_.all()[position];
        if (std::is_sorted(positions.begin(), positions.end())) return;
        order_.clear();
        for (std::size_t i = 0; i < terms.size(); ++i) order_.emplace_back(positions[i], terms[i]);
        std::stable_sort(order_.begin(), order_.end(),
            [](auto const& a, auto const& b) { return a.first < b.first; });
        for (std::size_t i = 0; i < terms.size(); ++i) std::tie(positions[i], terms[i]) = order_[i];
    }

    void clear() noexcept {
        tokens_ = 0;
        terms.clear();
        positions.clear();
        length = 0;
    }

    word_positions words_ = {};
    std::uint32_t tokens_ = 0;
    std::string entry_ = {};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order_ = {};
};

} // namespace detail
TRAWL_END_NAMESPACE
