// SPDX-License-Identifier: MIT
#pragma once

/// Tokens that a text may contain as they are, such as [MASK]: found before anything else is done to it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <trawl/config.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/models/detail/aligned_text.hpp>
#include <trawl/models/detail/piece_trie.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct added_token {
    std::string text = {}; ///< not empty
    std::uint32_t id = 0;
    bool strip_left = false;  ///< takes the white space before it along
    bool strip_right = false; ///< and that behind it
    bool normalised = false;  ///< is looked for in the normalised text
};

class added_tokens {
public:
    struct place {
        byte_span span = {}; ///< white space that it takes along included
        std::uint32_t id = 0;
    };

    void add(added_token token);
    /// Makes next() usable.
    void index();

    [[nodiscard]] buffer<added_token> const& all() const noexcept { return tokens_; }
    /// Whether there are some that are looked for in the normalised text, or in the text itself.
    [[nodiscard]] bool any(bool normalised) const noexcept { return any_[normalised ? 1 : 0]; }

    /// The next token in a text from byte `from` on: the first, and of those that begin there the
    /// longest. False if there is none. `text` is normalised or not, as the tokens that are looked
    /// for. O(bytes up to it).
    [[nodiscard]] bool next(
        std::string_view text, std::uint32_t from, bool normalised, place& found) const;

    /// Appends everything that decides the result.
    void describe(std::string& out) const;

private:
    buffer<added_token> tokens_ = {};
    bool any_[2] = {};
    bool begins_[2][256] = {}; ///< whether a token begins with a byte
    piece_trie tries_[2] = {}; ///< of places in tokens_
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/added_tokens_inl.hpp>
#endif
