// SPDX-License-Identifier: MIT
#pragma once

/// The positions at which phrases see the words of a text.

#include <cstddef>
#include <cstdint>

#include <trawl/core/words.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/lexical/detail/sorting.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Gives each token the position of its first word. An analyzer gives an identifier and all its
/// parts one position; here each word in it counts, so that the phrase "open source" occurs in
/// open-source, and "open-source" in "open source". Tokens of one word keep their position, but for
/// the identifiers before them.
class word_positions {
public:
    /// Adds the next token of a text. Pass those that are dropped as stop words, too: they count.
    void add(token const& t) {
        if (begins_.empty() || t.position != position_) {
            if (begins_.size() == 1) { // a plain word, like most
                all_.push_back(position_ + extra_);
                begins_.clear();
            } else {
                finish();
            }
            position_ = t.position;
        }
        begins_.push_back(t.begin);
    }

    /// Ends the text: all() is complete.
    void finish() {
        if (begins_.size() < 2) {
            if (!begins_.empty()) all_.push_back(position_ + extra_);
            begins_.clear();
            return;
        }
        order_.clear();
        for (auto const begin : begins_) order_.push_back(begin);
        sort_ascending(order_);
        distinct_.clear();
        for (auto const begin : order_) {
            if (distinct_.empty() || distinct_.back() != begin)
                distinct_.push_back(static_cast<std::uint32_t>(begin));
        }
        for (auto const begin : begins_) {
            auto const word = static_cast<std::uint32_t>(place_in(distinct_, begin));
            all_.push_back(position_ + extra_ + word);
        }
        extra_ += static_cast<std::uint32_t>(distinct_.size() - 1);
        begins_.clear();
    }

    /// A position for each token, in their order; those of an identifier's tokens may fall.
    [[nodiscard]] buffer<std::uint32_t> const& all() const noexcept { return all_; }

    void clear() noexcept {
        all_.clear();
        begins_.clear();
        extra_ = 0;
    }

private:
    buffer<std::uint32_t> all_ = {};
    buffer<std::uint32_t> begins_ = {}; ///< of the tokens at the position at hand
    buffer<std::uint64_t> order_ = {};
    buffer<std::uint32_t> distinct_ = {};
    std::uint32_t position_ = 0;
    std::uint32_t extra_ = 0; ///< words of identifiers so far, the first of each not counted
};

} // namespace detail
TRAWL_END_NAMESPACE
