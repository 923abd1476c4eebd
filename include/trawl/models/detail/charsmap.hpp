// SPDX-License-Identifier: MIT
#pragma once

/// SentencePiece's compiled normalisation map.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <trawl/config.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/models/detail/aligned_text.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// What a text becomes: a double array over the bytes that change, and the texts that take their
/// place. Applied as Hugging Face's tokenizers do: a grapheme cluster of less than 6 bytes becomes
/// what its shortest beginning in the map becomes, rest and all; else each of its characters does.
class charsmap {
public:
    charsmap() = default;
    /// @param bytes  as in sentencepiece_model.proto, precompiled_charsmap: the size of the double
    /// array in bytes (4 bytes), the double array, texts that end with 0.
    /// @return What is wrong with them, or nothing.
    [[nodiscard]] std::string_view read(std::string_view bytes);

    /// False if a text would have more than `most` characters; it is unchanged then.
    [[nodiscard]] bool apply(aligned_text& text, std::size_t most) const;

    /// Whether an ASCII character becomes a blank by itself, being one or in the map.
    [[nodiscard]] bool is_blank(unsigned char c) const noexcept;
    /// Whether it stays what it is, if no other character joins it.
    [[nodiscard]] bool stays(unsigned char c) const noexcept { return !ascii_[c]; }

    /// What was read.
    [[nodiscard]] std::string const& bytes() const noexcept { return bytes_; }

private:
    // What was made of the characters so far: `change` is 0 for a character in the place of one, 1 for one
    // more, and less than 0 if so many behind it are gone.
    struct result {
        buffer<char32_t> codes = {};
        buffer<std::int32_t> changes = {};
        std::size_t dropped = 0; ///< characters before the first that stays
        std::size_t most = 0;    ///< characters at most
        bool changed = false;
        bool too_long = false;
    };

    /// The text for the shortest beginning of `from` that is in the map.
    [[nodiscard]] std::optional<std::string_view> replacement(std::string_view from) const noexcept;
    [[nodiscard]] bool replace(std::string_view from, std::size_t characters, result& to) const;
    void replace_cluster(char32_t const* codes, std::size_t count, result& to) const;

    std::string bytes_ = {};
    buffer<std::uint32_t> units_ = {};
    std::size_t texts_ = 0; ///< where the texts begin in bytes_
    bool ascii_[128] = {};  ///< characters that are in the map by themselves
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/charsmap_inl.hpp>
#endif
